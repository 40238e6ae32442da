import { existsSync } from 'node:fs';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pino from 'pino';
import { createSmtpMailer } from '../activities/gateways/mail.js';
import { createStripeClient, createStripeProcessor } from '../activities/gateways/stripe.js';
import { createActivities } from '../activities/index.js';
import { loadConfig } from '../config.js';
import { openDatabase } from '../db/data-source.js';
import { BUNDLE_PATH } from './bundle.js';
import { ensureSchedules } from './schedules.js';
import { ensureSearchAttributes } from './search-attributes.js';

/** A failed statement's values are somebody's data. */
const NO_DATA = ['err.parameters', 'err.driverError'];

const config = loadConfig();
const log = pino({ level: config.logLevel, base: { process: 'worker' }, redact: NO_DATA });
if (!existsSync(BUNDLE_PATH))
  throw new Error(`There is no workflow bundle at ${BUNDLE_PATH}: run "npm run build".`);

Runtime.install({
  logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
    log[level === 'ERROR' ? 'error' : 'warn'](meta ?? {}, message);
  }),
});

const { address, namespace, apiKey, tls, taskQueue } = config.temporal;
const connection = await NativeConnection.connect({ address, apiKey, tls: tls || apiKey !== undefined });
const client = new Client({ connection, namespace });
const db = await openDatabase({
  url: config.databaseUrl,
  poolSize: 20,
  onPoolError: (error) => log.error({ err: error }, 'idle database connection failed'),
});

await ensureSearchAttributes(connection, namespace);
const worker = await Worker.create({
  connection,
  namespace,
  taskQueue,
  workflowBundle: { codePath: BUNDLE_PATH },
  activities: createActivities({
    db,
    client,
    taskQueue,
    processor: createStripeProcessor(createStripeClient(config.stripe), config.publicUrl),
    mailer: createSmtpMailer({ url: config.smtpUrl, from: config.mailFrom }),
    selfHealAfterSeconds: config.selfHealAfterSeconds,
  }),
  // Long enough for an outside call to end; what is cut off is tried again by another worker.
  shutdownGraceTime: '8 seconds',
  // A cached run saves its replay; each takes some tens of kilobytes.
  // Most runs sleep for weeks, so few are worth keeping in memory: one that wakes is replayed from its short history.
  maxCachedWorkflows: 100,
  workflowThreadPoolSize: 1,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxConcurrentActivityTaskExecutions: 40,
});
await ensureSchedules(client, taskQueue);

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.send?.({ ready: true });
log.info({ taskQueue, namespace }, 'worker ready');
await worker.run();
await db.destroy();
await connection.close();
process.exit(0);
