import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import type Koa from 'koa';
import pino from 'pino';
import { createProviderFetch } from '../activities/gateways/provider-fetch.js';
import { loadApiConfig, loadConfigOrExit } from '../config/config.js';
import { openOrExit } from '../db/open-at-start.js';
import { getPool } from '../db/pool.js';
import { createPublications } from '../db/publications.js';
import { createAuthenticateAndLimit } from '../commands/api-keys/authenticate-and-limit.js';
import { createAuthenticatePublishable } from '../commands/api-keys/authenticate-publishable.js';
import { createEncryption } from '../db/encryption.js';
import {
  createFeedLinks,
  createInviteLinks,
  createPayLinks,
  createProofLinks,
  createReturnSecrets,
} from '../db/signed-links.js';
import { createManageLinks } from '../db/manage-links.js';
import { REDACTED_IN_LOGS } from '../db/log-redaction.js';
import { createHttpMetrics } from '../ops/metrics/http.js';
import { createRegistry } from '../ops/metrics/registry.js';
import { serveMetrics } from '../ops/metrics/server.js';
import { traceStatements } from '../ops/tracing/sql.js';
import { scaledQuotas } from '../domain/workspaces/quotas.js';
import { scaledBuckets, scaledMailQuotas } from '../domain/api-keys/limits.js';
import type { ApiDependencies } from './dependencies.js';
import { createApp, createInternalApp } from './app.js';
import { createDrain, FINISH_MS } from './drain.js';
import { createProofsOfWork } from './proofs-of-work.js';
import { resolveHost } from './resources/events/webhook-endpoint/resolve-host.js';
import { createPictureStore } from '../commands/rooms/pictures/open-store.js';
import { ResponseCache } from './http/response-cache.js';
import { PAGES, unknownPages } from '../web/routes.js';

const config = loadConfigOrExit(loadApiConfig);
const log = pino({ level: config.logLevel, base: { process: 'api' }, redact: REDACTED_IN_LOGS });
const { options, namespace, apiKey, taskQueue } = config.temporal;
const { metrics, traces } = config;
const tracing = traces.endpoint
  ? (await import('../ops/tracing/tracing.js')).startTracing({
      service: 'holdfast-api',
      endpoint: traces.endpoint,
      ratio: traces.ratio,
    })
  : null;
const connection = Connection.lazy({ ...options, apiKey: apiKey ?? undefined });
const db = await openOrExit({ url: config.databaseUrl, poolSize: config.databasePoolSize }, log);
if (tracing) traceStatements(getPool(db), tracing.tracer);
const registry = createRegistry(getPool(db));
const encryption = createEncryption(config.encryptionKey);

const publications = createPublications(config.databaseUrl, log);
const drain = createDrain();
const deps: ApiDependencies = {
  db,
  publications,
  temporal: new Client({
    connection,
    namespace,
    ...(tracing && { interceptors: { workflow: tracing.client } }),
  }),
  taskQueue,
  log,
  metrics: createHttpMetrics(registry),
  tracer: tracing?.tracer ?? null,
  isDraining: () => drain.begun,
  publicUrl: config.publicUrl,
  internalToken: config.internal.token,
  webhookSecrets: {
    platform: config.stripe.platformWebhookSecret,
    connect: config.stripe.connectWebhookSecret,
  },
  allowHttp: config.allowHttp,
  trustedProxies: config.trustedProxies,
  encryption,
  hasAccounting: config.xero.clientId !== '',
  accountingSimulatorUrl: config.xero.simulatorUrl,
  allowPrivateWebhooks: config.allowPrivateWebhooks,
  webhookRetryScale: config.webhookRetryScale,
  providerFetch: createProviderFetch({
    allowPrivate: config.allowPrivateWebhooks,
    proxyUrl: config.webhookProxyUrl,
  }),
  resolveHost,
  inviteLinks: createInviteLinks(encryption, config.publicUrl),
  manageLinks: createManageLinks(encryption, config.publicUrl),
  payLinks: createPayLinks(encryption, config.publicUrl),
  proofLinks: createProofLinks(encryption, config.publicUrl),
  returnSecrets: createReturnSecrets(encryption),
  feedLinks: createFeedLinks(encryption, config.publicUrl),
  proofs: createProofsOfWork(encryption),
  authenticateAndLimit: createAuthenticateAndLimit(getPool(db), config.rateLimitScale),
  authenticatePublishable: createAuthenticatePublishable(getPool(db), config.rateLimitScale),
  buckets: scaledBuckets(config.rateLimitScale),
  mailQuotas: scaledMailQuotas(config.rateLimitScale),
  quotas: scaledQuotas(config.quotaScale),
  pictures: createPictureStore(config.pictures),
  temporalUiUrl: config.temporalUiUrl,
  securityContact: config.securityContact,
  operatorEmails: config.operatorEmails,
  writtenAvailability: new ResponseCache(),
};

if (metrics.port !== null) await serveMetrics(registry, { host: metrics.host, port: metrics.port });

/** Longer than any client request takes. Internal actions send nothing until their job has ended. */
const IDLE_MS = 120_000;

/** Serves an app and completes its requests before the process ends. Returns the port. */
async function serve(
  app: Koa,
  at: { port: number; host: string },
  options: { idleMs?: number } = {},
): Promise<number> {
  const keepAliveTimeout = config.keepAliveSeconds * 1_000;
  const server = drain.createServer({ ...options, keepAliveTimeout }, app.callback());
  await once(server.listen(at.port, at.host), 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Drains the server, then exits. Every way of ending the process drains it first, once it accepts requests.
 */
async function stop(acceptMs: number): Promise<void> {
  const unfinished = await drain.stop({ acceptMs, finishMs: FINISH_MS });
  if (unfinished > 0) log.warn({ unfinished }, 'requests were cut off');
  publications.close();
  await db.destroy().catch(() => undefined);
  await connection.close().catch(() => undefined);
  await tracing?.stop();
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void stop(config.drainSeconds * 1_000));
process.once('disconnect', () => void stop(0));

const { internal } = config;
const internalPort =
  internal.port === null
    ? undefined
    : await serve(createInternalApp(deps), { port: internal.port, host: internal.host });
const port = await serve(createApp(deps, { PAGES, unknownPages }), config, { idleMs: IDLE_MS });
process.send?.({ ready: true, port, internalPort });
log.info({ port, internalPort }, 'api ready');
