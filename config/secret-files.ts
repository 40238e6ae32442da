import { readFileSync } from 'node:fs';

/** The settings that are secrets. For each one, `<NAME>_FILE` can be the name of a file that contains it. */
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
 * Returns the environment with the secrets from these files. Whitespace around a secret is removed. Throws an
 * error of one sentence if a file cannot be read, or if a secret is set in both ways.
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
