import { randomBytes } from 'node:crypto';
import { readJson, writePrivately, type Home } from './home.js';

/** Passwords and keys that the parts of a stack share, and the API key of the seeded workspace. */
export interface Secrets {
  postgresPassword: string;
  /** The database role that the service runs as. Each home has its own, since homes can share a server. */
  serviceRole: { name: string; password: string };
  internalToken: string;
  platformWebhookSecret: string;
  connectWebhookSecret: string;
  encryptionKey: string;
  apiKey?: string;
}

/** Reads the secrets of a home. Creates and stores those that are missing. */
export function readSecrets(home: Home): Secrets {
  const random = (): string => randomBytes(24).toString('hex');
  const secrets = {
    postgresPassword: random(),
    serviceRole: { name: `holdfast_service_${randomBytes(4).toString('hex')}`, password: random() },
    internalToken: random(),
    platformWebhookSecret: `whsec_${random()}`,
    connectWebhookSecret: `whsec_${random()}`,
    encryptionKey: randomBytes(32).toString('base64'),
    ...readJson<Secrets>(home.secrets),
  };
  writePrivately(home.secrets, secrets);
  return secrets;
}
