import { loadConfig } from '../../config.js';
import type { Addresses } from './addresses.js';
import { LaunchProblem } from './problem.js';
import type { Ports } from './ports.js';
import type { Secrets } from './secrets.js';
import { prepareServiceRole } from './service-role.js';
import type { LauncherSettings } from './settings.js';

const SIMULATOR_KEY = 'sk_test_holdfast';
/** The OAuth client that is registered at the accounting simulator. */
export const SIMULATOR_APP = { XERO_CLIENT_ID: 'holdfast', XERO_CLIENT_SECRET: 'holdfast-simulator' };

/** Stripe settings that the service and the processor simulator share. */
export function stripeEnvironment(settings: LauncherSettings, secrets: Secrets): Record<string, string> {
  const { env } = process;
  return {
    STRIPE_SECRET_KEY: settings.stripeSecretKey ?? SIMULATOR_KEY,
    STRIPE_PLATFORM_WEBHOOK_SECRET: env.STRIPE_PLATFORM_WEBHOOK_SECRET || secrets.platformWebhookSecret,
    STRIPE_CONNECT_WEBHOOK_SECRET: env.STRIPE_CONNECT_WEBHOOK_SECRET || secrets.connectWebhookSecret,
  };
}

/**
 * The environment of the API and the worker: that of the launcher, with the addresses and secrets of this stack. An
 * address of an outside service that is set wins over the simulator's, for a proxy between the two. Throws before
 * anything is started if the service would refuse a setting.
 */
export function serviceEnvironment(
  settings: LauncherSettings,
  ports: Ports,
  addresses: Addresses,
  secrets: Secrets,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const { accountingUrl } = addresses;
  const environment = {
    ALLOW_HTTP: 'true',
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    ...(env as Record<string, string>),
    ...stripeEnvironment(settings, secrets),
    // With Xero itself, its client is in the environment.
    ...(accountingUrl && {
      ...SIMULATOR_APP,
      XERO_ISSUER: env.XERO_ISSUER || accountingUrl,
      XERO_API_URL: env.XERO_API_URL || accountingUrl,
      ACCOUNTING_SIMULATOR_URL: accountingUrl,
    }),
    DATABASE_URL: settings.databaseUrl ?? addresses.databaseUrl,
    DATABASE_OWNER_URL: '',
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: addresses.temporalNamespace,
    TEMPORAL_UI_URL: addresses.temporalUiUrl ?? '',
    INTERNAL_TOKEN: secrets.internalToken,
    ENCRYPTION_KEY: env.ENCRYPTION_KEY || secrets.encryptionKey,
    STRIPE_API_URL: env.STRIPE_API_URL || (addresses.processorUrl ?? ''),
    SMTP_URL: env.SMTP_URL || `smtp://127.0.0.1:${ports.named.SMTP_PORT}`,
    HOST: '127.0.0.1',
    PORT: String(ports.named.PORT),
    MAIL_FROM: env.MAIL_FROM || 'Holdfast <no-reply@holdfast.invalid>',
    PUBLIC_URL: env.PUBLIC_URL || addresses.baseUrl,
  };
  try {
    loadConfig(environment);
  } catch (error) {
    throw new LaunchProblem((error as Error).message);
  }
  return environment;
}

/**
 * The environments of the migrations and of the service once the database runs: each as its own role. A given database
 * whose owner cannot create roles is used with the owner's role.
 */
export async function withServiceRole(
  environment: Record<string, string>,
  settings: LauncherSettings,
  { databaseUrl: ownerUrl }: Addresses,
  { serviceRole }: Secrets,
): Promise<{ migration: Record<string, string>; service: Record<string, string> }> {
  const serviceUrl = settings.databaseOwnerUrl
    ? settings.databaseUrl!
    : await prepareServiceRole(ownerUrl, serviceRole);
  const service = { ...environment, DATABASE_URL: serviceUrl ?? ownerUrl };
  return { service, migration: { ...service, DATABASE_OWNER_URL: serviceUrl ? ownerUrl : '' } };
}
