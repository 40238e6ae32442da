import { createServer } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import { loadConfigOrExit } from '../config.js';
import { openDatabase } from '../db/data-source.js';
import { poolOf } from '../db/pool.js';
import { createAuthenticateAndLimit } from '../db/repositories/access/authenticate-and-limit.js';
import { createEncryption } from '../db/encryption.js';
import { createInviteLinks } from '../db/invite-links.js';
import { createManageLinks } from '../db/manage-links.js';
import { scaledBuckets, scaledMailQuotas } from '../domain/limits.js';
import { createApp } from './app.js';
import { resolveHost } from './webhook-endpoint/resolve-host.js';

/** The parameters of a failed statement are personal data. */
const REDACTED = ['err.parameters', 'err.driverError'];

const config = loadConfigOrExit();
const log = pino({ level: config.logLevel, base: { process: 'api' }, redact: REDACTED });
const { options, namespace, apiKey, taskQueue } = config.temporal;
const connection = Connection.lazy({ ...options, apiKey: apiKey ?? undefined });
const db = await openDatabase({
  url: config.databaseUrl,
  poolSize: 20,
  onPoolError: (error) => log.error({ err: error }, 'idle database connection failed'),
});
const encryption = createEncryption(config.encryptionKey);

const app = createApp({
  db,
  temporal: new Client({ connection, namespace }),
  taskQueue,
  log,
  publicUrl: config.publicUrl,
  internalToken: config.internalToken,
  webhookSecrets: {
    platform: config.stripe.platformWebhookSecret,
    connect: config.stripe.connectWebhookSecret,
  },
  liveMode: /^(sk|rk)_live_/.test(config.stripe.secretKey),
  allowHttp: config.allowHttp,
  trustedProxies: config.trustedProxies,
  encryption,
  hasAccounting: config.xero.clientId !== '',
  accountingSimulatorUrl: config.xero.simulatorUrl,
  allowPrivateWebhooks: config.allowPrivateWebhooks,
  webhookRetryScale: config.webhookRetryScale,
  resolveHost,
  inviteLinks: createInviteLinks(encryption, config.publicUrl),
  manageLinks: createManageLinks(encryption, config.publicUrl),
  authenticateAndLimit: createAuthenticateAndLimit(poolOf(db), config.rateLimitScale),
  buckets: scaledBuckets(config.rateLimitScale),
  mailQuotas: scaledMailQuotas(config.rateLimitScale),
  temporalUiUrl: config.temporalUiUrl,
});

// Longer than proxies and clients keep an idle connection: none is closed while a request is on its way.
const server = createServer({ keepAliveTimeout: 75_000 }, app.callback());
server.listen(config.port, config.host, () => {
  const { port } = server.address() as { port: number };
  process.send?.({ ready: true, port });
  log.info({ port }, 'api ready');
});

/** Completes the requests in progress, for as long as a create may take, then exits. */
async function stop(): Promise<void> {
  server.closeIdleConnections();
  const closed = new Promise((resolve) => server.close(resolve));
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 8_000))]);
  await db.destroy().catch(() => undefined);
  await connection.close().catch(() => undefined);
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const)
  process.once(signal as 'SIGTERM', () => void stop());
