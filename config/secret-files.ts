import { readFileSync } from 'node:fs';

/** The settings that are secrets. Each can also be the name of a file that contains it, as `<NAME>_FILE`. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'ENCRYPTION_KEY',
  'INTERNAL_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_PLATFORM_WEBHOOK_SECRET',
  'STRIPE_CONNECT_WEBHOOK_SECRET',
  'XERO_CLIENT_SECRET',
  'SMTP_URL',
  'PICTURES_S3_SECRET_ACCESS_KEY',
  // It may contain a password.
  'WEBHOOK_PROXY_URL',
] as const;

/**
 * An environment with the secrets of its files. Space around a secret is not part of it. Throws an error of
 * one sentence for a file that cannot be read, and for a secret that is set in both ways.
 */
export function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = { ...env };
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    if (env[name]) throw new Error(`Invalid configuration: "${name}" and "${name}_FILE" are both set.`);
    try {
      read[name] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`Invalid configuration: the file of "${name}_FILE" cannot be read (${code}).`, {
        cause: error,
      });
    }
  }
  return read;
}
