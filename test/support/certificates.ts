import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import type { SsoConnection } from '../../db/entities/single-sign-on.js';
import { DAY_MS } from '../../domain/durations.js';
import { once } from './once.js';

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2_048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

const keys = once(() => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']));

/** An identity provider's certificate in PEM that is valid until a time. */
export async function certificateUntil(notAfter: Date): Promise<string> {
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['id.example'] }],
    notBefore: new Date(Math.min(notAfter.getTime(), Date.now()) - 400 * DAY_MS),
    notAfter,
    signingAlgorithm: ALGORITHM,
    keys: await keys(),
  });
  return `${certificate.toString('pem')}\n`;
}

/** A workspace's SAML provider, switched on. */
export const samlConnection = (workspace_id: string, ...certificates: string[]): Partial<SsoConnection> => ({
  workspace_id,
  name: 'Harbour ID',
  provider: {
    protocol: 'saml',
    entity_id: 'https://id.example/saml',
    sso_url: 'https://id.example/sso',
    binding: 'redirect',
    certificates,
    sign_requests: false,
  },
  enabled: true,
  required: 'none',
  trust_second_factor: false,
  tested_at: new Date(Date.now() - 300 * DAY_MS),
  created_at: new Date(),
  updated_at: new Date(),
});
