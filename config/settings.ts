import joi from 'joi';
import { TEMPORAL_SETTINGS } from './temporal-connection.js';

/** An absolute URL, with one of the schemes if there are any. */
const url = (...schemes: string[]): joi.StringSchema =>
  joi.string().uri(schemes.length > 0 ? { scheme: schemes } : {});

/** A whole number of connections, tasks and the like. */
const size = (ordinary: number, least = 1): joi.NumberSchema =>
  joi.number().integer().min(least).empty('').default(ordinary);

/**
 * The variables of the environment that are settings: what is accepted as their values, their defaults and
 * what they mean, by section of docs/guides/settings.md, which is written from here.
 */
const SECTIONS: Record<string, Record<string, joi.Schema>> = {
  Database: {
    DATABASE_URL: url('postgres', 'postgresql').required().description('Postgres connection URL.'),
    DATABASE_OWNER_URL: url('postgres', 'postgresql')
      .empty('')
      .default(null)
      .description(
        'For `npm run migrate` only: the same database, as the [role that owns its ' +
          'tables](docs/guides/install.md#database-roles). Without it, migrations and service share one ' +
          'role, which can change the audit log.',
      ),
    DATABASE_POOL_SIZE: size(20).description(
      'The maximum number of connections of a process to the ' +
        '[database](docs/guides/install.md#postgres).',
    ),
  },
  Temporal: {
    ...TEMPORAL_SETTINGS,
    TEMPORAL_TASK_QUEUE: joi
      .string()
      .default('holdfast')
      .description(
        'Main task queue, the same for all processes. The names of the webhook queues are derived from ' +
          'it.',
      ),
    TEMPORAL_UI_URL: url()
      .empty('')
      .default(null)
      .description(
        'Address of the Temporal Web UI. The dashboard links to it, but only for the people in ' +
          '`OPERATOR_EMAILS`.',
      ),
    OPERATOR_EMAILS: joi
      .string()
      .lowercase()
      .pattern(/^[^@,\s]+@[^@,\s]+(,[^@,\s]+@[^@,\s]+)*$/, 'email addresses, separated by commas')
      .empty('')
      .default(null)
      .description(
        'Email addresses of the people who run the service, separated by commas. They get mail if the ' +
          'database is [behind](docs/guides/runbook.md#the-database-is-behind). Only they see links to ' +
          'the Temporal Web UI, because it shows the runs of all workspaces.',
      ),
  },
  // Temporal's own names of what a worker does at a time.
  Workers: {
    MAX_CONCURRENT_WORKFLOW_TASK_EXECUTIONS: size(100, 2).description(
      'Workflow tasks that a worker runs at a time, at least 2. A task that opens a checkout waits for ' +
        'the payment processor.',
    ),
    MAX_CONCURRENT_LOCAL_ACTIVITY_EXECUTIONS: size(100).description(
      'Local activities that a worker runs at a time. They are parts of workflow tasks.',
    ),
    MAX_CONCURRENT_ACTIVITY_TASK_EXECUTIONS: size(40).description(
      'Activities of the main task queue that a worker runs at a time.',
    ),
    MAX_CONCURRENT_WEBHOOK_DELIVERIES: size(200).description(
      'Activities of each webhook queue that a worker runs at a time. A slow receiver occupies one for ' +
        'seconds.',
    ),
    MAX_CACHED_WORKFLOWS: size(100, 0).description(
      'Runs that a worker keeps in memory, tens of kilobytes each. The others are replayed when they ' +
        'wake.',
    ),
  },
  HTTP: {
    HOST: joi.string().default('0.0.0.0').description('Address that the API listens on.'),
    PORT: joi.number().port().default(8080).description('Port that the API listens on.'),
    PUBLIC_URL: url('http', 'https')
      .required()
      .description('Address of the API as payers, members and integrators see it.'),
    KEEP_ALIVE_SECONDS: joi
      .number()
      .positive()
      .max(3_600)
      .default(75)
      .description(
        'How long the API keeps an idle connection open. It must be longer than the load balancer ' +
          'keeps one ([choose a value](docs/guides/upgrade.md#load-balancers)).',
      ),
    DRAIN_SECONDS: joi
      .number()
      .min(0)
      .max(600)
      .default(5)
      .description(
        'How long the API still accepts connections after SIGTERM, while `/health` is 503 ([choose a ' +
          'value](docs/guides/upgrade.md#load-balancers)).',
      ),
    TRUSTED_PROXIES: joi
      .number()
      .integer()
      .min(0)
      .default(0)
      .description(
        'Number of proxies in front of the API. That many entries of `X-Forwarded-For` and ' +
          '`X-Forwarded-Proto` are trusted, from the right.',
      ),
    ALLOW_HTTP: joi
      .boolean()
      .default(false)
      .description(
        'Accepts plain HTTP, for development. Otherwise a request is ' +
          '[refused](docs/rules/api.md#https) unless a trusted proxy received it over HTTPS.',
      ),
    SECURITY_CONTACT: url('mailto', 'https')
      .empty('')
      .default(null)
      .description(
        'Where to report a vulnerability: a `mailto:` or `https:` URL. It is served as ' +
          '`/.well-known/security.txt`, which is 404 without it.',
      ),
    INTERNAL_HOST: joi
      .string()
      .empty('')
      .default('127.0.0.1')
      .description('Address on which the API serves [internal actions](docs/guides/operator-commands.md).'),
    INTERNAL_PORT: joi
      .number()
      .port()
      .empty('')
      .default(null)
      .description(
        'Port on which the API serves internal actions. The public must not reach it. Without a port ' +
          'they are not served.',
      ),
    INTERNAL_TOKEN: joi
      .string()
      .min(16)
      .empty('')
      .default(null)
      .description('Bearer token of internal actions, at least 16 characters. Without it they are refused.'),
  },
  Stripe: {
    STRIPE_SECRET_KEY: joi
      .string()
      .default('')
      .description(
        'Secret key of the platform. Without it only free bookings work. `sk_live_…` and `rk_live_…` ' +
          'are keys of the live mode; events of the other mode are ignored. A worker records the account ' +
          'and the mode of the key the first time, and does not start with the key of another account or ' +
          'mode.',
      ),
    STRIPE_PLATFORM_CHANGED_TO: joi
      .string()
      .pattern(/^acct_\w+$/)
      .empty('')
      .default(null)
      .description(
        'Set it if you change the platform or its mode on purpose: the account that the data now ' +
          'belongs to.',
      ),
    STRIPE_API_URL: url()
      .empty('')
      .default(null)
      .description("Replaces Stripe's API address, for the simulator or a proxy."),
    STRIPE_PLATFORM_WEBHOOK_SECRET: joi
      .string()
      .required()
      .description('Signing secret of the `platform` [registration](docs/guides/stripe-and-xero.md#stripe).'),
    STRIPE_CONNECT_WEBHOOK_SECRET: joi
      .string()
      .required()
      .description('Signing secret of the `connect` registration.'),
  },
  Xero: {
    XERO_CLIENT_ID: joi
      .string()
      .empty('')
      .default('')
      .description(
        'Client ID of [the app at Xero](docs/guides/stripe-and-xero.md#xero). Without ID and secret, a ' +
          'request to connect an organisation gets 412 `accounting_unconfigured`.',
      ),
    XERO_CLIENT_SECRET: joi.string().empty('').default('').description('Client secret of the app.'),
    XERO_ISSUER: url()
      .empty('')
      .default('https://identity.xero.com')
      .description("Replaces the address of Xero's identity service, for the simulator."),
    XERO_API_URL: url()
      .empty('')
      .default('https://api.xero.com')
      .description("Replaces the address of Xero's API, for the simulator."),
    ACCOUNTING_SIMULATOR_URL: url()
      .empty('')
      .default(null)
      .description(
        'Address of the accounting simulator, where `create_workspace` can create an organisation. Not ' +
          'for production.',
      ),
  },
  Mail: {
    SMTP_URL: url('smtp', 'smtps')
      .required()
      .description(
        'Mail server, with user and password if it needs them: ' +
          '`smtps://user:password@smtp.example.com:465`.',
      ),
    MAIL_FROM: joi
      .string()
      .required()
      .description('Sender of every mail, such as `Holdfast <no-reply@example.com>`.'),
  },
  Recovery: {
    SELF_HEAL_AFTER_SECONDS: joi
      .number()
      .min(0)
      .default(1800)
      .description(
        'Age of a checkout in seconds from which [self-heal](docs/internals/recovery.md#self-heal) ' +
          'checks with the processor about it.',
      ),
    RECOVER_SINCE: joi
      .date()
      .iso()
      .max('now')
      .empty('')
      .default(null)
      .description(
        'Time (ISO 8601) from which the database may lack what happened at the processor. You rarely ' +
          'need it: a database that is [behind](docs/internals/recovery.md#a-database-that-is-behind), ' +
          'as after the restore of a backup, is noticed. Workers read it when they start; each value ' +
          'takes effect once.',
      ),
  },
  Encryption: {
    ENCRYPTION_KEY: joi
      .string()
      .pattern(
        /^[A-Za-z0-9+/]{43}=(,(leaked:)?[A-Za-z0-9+/]{43}=)*$/,
        '32 bytes in base64, or several such keys, of which all but the first can be marked as leaked',
      )
      .required()
      .description(
        '32 bytes in base64 (`openssl rand -base64 32`), or [several such keys](docs/guides/keys.md) ' +
          'separated by commas. The first one encrypts stored secrets and signs links. [Back it ' +
          'up](docs/guides/restore.md#back-up) apart from the database: without it, stored secrets ' +
          'cannot be read.',
      ),
  },
  Limits: {
    RATE_LIMIT_SCALE: joi
      .number()
      .positive()
      .default(1)
      .description('Multiplies the size and the refill rate of every rate limit.'),
    QUOTA_SCALE: joi
      .number()
      .positive()
      .default(1)
      .description(
        'Multiplies how many objects a workspace may have ([quotas](docs/rules/workspace.md#quotas)).',
      ),
  },
  'Outgoing webhooks': {
    WEBHOOK_RETRY_SCALE: joi
      .number()
      .positive()
      .default(1)
      .description(
        'Multiplies every delay of outgoing webhooks, except the timeout of an attempt. For tests.',
      ),
    WEBHOOK_PROXY_URL: url('http', 'https')
      .empty('')
      .default(null)
      .description(
        '[Proxy](docs/guides/install.md#a-proxy-for-webhooks) for all outgoing webhooks, such as ' +
          '`http://user:password@proxy:4750`. Only the worker needs it.',
      ),
    ALLOW_PRIVATE_WEBHOOKS: joi
      .boolean()
      .default(false)
      .description('Allows webhooks to plain HTTP and to private addresses, for development.'),
  },
  Pictures: {
    PICTURES_S3_BUCKET: joi
      .string()
      .empty('')
      .default(null)
      .description(
        'Bucket of an S3-compatible store for [uploaded pictures](docs/rules/rooms.md#pictures), used ' +
          'by the API and the worker. It needs no public access. Without a bucket and a folder, uploads ' +
          'are refused.',
      ),
    PICTURES_S3_REGION: joi.string().empty('').default('us-east-1').description('Region of the bucket.'),
    PICTURES_S3_ENDPOINT: url('http', 'https')
      .empty('')
      .default(null)
      .description('Address of the store, if it is not AWS.'),
    PICTURES_S3_ACCESS_KEY_ID: joi
      .string()
      .empty('')
      .default(null)
      .description('Key for the bucket. Without it, the identity of the machine is used.'),
    PICTURES_S3_SECRET_ACCESS_KEY: joi.string().empty('').default(null).description('Secret of that key.'),
    PICTURES_FOLDER: joi
      .string()
      .empty('')
      .default(null)
      .description(
        'Folder for uploaded pictures instead of a bucket, shared by all processes. For development; ' +
          'the launcher sets it.',
      ),
  },
  'Logs, metrics and traces': {
    LOG_LEVEL: joi
      .string()
      .default('info')
      .description('`trace`, `debug`, `info`, `warn`, `error` or `fatal`.'),
    METRICS_HOST: joi
      .string()
      .empty('')
      .default('127.0.0.1')
      .description('Address on which a process serves its [metrics](docs/guides/monitor.md#metrics).'),
    METRICS_PORT: joi
      .number()
      .port()
      .empty('')
      .default(null)
      .description(
        'Port for `GET /metrics` and `GET /health/live`, without authentication. The public must not ' +
          'reach it. Without a port there are no metrics.',
      ),
    METRICS_SDK_PORT: joi
      .number()
      .port()
      .empty('')
      .default(null)
      .description("Port on which a worker serves the metrics of Temporal's SDK."),
    OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https')
      .empty('')
      .default(null)
      .description('OTLP endpoint (HTTP) of a collector of [traces](docs/guides/monitor.md#traces).'),
    OTEL_TRACES_SAMPLER_ARG: joi
      .number()
      .min(0)
      .max(1)
      .empty('')
      .default(1)
      .description('Share of the traces that are kept, from 0 to 1.'),
  },
};
const SETTINGS: Record<string, joi.Schema> = Object.assign({}, ...Object.values(SECTIONS));

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
  encryption: () => only('DATABASE_URL', 'ENCRYPTION_KEY'),
};

/** The processes of an installation, as the documents call them. */
const PROCESSES = {
  API: SCHEMAS.api,
  worker: SCHEMAS.worker,
  'deploy step': SCHEMAS.deploy,
  migrations: SCHEMAS.database,
};

/** A variable of the environment. */
export interface Setting {
  name: string;
  /** The processes that do not start without it. */
  requiredBy: string[];
  /** As a string; null if there is none. */
  default: string | null;
  /** In Markdown. */
  description: string;
}

interface Variable {
  flags: { presence?: string; default?: unknown; description: string };
}
const describeVariables = (schema: joi.ObjectSchema): Record<string, Variable> => schema.describe().keys;

/** The settings by section, to document them. */
export const listSections = (): [section: string, settings: Setting[]][] => {
  const processes = Object.entries(PROCESSES).map(
    ([process, schema]) => [process, describeVariables(schema())] as const,
  );
  return Object.entries(SECTIONS).map(([section, settings]) => [
    section,
    Object.entries(describeVariables(joi.object(settings))).map(([name, { flags }]) => ({
      name,
      requiredBy: processes
        .filter(([, variables]) => variables[name]?.flags.presence === 'required')
        .map(([process]) => process),
      default: flags.default === undefined || flags.default === null ? null : String(flags.default),
      description: flags.description,
    })),
  ]);
};

export const listSettings = (): Setting[] => listSections().flatMap(([, settings]) => settings);
