import { randomBytes } from 'node:crypto';
import { readJson, writePrivately, type Home } from './home.js';

/** What a home's parts trust each other by, and the API key that its owner was given. */
export interface Secrets {
  postgresPassword: string;
  internalToken: string;
  platformWebhookSecret: string;
  connectWebhookSecret: string;
  encryptionKey: string;
  apiKey?: string;
}

/** Reads a home's secrets; those that it lacks, new or of an older version, are made and kept. */
export function readSecrets(home: Home): Secrets {
  const random = (): string => randomBytes(24).toString('hex');
  const secrets = {
    postgresPassword: random(),
    internalToken: random(),
    platformWebhookSecret: `whsec_${random()}`,
    connectWebhookSecret: `whsec_${random()}`,
    encryptionKey: randomBytes(32).toString('base64'),
    ...readJson<Secrets>(home.secrets),
  };
  writePrivately(home.secrets, secrets);
  return secrets;
}
