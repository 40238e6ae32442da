/** Values for all required settings. */
export const REQUIRED_SETTINGS = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  PUBLIC_URL: 'http://127.0.0.1:8080',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Holdfast <no-reply@holdfast.invalid>',
  STRIPE_PLATFORM_WEBHOOK_SECRET: 'whsec_platform',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_connect',
};
