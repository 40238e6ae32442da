import { randomBytes } from 'node:crypto';
import { readJson, writePrivately, type Home } from './home.js';

export interface WebhookSecrets {
  /** The address that is registered. */
  url: string;
  STRIPE_PLATFORM_WEBHOOK_SECRET: string;
  STRIPE_CONNECT_WEBHOOK_SECRET: string;
}

/** Passwords and keys that the parts of a stack share, and the API key of the seeded workspace. */
export interface Secrets {
  postgresPassword: string;
  /** The database role that the service runs as. Each home has its own, since homes can share a server. */
  serviceRole: { name: string; password: string };
  internalToken: string;
  encryptionKey: string;
  apiKey?: string;
  /** The secrets of the webhook endpoints registered at the processor for this address. */
  webhooks?: WebhookSecrets;
}

/** Reads the secrets of a home. Creates and stores those that are missing. */
export function readSecrets(home: Home): Secrets {
  const random = (): string => randomBytes(24).toString('hex');
  const secrets = {
    postgresPassword: random(),
    serviceRole: { name: `holdfast_service_${randomBytes(4).toString('hex')}`, password: random() },
    internalToken: random(),
    encryptionKey: randomBytes(32).toString('base64'),
    ...readJson<Secrets>(home.secrets),
  };
  writePrivately(home.secrets, secrets);
  return secrets;
}
