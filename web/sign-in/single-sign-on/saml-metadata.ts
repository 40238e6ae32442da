// Must be imported before the package that reads certificates.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import {
  readAttribute,
  certificateBase64,
  parseCertificate,
  children,
  CONTENT_CIPHERS,
  DSIG,
  escaped,
  everywhere,
  malformed,
  METADATA,
  parseXml,
  PROTOCOL,
  RSA_OAEP,
  RSA_OAEP_11,
  SHA256,
  shown,
  elementText,
  XMLENC11,
} from './saml-xml.js';

/** An identity provider, as its metadata or a form describes it. */
export interface SamlMetadata {
  entity_id: string;
  /** Where requests are sent. */
  sso_url: string;
  binding: 'redirect' | 'post';
  /** 1 to 4, PEM or base64: any of them may have signed an assertion. Their dates are not enforced. */
  certificates: string[];
  sign_requests: boolean;
}

/** This service as SAML service provider: one per workspace. */
export interface ServiceProvider {
  /** The address of its metadata. */
  entity_id: string;
  /** Where browsers post responses. */
  acs_url: string;
  /** PEM. Signs requests and decrypts assertions. */
  key: string;
  /** PEM, of this key. */
  certificate: string;
}

export const BINDINGS = {
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
} as const;
export const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
export const PERSISTENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

const MAX_CERTIFICATES = 4;
const MIN_RSA_BITS = 2_048;
const MAX_NAME = 1_024;

/**
 * Reads the metadata of one identity provider, at most 256 kB: all signing certificates, and the redirect
 * binding if there are several. A signature on the metadata is not verified, because its uploader or URL is
 * trusted. Throws `malformed` with the reason.
 */
export function readProviderMetadata(xml: string): SamlMetadata {
  const { root } = parseXml(xml);
  const descriptors = everywhere(root, METADATA, 'EntityDescriptor').flatMap((entity) =>
    children(entity, METADATA, 'IDPSSODescriptor')
      .filter((each) => readAttribute(each, 'protocolSupportEnumeration')?.split(/\s+/).includes(PROTOCOL))
      .map((provider) => ({ entity, provider })),
  );
  const [found] = descriptors;
  if (!found) throw malformed('This is not the metadata of a SAML 2.0 identity provider (IDPSSODescriptor).');
  if (descriptors.length > 1) throw malformed(`This metadata has ${descriptors.length} identity providers.`);
  const { entity, provider } = found;
  const entity_id = readAttribute(entity, 'entityID');
  if (!entity_id || entity_id.length > MAX_NAME) throw malformed('The metadata has no entityID.');
  return {
    entity_id,
    ...signOnService(provider),
    certificates: signingCertificates(provider),
    sign_requests: ['true', '1'].includes(readAttribute(provider, 'WantAuthnRequestsSigned') ?? ''),
  };
}

function signOnService(provider: Element): Pick<SamlMetadata, 'sso_url' | 'binding'> {
  const services = children(provider, METADATA, 'SingleSignOnService');
  for (const binding of ['redirect', 'post'] as const) {
    const service = services.find((each) => readAttribute(each, 'Binding') === BINDINGS[binding]);
    const sso_url = service && readAttribute(service, 'Location');
    if (!sso_url) continue;
    const isAddress = URL.canParse(sso_url) && /^https?:$/.test(new URL(sso_url).protocol);
    if (!isAddress || sso_url.length > MAX_NAME)
      throw malformed(`The provider's sign-on URL is not valid: ${shown(sso_url)}.`);
    return { sso_url, binding };
  }
  throw malformed('The provider has no sign-on URL for redirect or POST (SingleSignOnService).');
}

function signingCertificates(provider: Element): string[] {
  const texts = children(provider, METADATA, 'KeyDescriptor')
    .filter((key) => ['signing', ''].includes(readAttribute(key, 'use') ?? ''))
    .flatMap((key) => everywhere(key, DSIG, 'X509Certificate'))
    .map((certificate) => signingCertificate(elementText(certificate)));
  const certificates = [...new Set(texts)];
  if (certificates.length === 0) throw malformed('The provider has no signing certificate.');
  if (certificates.length > MAX_CERTIFICATES)
    throw malformed(
      `The provider has ${certificates.length} signing certificates, more than ${MAX_CERTIFICATES}.`,
    );
  return certificates;
}

/**
 * Converts a provider's certificate (PEM or base64) to PEM. Throws `malformed` if it cannot be read or has no
 * RSA key of at least 2,048 bits.
 */
export function signingCertificate(text: string): string {
  const certificate = parseCertificate(text);
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (asymmetricKeyType !== 'rsa' || bits < MIN_RSA_BITS)
    throw malformed(
      `A certificate has a key of ${asymmetricKeyType} ${bits || ''}. RSA with 2048 bits is required.`,
    );
  return certificate.toString();
}

/** The validity dates of a certificate (PEM or base64), for notices only: they are not enforced. */
export function certificateDates(certificate: string): { not_before: Date; not_after: Date } {
  const { validFrom, validTo } = parseCertificate(certificate);
  return { not_before: new Date(validFrom), not_after: new Date(validTo) };
}

/** Our own metadata: what a provider must know of a workspace. */
export function serviceMetadata({ entity_id, acs_url, certificate }: ServiceProvider): string {
  const key =
    `<ds:KeyInfo xmlns:ds="${DSIG}"><ds:X509Data><ds:X509Certificate>` +
    `${certificateBase64(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`;
  const ciphers = Object.keys(CONTENT_CIPHERS).map((name) => `<md:EncryptionMethod Algorithm="${name}"/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${METADATA}" entityID="${escaped(entity_id)}">
  <md:SPSSODescriptor protocolSupportEnumeration="${PROTOCOL}" WantAssertionsSigned="true">
    <md:KeyDescriptor use="signing">${key}</md:KeyDescriptor>
    <md:KeyDescriptor use="encryption">
      ${key}
      ${ciphers.join('\n      ')}
      <md:EncryptionMethod Algorithm="${RSA_OAEP}"/>
      <md:EncryptionMethod Algorithm="${RSA_OAEP_11}">
        <ds:DigestMethod xmlns:ds="${DSIG}" Algorithm="${SHA256}"/>
        <xenc11:MGF xmlns:xenc11="${XMLENC11}" Algorithm="${XMLENC11}mgf1sha256"/>
      </md:EncryptionMethod>
    </md:KeyDescriptor>
    <md:NameIDFormat>${PERSISTENT_FORMAT}</md:NameIDFormat>
    <md:NameIDFormat>${EMAIL_FORMAT}</md:NameIDFormat>
    <md:AssertionConsumerService index="0" isDefault="true" Binding="${BINDINGS.post}"
      Location="${escaped(acs_url)}"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

const SERVICE_KEY = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 3_072,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const SERVICE_KEY_YEARS = 20;

/** A new key of this service for a workspace with its self-signed certificate, both as PEM. */
export async function newServiceKey(common_name: string): Promise<{ key: string; certificate: string }> {
  const keys = await crypto.subtle.generateKey(SERVICE_KEY, true, ['sign', 'verify']);
  const notBefore = new Date();
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + SERVICE_KEY_YEARS);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [common_name.slice(0, 64)] }],
    notBefore,
    notAfter,
    signingAlgorithm: SERVICE_KEY,
    keys,
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const lines = key.match(/.{1,64}/g)!.join('\n');
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
    certificate: `${certificate.toString('pem')}\n`,
  };
}
