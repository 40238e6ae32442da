import type joi from 'joi';
import { SCHEMAS } from './settings.js';
import { withSecretFiles } from './secret-files.js';
import { readTemporalConnection, type TemporalConnection } from './temporal-connection.js';
import type { PictureSettings } from '../commands/rooms/pictures/open-store.js';
import type { Concurrency } from '../worker/slots.js';

/**
 * All settings of the service, read from the environment here only. docs/guides/settings.md describes them.
 */
export interface Config {
  databaseUrl: string;
  /** Only for migrations: the URL of the role that owns the tables, if the service runs with another role. */
  databaseOwnerUrl: string | null;
  /** The maximum number of database connections of a process. */
  databasePoolSize: number;
  temporal: TemporalConnection & { taskQueue: string };
  concurrency: Concurrency;
  /** The URL of the Temporal Web UI, for links in the dashboard. */
  temporalUiUrl: string | null;
  /** The email addresses, in lower case, of the people who operate the service. */
  operatorEmails: string[];
  host: string;
  port: number;
  /** How long the API keeps an idle connection open. */
  keepAliveSeconds: number;
  /** How long the API keeps accepting connections after SIGTERM, while its health check fails. */
  drainSeconds: number;
  metrics: {
    host: string;
    /** The port on which the process serves its metrics; null to disable. */
    port: number | null;
    /** The port on which a worker serves the metrics of Temporal's SDK. */
    sdkPort: number | null;
  };
  traces: {
    /** The collector's OTLP endpoint; null to disable traces. */
    endpoint: string | null;
    /** The share of traces that are kept, 0 to 1. */
    ratio: number;
  };
  /** The service's public URL, without a trailing slash. */
  publicUrl: string;
  /** The port on which the API serves internal actions, and the token that they require. */
  internal: {
    host: string;
    /** Null to disable. */
    port: number | null;
    token: string | null;
  };
  allowHttp: boolean;
  /** The number of proxies in front of the API that set `X-Forwarded-*`. */
  trustedProxies: number;
  stripe: {
    secretKey: string;
    /** The platform's new account, if it was changed on purpose. */
    platformChangedTo: string | null;
    /** A URL to use instead of Stripe's; in development, the simulator's. */
    apiUrl: string | null;
    platformWebhookSecret: string;
    connectWebhookSecret: string;
  };
  /** The app registered at Xero. */
  xero: {
    clientId: string;
    clientSecret: string;
    /** Xero's URLs, or in development the simulator's. */
    issuer: string;
    apiUrl: string;
    /** The URL of the accounting simulator's controls; null outside of development. */
    simulatorUrl: string | null;
  };
  smtpUrl: string;
  mailFrom: string;
  selfHealAfterSeconds: number;
  /**
   * The time since which the database may lack what happened at the processor, for example after a restore;
   * null if it lacks nothing.
   */
  recoverSince: Date | null;
  /**
   * One or more keys, separated by commas, each 32 bytes in base64. The first encrypts stored secrets, all of
   * them decrypt.
   */
  encryptionKey: string;
  /** Multiplies the size and refill rate of every rate limit. */
  rateLimitScale: number;
  /** Multiplies the maximum number of objects of a workspace. */
  quotaScale: number;
  /** Multiplies all delays of outgoing webhooks except the timeout of an attempt. */
  webhookRetryScale: number;
  /** A proxy (`CONNECT`) for all outgoing webhooks; null for none. */
  webhookProxyUrl: string | null;
  /** Allows webhooks to plain HTTP and private addresses, for development. */
  allowPrivateWebhooks: boolean;
  /** Where to report a vulnerability: a `mailto:` or `https:` URL. */
  securityContact: string | null;
  /** Where uploaded pictures are stored. */
  pictures: PictureSettings;
  logLevel: string;
}

export type DeployConfig = Pick<Config, 'temporal' | 'publicUrl' | 'stripe'>;
export type InternalConfig = Config['internal'];
type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databaseOwnerUrl'>;

/** Reads and validates the environment. Throws an error of one sentence that lists each invalid variable. */
export const loadConfig = (env: NodeJS.ProcessEnv = process.env): Config => readConfig(SCHEMAS.all(), env);

/** Like `loadConfig`, for an API process. */
export const loadApiConfig = (env = process.env): Omit<Config, 'smtpUrl' | 'mailFrom'> =>
  readConfig(SCHEMAS.api(), env);

/** Like `loadConfig`, for a worker. */
export const loadWorkerConfig = (env = process.env): Config => readConfig(SCHEMAS.worker(), env);

/** Like `loadConfig`, for the deploy step. */
export const loadDeployConfig = (env = process.env): DeployConfig => readConfig(SCHEMAS.deploy(), env);

/** Like `loadConfig`, for the migrations and other commands that only need the database. */
export function loadDatabaseConfig(env = process.env): DatabaseConfig {
  const value = validated(SCHEMAS.database(), withSecretFiles(env));
  return { databaseUrl: value.DATABASE_URL, databaseOwnerUrl: value.DATABASE_OWNER_URL };
}

/** Like `loadConfig`, for the command that encrypts stored values again. */
export function loadEncryptionConfig(env = process.env): Pick<Config, 'databaseUrl' | 'encryptionKey'> {
  const value = validated(SCHEMAS.encryption(), withSecretFiles(env));
  return { databaseUrl: value.DATABASE_URL, encryptionKey: value.ENCRYPTION_KEY };
}

/** Returns the port on which the API serves internal actions and their token; null without them. */
export const loadInternalConfig = (env = process.env): InternalConfig => {
  const value = validated(SCHEMAS.internal(), withSecretFiles(env));
  return { host: value.INTERNAL_HOST, port: value.INTERNAL_PORT, token: value.INTERNAL_TOKEN };
};

function validated(schema: joi.ObjectSchema, env: NodeJS.ProcessEnv) {
  const { error, value } = schema.validate(env, { convert: true, abortEarly: false });
  if (!error) return value;
  const problems = error.details.map(({ message }) => message);
  throw new Error(`Invalid configuration: ${problems.join('; ')}.`);
}

function readConfig(schema: joi.ObjectSchema, given: NodeJS.ProcessEnv): Config {
  const env = withSecretFiles(given);
  const value = validated(schema, env);
  return {
    databaseUrl: value.DATABASE_URL,
    databaseOwnerUrl: value.DATABASE_OWNER_URL,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    concurrency: {
      maxConcurrentWorkflowTaskExecutions: value.MAX_CONCURRENT_WORKFLOW_TASK_EXECUTIONS,
      maxConcurrentLocalActivityExecutions: value.MAX_CONCURRENT_LOCAL_ACTIVITY_EXECUTIONS,
      maxConcurrentActivityTaskExecutions: value.MAX_CONCURRENT_ACTIVITY_TASK_EXECUTIONS,
      maxConcurrentWebhookDeliveries: value.MAX_CONCURRENT_WEBHOOK_DELIVERIES,
      maxCachedWorkflows: value.MAX_CACHED_WORKFLOWS,
    },
    temporal: { ...temporalConnection(env), taskQueue: value.TEMPORAL_TASK_QUEUE },
    temporalUiUrl: value.TEMPORAL_UI_URL,
    operatorEmails: value.OPERATOR_EMAILS?.split(',') ?? [],
    host: value.HOST,
    port: value.PORT,
    keepAliveSeconds: value.KEEP_ALIVE_SECONDS,
    drainSeconds: value.DRAIN_SECONDS,
    metrics: { host: value.METRICS_HOST, port: value.METRICS_PORT, sdkPort: value.METRICS_SDK_PORT },
    traces: { endpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: value.OTEL_TRACES_SAMPLER_ARG },
    publicUrl: value.PUBLIC_URL.replace(/\/$/, ''),
    internal: { host: value.INTERNAL_HOST, port: value.INTERNAL_PORT, token: value.INTERNAL_TOKEN },
    allowHttp: value.ALLOW_HTTP,
    trustedProxies: value.TRUSTED_PROXIES,
    stripe: {
      secretKey: value.STRIPE_SECRET_KEY,
      platformChangedTo: value.STRIPE_PLATFORM_CHANGED_TO,
      apiUrl: value.STRIPE_API_URL,
      platformWebhookSecret: value.STRIPE_PLATFORM_WEBHOOK_SECRET,
      connectWebhookSecret: value.STRIPE_CONNECT_WEBHOOK_SECRET,
    },
    xero: {
      clientId: value.XERO_CLIENT_ID,
      clientSecret: value.XERO_CLIENT_SECRET,
      issuer: value.XERO_ISSUER.replace(/\/$/, ''),
      apiUrl: value.XERO_API_URL.replace(/\/$/, ''),
      simulatorUrl: value.ACCOUNTING_SIMULATOR_URL,
    },
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM,
    selfHealAfterSeconds: value.SELF_HEAL_AFTER_SECONDS,
    recoverSince: value.RECOVER_SINCE,
    encryptionKey: value.ENCRYPTION_KEY,
    rateLimitScale: value.RATE_LIMIT_SCALE,
    quotaScale: value.QUOTA_SCALE,
    webhookRetryScale: value.WEBHOOK_RETRY_SCALE,
    webhookProxyUrl: value.WEBHOOK_PROXY_URL,
    allowPrivateWebhooks: value.ALLOW_PRIVATE_WEBHOOKS,
    securityContact: value.SECURITY_CONTACT,
    pictures: {
      folder: value.PICTURES_FOLDER,
      s3: value.PICTURES_S3_BUCKET && {
        bucket: value.PICTURES_S3_BUCKET,
        region: value.PICTURES_S3_REGION,
        endpoint: value.PICTURES_S3_ENDPOINT,
        credentials: value.PICTURES_S3_ACCESS_KEY_ID && {
          accessKeyId: value.PICTURES_S3_ACCESS_KEY_ID,
          secretAccessKey: value.PICTURES_S3_SECRET_ACCESS_KEY,
        },
      },
    },
    logLevel: value.LOG_LEVEL,
  };
}

function temporalConnection(env: NodeJS.ProcessEnv): TemporalConnection {
  try {
    return readTemporalConnection(env);
  } catch (error) {
    const message = (error as Error).message.replace(/\.$/, '');
    throw new Error(`Invalid configuration: the connection to Temporal (TEMPORAL_*): ${message}.`, {
      cause: error,
    });
  }
}

/** For entry points: like the given function, but prints the error and exits with status 1. */
export function loadConfigOrExit<T>(load: () => T): T {
  try {
    return load();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
