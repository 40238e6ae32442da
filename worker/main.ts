import { existsSync } from 'node:fs';
import { Client } from '@temporalio/client';
import { GracefulShutdownPeriodExpiredError, NativeConnection, Worker } from '@temporalio/worker';
import pino from 'pino';
import { createAccountingAccess } from '../activities/accounting/access.js';
import { createSmtpMailer, parseMailbox } from '../activities/gateways/mail.js';
import { guardMoneyCalls } from '../activities/gateways/fence.js';
import { createStripeClient, createStripeProcessor } from '../activities/gateways/stripe.js';
import { OtherPlatform, ownKeyCheck, type RememberPlatform } from '../activities/gateways/stripe-platform.js';
import { createWebhookSender } from '../activities/gateways/webhook-sender.js';
import { createXeroAccounting } from '../activities/gateways/xero.js';
import { createXeroConsent } from '../activities/gateways/xero/oauth.js';
import { createActivities } from '../activities/index.js';
import { createMoneyGate } from '../activities/payments/money-gate.js';
import { loadConfigOrExit, loadWorkerConfig } from '../config/config.js';
import { openOrExit } from '../db/open-at-start.js';
import { createEncryption } from '../db/encryption.js';
import {
  createInviteLinks,
  createPayLinks,
  createProofLinks,
  createReturnSecrets,
} from '../db/signed-links.js';
import { createManageLinks } from '../db/manage-links.js';
import { getPool } from '../db/pool.js';
import { knowsSearchAttributes } from '../deploy/search-attributes.js';
import { createPictureStore } from '../commands/rooms/pictures/open-store.js';
import { recordPlatform, replacePlatform } from '../commands/processor/platform.js';
import { advanceKeySuffix, findKeySuffix } from '../commands/processor/idempotency-keys.js';
import { readBacklog } from '../db/queries/workspaces/backlog.js';
import { REDACTED_IN_LOGS } from '../db/log-redaction.js';
import { watchBacklog } from '../ops/metrics/backlog.js';
import { createRegistry } from '../ops/metrics/registry.js';
import { serveMetrics } from '../ops/metrics/server.js';
import { createStepMetrics } from '../ops/metrics/steps.js';
import { traceAccounting, tracedAttempts, tracedFetch } from '../ops/tracing/accounting.js';
import { traceProcessor } from '../ops/tracing/processor.js';
import { traceStatements } from '../ops/tracing/sql.js';
import { scaledQuotas } from '../domain/workspaces/quotas.js';
import { scaledMailQuotas } from '../domain/api-keys/limits.js';
import { ATTEMPT_TIMEOUT_MS } from '../domain/events/webhook-schedule.js';
import { followApiKey } from '../config/temporal-connection.js';
import { webhookTaskQueues } from '../contract/events.js';
import { BUNDLE_PATH, TRACED_BUNDLE_PATH } from './bundle.js';
import { Beats, startBeats } from './beat.js';
import { countSteps } from './interceptors.js';
import { startOutboxRelay } from './outbox-relay.js';
import { mainSlots, webhookSlots } from './slots.js';
import { tellOperators } from './operators.js';
import { reportZones } from './report-zones.js';
import { installRuntime } from './runtime.js';

const config = loadConfigOrExit(loadWorkerConfig);
const log = pino({ level: config.logLevel, base: { process: 'worker' }, redact: REDACTED_IN_LOGS });
const bundlePath = config.traces.endpoint ? TRACED_BUNDLE_PATH : BUNDLE_PATH;
if (!existsSync(bundlePath))
  throw new Error(`There is no workflow bundle at ${bundlePath}: run "npm run build".`);

const { metrics, traces } = config;
installRuntime(log, metrics.sdkPort === null ? null : `${metrics.host}:${metrics.sdkPort}`);
const tracing = traces.endpoint
  ? (await import('../ops/tracing/tracing.js')).startTracing({
      service: 'holdfast-worker',
      endpoint: traces.endpoint,
      ratio: traces.ratio,
    })
  : null;

const { options, namespace, apiKey, taskQueue } = config.temporal;
const connection = await NativeConnection.connect({
  ...options,
  apiKey: apiKey?.(),
  // Our requests are small: compressing them costs more than it saves.
  grpcCompression: { codec: 'none' },
});
const unfollow = followApiKey(
  config.temporal,
  (key) => connection.setApiKey(key),
  (error) => log.error({ err: error }, 'the new API key of Temporal cannot be set'),
);
// Without them no run could be started. If the visibility store does not respond now, the worker starts
// nevertheless.
const prepared = await knowsSearchAttributes(connection, namespace).catch((error) => {
  log.warn({ err: error }, 'the search attributes cannot be checked');
  return true;
});
if (!prepared) {
  log.fatal(`The namespace ${namespace} lacks our search attributes: run "npm run deploy:prepare" first.`);
  process.exit(1);
}
const client = new Client({
  connection,
  namespace,
  ...(tracing && { interceptors: { workflow: tracing.client } }),
});
const db = await openOrExit({ url: config.databaseUrl, poolSize: config.databasePoolSize }, log);

void reportZones(db, log);

const registry = createRegistry(getPool(db));
const refreshBacklog = watchBacklog(registry, () => readBacklog(db.manager));
const stripe = createStripeClient(config.stripe);
if (tracing) {
  traceStatements(getPool(db), tracing.tracer);
  traceProcessor(stripe, tracing.tracer);
}
const observeAccounting = tracing ? traceAccounting(tracing.tracer) : undefined;
const encryption = createEncryption(config.encryptionKey);
const consent = createXeroConsent({
  ...config.xero,
  redirectUri: `${config.publicUrl}/accounting/callback`,
  ...(observeAccounting && { fetch: tracedFetch(observeAccounting) }),
});
const access = createAccountingAccess({ db, encryption, consent });

const rememberPlatform: RememberPlatform = (current) =>
  current.account_id === config.stripe.platformChangedTo
    ? replacePlatform(db.manager, current)
    : recordPlatform(db.manager, current);
const assertOwnKey = ownKeyCheck(stripe, config.stripe.secretKey, rememberPlatform);
if (config.stripe.secretKey)
  await assertOwnKey().catch((error) => {
    if (error instanceof OtherPlatform) {
      log.fatal(error.message);
      process.exit(1);
    }
    log.warn({ err: error }, 'the platform at the processor cannot be checked');
  });

const processor = createStripeProcessor(
  stripe,
  config.publicUrl,
  {
    find: (key) => findKeySuffix(db.manager, key),
    advance: (key, spent) => advanceKeySuffix(db.manager, key, spent),
  },
  assertOwnKey,
);

const mail = {
  db,
  encryption,
  mailer: createSmtpMailer({ url: config.smtpUrl, from: config.mailFrom }),
  mailAddress: parseMailbox(config.mailFrom).address,
  mailQuotas: scaledMailQuotas(config.rateLimitScale),
  publicUrl: config.publicUrl,
  inviteLinks: createInviteLinks(encryption, config.publicUrl),
  manageLinks: createManageLinks(encryption, config.publicUrl),
  payLinks: createPayLinks(encryption, config.publicUrl),
  proofLinks: createProofLinks(encryption, config.publicUrl),
};
const accounting = createXeroAccounting({ apiUrl: config.xero.apiUrl, access, observe: observeAccounting });
const beats = new Beats();
const tell = tellOperators({ mailer: mail.mailer, operators: config.operatorEmails, log });
const beating = await startBeats({
  db,
  client,
  log,
  taskQueue,
  beats,
  since: config.recoverSince,
  tell,
});
const activities = createActivities({
  ...mail,
  beats,
  tellOperators: tell,
  client,
  taskQueue,
  returnSecrets: createReturnSecrets(encryption),
  processor: guardMoneyCalls(processor, createMoneyGate({ db, client, taskQueue })),
  accounting,
  consent,
  accountingAccess: access,
  selfHealAfterSeconds: config.selfHealAfterSeconds,
  sender: createWebhookSender({
    allowPrivate: config.allowPrivateWebhooks,
    proxyUrl: config.webhookProxyUrl,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
  }),
  webhookRetryScale: config.webhookRetryScale,
  quotas: scaledQuotas(config.quotaScale),
  pictures: createPictureStore(config.pictures),
});
const steps = createStepMetrics(registry);
const common = {
  connection,
  namespace,
  activities,
  interceptors: {
    activity: [...(tracing ? [tracing.activity] : []), countSteps(steps)],
  },
  ...(tracing && { sinks: tracing.sinks }),
  // Long enough for an outside call to end. Another worker retries what is interrupted.
  shutdownGraceTime: '8 seconds' as const,
  // An activity that ignores its cancellation must not prevent the process from ending.
  shutdownForceTime: '12 seconds' as const,
};
const worker = await Worker.create({
  ...common,
  taskQueue,
  workflowBundle: { codePath: bundlePath },
  ...mainSlots(config.concurrency),
});
// A slow webhook receiver occupies its activity slot, so deliveries have separate workers.
const webhookWorkers = await Promise.all(
  Object.values(webhookTaskQueues(taskQueue)).map((taskQueue) =>
    Worker.create({
      ...common,
      taskQueue,
      ...webhookSlots(config.concurrency),
      // An interrupted attempt is repeated.
      shutdownGraceTime: '2 seconds',
    }),
  ),
);
if (metrics.port !== null)
  await serveMetrics(registry, { host: metrics.host, port: metrics.port }, refreshBacklog);
const stopRelay = startOutboxRelay({
  db,
  client,
  taskQueue,
  log,
  mail,
  countMails: steps.mailed,
  accounting: { db, accounting, traced: tracing && tracedAttempts(tracing.tracer) },
  countFailure: steps.failed,
});
// All workers shut down at the same time.
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    beats.stop();
    void stopRelay();
  });

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.send?.({ ready: true });
log.info({ taskQueue, namespace }, 'worker ready');
await Promise.all([worker, ...webhookWorkers].map((each) => each.run())).catch((error) => {
  if (!(error instanceof GracefulShutdownPeriodExpiredError)) throw error;
  log.warn('activities ignored their cancellation and are cut off; another worker repeats them');
});
beats.stop();
await Promise.all([stopRelay(), beating.settled]);
unfollow();
await db.destroy();
await connection.close();
await tracing?.stop();
process.exit(0);
