import joi from 'joi';

/** Every setting of the service, read from the environment in one place. Only entry points call `loadConfig`. */
export interface Config {
  databaseUrl: string;
  temporal: { address: string; namespace: string; apiKey?: string; tls: boolean; taskQueue: string };
  temporalUiUrl: string | null;
  host: string;
  port: number;
  /** The API's address as payers and integrators see it; no slash at the end. */
  publicUrl: string;
  internalToken: string | null;
  allowHttp: boolean;
  /** How many proxies stand in front and may be believed about the client's address and scheme. */
  trustedProxies: number;
  stripe: {
    secretKey: string;
    /** Another address than Stripe's own; the simulator's, in development. */
    apiUrl: string | null;
    platformWebhookSecret: string;
    connectWebhookSecret: string;
  };
  /** The app at Xero, and the accounts of an organisation's chart that are used. */
  xero: {
    clientId: string;
    clientSecret: string;
    /** Xero's own addresses, or the simulator's in development. */
    issuer: string;
    apiUrl: string;
    salesAccount: string;
    paymentAccount: string;
  };
  smtpUrl: string;
  mailFrom: string;
  selfHealAfterSeconds: number;
  /** 32 bytes in base64: what keeps stored secrets unreadable to who only has the database. */
  encryptionKey: string;
  /** Multiplies every bucket and rate of the rate limits. */
  rateLimitScale: number;
  /** Multiplies every clock of outgoing webhooks but the timeout of an attempt. */
  webhookRetryScale: number;
  /** Lets webhooks go to plain http and to private addresses: for development. */
  allowPrivateWebhooks: boolean;
  logLevel: string;
}

const environment = joi
  .object({
    DATABASE_URL: joi
      .string()
      .uri({ scheme: ['postgres', 'postgresql'] })
      .required(),
    TEMPORAL_ADDRESS: joi.string().default('127.0.0.1:7233'),
    TEMPORAL_NAMESPACE: joi.string().default('default'),
    TEMPORAL_API_KEY: joi.string().empty(''),
    TEMPORAL_TLS: joi.boolean().default(false),
    TEMPORAL_TASK_QUEUE: joi.string().default('holdfast'),
    TEMPORAL_UI_URL: joi.string().uri().empty('').default(null),
    HOST: joi.string().default('0.0.0.0'),
    PORT: joi.number().port().default(8080),
    PUBLIC_URL: joi
      .string()
      .uri({ scheme: ['http', 'https'] })
      .default('http://127.0.0.1:8080'),
    INTERNAL_TOKEN: joi.string().min(16).empty('').default(null),
    ALLOW_HTTP: joi.boolean().default(false),
    TRUSTED_PROXIES: joi.number().integer().min(0).default(0),
    STRIPE_SECRET_KEY: joi.string().default(''),
    STRIPE_API_URL: joi.string().uri().empty('').default(null),
    STRIPE_PLATFORM_WEBHOOK_SECRET: joi.string().default(''),
    STRIPE_CONNECT_WEBHOOK_SECRET: joi.string().default(''),
    XERO_CLIENT_ID: joi.string().empty('').default(''),
    XERO_CLIENT_SECRET: joi.string().empty('').default(''),
    XERO_ISSUER: joi.string().uri().empty('').default('https://identity.xero.com'),
    XERO_API_URL: joi.string().uri().empty('').default('https://api.xero.com'),
    XERO_SALES_ACCOUNT: joi.string().empty('').default('200'),
    XERO_PAYMENT_ACCOUNT: joi.string().empty('').default('090'),
    SMTP_URL: joi
      .string()
      .uri({ scheme: ['smtp', 'smtps'] })
      .default('smtp://127.0.0.1:25'),
    MAIL_FROM: joi.string().default('Holdfast <no-reply@holdfast.invalid>'),
    SELF_HEAL_AFTER_SECONDS: joi.number().min(0).default(1800),
    ENCRYPTION_KEY: joi
      .string()
      .pattern(/^[A-Za-z0-9+/]{43}=$/, '32 bytes in base64')
      .required(),
    RATE_LIMIT_SCALE: joi.number().positive().default(1),
    WEBHOOK_RETRY_SCALE: joi.number().positive().default(1),
    ALLOW_PRIVATE_WEBHOOKS: joi.boolean().default(false),
    LOG_LEVEL: joi.string().default('info'),
  })
  .unknown();

/** Reads and checks the environment. Throws one sentence that names the variable at fault. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { error, value } = environment.validate(env, { convert: true });
  if (error) throw new Error(`The environment is not usable: ${error.message}.`);
  return {
    databaseUrl: value.DATABASE_URL,
    temporal: {
      address: value.TEMPORAL_ADDRESS,
      namespace: value.TEMPORAL_NAMESPACE,
      apiKey: value.TEMPORAL_API_KEY,
      tls: value.TEMPORAL_TLS,
      taskQueue: value.TEMPORAL_TASK_QUEUE,
    },
    temporalUiUrl: value.TEMPORAL_UI_URL,
    host: value.HOST,
    port: value.PORT,
    publicUrl: value.PUBLIC_URL.replace(/\/$/, ''),
    internalToken: value.INTERNAL_TOKEN,
    allowHttp: value.ALLOW_HTTP,
    trustedProxies: value.TRUSTED_PROXIES,
    stripe: {
      secretKey: value.STRIPE_SECRET_KEY,
      apiUrl: value.STRIPE_API_URL,
      platformWebhookSecret: value.STRIPE_PLATFORM_WEBHOOK_SECRET,
      connectWebhookSecret: value.STRIPE_CONNECT_WEBHOOK_SECRET,
    },
    xero: {
      clientId: value.XERO_CLIENT_ID,
      clientSecret: value.XERO_CLIENT_SECRET,
      issuer: value.XERO_ISSUER.replace(/\/$/, ''),
      apiUrl: value.XERO_API_URL.replace(/\/$/, ''),
      salesAccount: value.XERO_SALES_ACCOUNT,
      paymentAccount: value.XERO_PAYMENT_ACCOUNT,
    },
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM,
    selfHealAfterSeconds: value.SELF_HEAL_AFTER_SECONDS,
    encryptionKey: value.ENCRYPTION_KEY,
    rateLimitScale: value.RATE_LIMIT_SCALE,
    webhookRetryScale: value.WEBHOOK_RETRY_SCALE,
    allowPrivateWebhooks: value.ALLOW_PRIVATE_WEBHOOKS,
    logLevel: value.LOG_LEVEL,
  };
}
