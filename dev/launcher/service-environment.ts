import { randomUUID } from 'node:crypto';
import { loadConfig } from '../../config/config.js';
import { TEMPORAL_SETTINGS } from '../../config/temporal-connection.js';
import type { Addresses } from './addresses.js';
import { LaunchProblem } from './problem.js';
import type { Ports } from './ports.js';
import type { Secrets } from './secrets.js';
import { prepareServiceRole } from './service-role.js';
import type { LauncherSettings } from './settings.js';

const SIMULATOR_KEY = 'sk_test_holdfast';
/** The OAuth client that is registered at the accounting simulator. */
export const SIMULATOR_APP = { XERO_CLIENT_ID: 'holdfast', XERO_CLIENT_SECRET: 'holdfast-simulator' };

/** The key that the service and the processor simulator share. */
export const stripeKey = ({ stripeSecretKey }: LauncherSettings): Record<string, string> => ({
  STRIPE_SECRET_KEY: stripeSecretKey ?? SIMULATOR_KEY,
});

/**
 * The secrets from the environment. The others exist once the deploy step has registered the webhook
 * endpoints.
 */
const webhookSecrets = (): Record<string, string> => ({
  STRIPE_PLATFORM_WEBHOOK_SECRET: process.env.STRIPE_PLATFORM_WEBHOOK_SECRET || `whsec_${randomUUID()}`,
  STRIPE_CONNECT_WEBHOOK_SECRET: process.env.STRIPE_CONNECT_WEBHOOK_SECRET || `whsec_${randomUUID()}`,
});

/** Settings for a connection to another Temporal service, which must not apply to the launcher's own. */
function ownTemporal({ temporalAddress }: LauncherSettings): Record<string, string> {
  if (temporalAddress !== undefined) return {};
  const isConnection = (name: string): boolean =>
    name in TEMPORAL_SETTINGS || name.startsWith('TEMPORAL_GRPC_META_');
  return Object.fromEntries(
    Object.keys(process.env)
      .filter(isConnection)
      .map((name) => [name, '']),
  );
}

/**
 * The environment of the API and the worker: the launcher's, with the addresses and secrets of this stack. A
 * configured address of an outside service overrides the simulator's, so that a proxy can stand between the
 * two. Throws before anything is started if the service would refuse a setting.
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
    // No load balancer needs time to notice a stopping process.
    DRAIN_SECONDS: '0',
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    // The owner of the seeded workspace.
    OPERATOR_EMAILS: 'owner@example.com',
    ...(env as Record<string, string>),
    ...webhookSecrets(),
    ...ownTemporal(settings),
    ...stripeKey(settings),
    // With the real Xero, the client is in the environment.
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
    INTERNAL_HOST: '127.0.0.1',
    // All processes share this environment, and a port can be used only once.
    METRICS_PORT: '',
    METRICS_SDK_PORT: '',
    PORT: String(ports.named.PORT),
    INTERNAL_PORT: String(ports.named.INTERNAL_PORT),
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
 * The environments of the migrations and of the service once the database runs: each with its own role. If
 * the owner of a given database cannot create roles, both use the owner's role.
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
