import joi from 'joi';
import { TEMPORAL_SETTINGS } from './temporal-connection.js';

/** An absolute URL, with one of the schemes if there are any. */
const url = (...schemes: string[]): joi.StringSchema =>
  joi.string().uri(schemes.length > 0 ? { scheme: schemes } : {});

/** A whole number of connections, tasks and the like. */
const size = (ordinary: number, least = 1): joi.NumberSchema =>
  joi.number().integer().min(least).empty('').default(ordinary);

/** The variables of the environment that are settings, and what is accepted as their values. */
const SETTINGS: Record<string, joi.Schema> = {
  DATABASE_URL: url('postgres', 'postgresql').required(),
  DATABASE_OWNER_URL: url('postgres', 'postgresql').empty('').default(null),
  DATABASE_POOL_SIZE: size(20),
  ...TEMPORAL_SETTINGS,
  TEMPORAL_TASK_QUEUE: joi.string().default('holdfast'),
  TEMPORAL_UI_URL: url().empty('').default(null),
  // Temporal's own names of what a worker does at a time.
  MAX_CONCURRENT_WORKFLOW_TASK_EXECUTIONS: size(100, 2),
  MAX_CONCURRENT_LOCAL_ACTIVITY_EXECUTIONS: size(100),
  MAX_CONCURRENT_ACTIVITY_TASK_EXECUTIONS: size(40),
  MAX_CONCURRENT_WEBHOOK_DELIVERIES: size(200),
  MAX_CACHED_WORKFLOWS: size(100, 0),
  OPERATOR_EMAILS: joi
    .string()
    .lowercase()
    .pattern(/^[^@,\s]+@[^@,\s]+(,[^@,\s]+@[^@,\s]+)*$/, 'mail addresses, separated by commas')
    .empty('')
    .default(null),
  HOST: joi.string().default('0.0.0.0'),
  PORT: joi.number().port().default(8080),
  KEEP_ALIVE_SECONDS: joi.number().positive().max(3_600).default(75),
  DRAIN_SECONDS: joi.number().min(0).max(600).default(5),
  METRICS_HOST: joi.string().empty('').default('127.0.0.1'),
  METRICS_PORT: joi.number().port().empty('').default(null),
  METRICS_SDK_PORT: joi.number().port().empty('').default(null),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').empty('').default(null),
  OTEL_TRACES_SAMPLER_ARG: joi.number().min(0).max(1).empty('').default(1),
  PUBLIC_URL: url('http', 'https').required(),
  INTERNAL_HOST: joi.string().empty('').default('127.0.0.1'),
  INTERNAL_PORT: joi.number().port().empty('').default(null),
  INTERNAL_TOKEN: joi.string().min(16).empty('').default(null),
  ALLOW_HTTP: joi.boolean().default(false),
  TRUSTED_PROXIES: joi.number().integer().min(0).default(0),
  STRIPE_SECRET_KEY: joi.string().default(''),
  STRIPE_PLATFORM_CHANGED_TO: joi
    .string()
    .pattern(/^acct_\w+$/)
    .empty('')
    .default(null),
  STRIPE_API_URL: url().empty('').default(null),
  STRIPE_PLATFORM_WEBHOOK_SECRET: joi.string().required(),
  STRIPE_CONNECT_WEBHOOK_SECRET: joi.string().required(),
  XERO_CLIENT_ID: joi.string().empty('').default(''),
  XERO_CLIENT_SECRET: joi.string().empty('').default(''),
  XERO_ISSUER: url().empty('').default('https://identity.xero.com'),
  XERO_API_URL: url().empty('').default('https://api.xero.com'),
  ACCOUNTING_SIMULATOR_URL: url().empty('').default(null),
  SMTP_URL: url('smtp', 'smtps').required(),
  MAIL_FROM: joi.string().required(),
  SELF_HEAL_AFTER_SECONDS: joi.number().min(0).default(1800),
  RECOVER_SINCE: joi.date().iso().max('now').empty('').default(null),
  ENCRYPTION_KEY: joi
    .string()
    .pattern(
      /^[A-Za-z0-9+/]{43}=(,(leaked:)?[A-Za-z0-9+/]{43}=)*$/,
      '32 bytes in base64, or several such keys, of which all but the first can be marked as leaked',
    )
    .required(),
  RATE_LIMIT_SCALE: joi.number().positive().default(1),
  QUOTA_SCALE: joi.number().positive().default(1),
  WEBHOOK_RETRY_SCALE: joi.number().positive().default(1),
  WEBHOOK_PROXY_URL: url('http', 'https').empty('').default(null),
  ALLOW_PRIVATE_WEBHOOKS: joi.boolean().default(false),
  SECURITY_CONTACT: url('mailto', 'https').empty('').default(null),
  PICTURES_FOLDER: joi.string().empty('').default(null),
  PICTURES_S3_BUCKET: joi.string().empty('').default(null),
  PICTURES_S3_REGION: joi.string().empty('').default('us-east-1'),
  PICTURES_S3_ENDPOINT: url('http', 'https').empty('').default(null),
  PICTURES_S3_ACCESS_KEY_ID: joi.string().empty('').default(null),
  PICTURES_S3_SECRET_ACCESS_KEY: joi.string().empty('').default(null),
  LOG_LEVEL: joi.string().default('info'),
};

/** The settings, of which some are not needed and may be missing. */
const without = (...names: string[]): joi.ObjectSchema =>
  joi
    .object({
      ...SETTINGS,
      ...Object.fromEntries(names.map((name) => [name, SETTINGS[name]!.optional().empty('')])),
    })
    .and('PICTURES_S3_ACCESS_KEY_ID', 'PICTURES_S3_SECRET_ACCESS_KEY', { isPresent: Boolean })
    .unknown();

/** Some of the settings. */
const only = (...names: string[]): joi.ObjectSchema =>
  joi.object(Object.fromEntries(names.map((name) => [name, SETTINGS[name]!]))).unknown();
const WEBHOOK_SECRETS = ['STRIPE_PLATFORM_WEBHOOK_SECRET', 'STRIPE_CONNECT_WEBHOOK_SECRET'];

/** The settings of each process: nobody has to give it the secrets of others. */
export const SCHEMAS = {
  all: () => without(),
  api: () => without('SMTP_URL', 'MAIL_FROM', 'STRIPE_SECRET_KEY'),
  worker: () => without(...WEBHOOK_SECRETS),
  // It creates the webhook registrations, so it runs before their secrets are known.
  deploy: () => without('DATABASE_URL', 'ENCRYPTION_KEY', 'SMTP_URL', 'MAIL_FROM', ...WEBHOOK_SECRETS),
  internal: () => only('INTERNAL_HOST', 'INTERNAL_PORT', 'INTERNAL_TOKEN'),
  database: () => only('DATABASE_URL', 'DATABASE_OWNER_URL'),
};

/** A variable of the environment. */
export interface Setting {
  name: string;
  required: boolean;
  /** As a string; null if there is none. */
  default: string | null;
}

interface Variable {
  flags?: { presence?: string; default?: unknown };
}

/** All settings, so that a test can compare them with their documentation. */
export function listSettings(): Setting[] {
  return Object.entries<Variable>(without().describe().keys).map(([name, { flags = {} }]) => ({
    name,
    required: flags.presence === 'required',
    default: flags.default === undefined || flags.default === null ? null : String(flags.default),
  }));
}
