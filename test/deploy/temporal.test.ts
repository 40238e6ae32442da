import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Client, type Connection } from '@temporalio/client';
import test from 'ava';
import { ensureRetention } from '../../deploy/namespace-retention.js';
import { ensureSearchAttributes, knowsSearchAttributes } from '../../deploy/search-attributes.js';
import { SCHEDULES, type Job } from '../../contract/jobs.js';
import { WORKFLOWS } from '../../contract/names.js';
import { MINUTE_MS } from '../../domain/durations.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';
import { dev } from '../support/stack.js';
import { newNamespace, temporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { certificate, startTlsFrontend } from './tls-frontend.js';

/** Runs the deploy step against the stack's Temporal. */
function prepare(
  env: Record<string, string>,
  args = ['--no-webhook-endpoints'],
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const settings = {
    PUBLIC_URL: dev.baseUrl,
    TEMPORAL_ADDRESS: dev.temporalAddress,
    TEMPORAL_NAMESPACE: dev.temporalNamespace,
    ...env,
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['build/deploy/prepare.js', ...args],
      { env: settings },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test('the deploy step can be repeated, spreads the Schedules, and leaves a pause in place', async (t) => {
  const namespace = await newNamespace();
  const first = await prepare({ TEMPORAL_NAMESPACE: namespace });
  t.is(first.code, 0, first.stderr);
  t.regex(first.stdout, /Created the search attributes BookingStatus, /);
  t.regex(first.stdout, /^Closed runs are now kept for 7 days\.$/m);
  const connection = await temporal.connection;
  t.true(await knowsSearchAttributes(connection, namespace));
  const client = new Client({ connection: connection as Connection, namespace });
  const paused = client.schedule.getHandle(SCHEDULES.selfHeal);
  await paused.pause('by the test');
  const second = await prepare({ TEMPORAL_NAMESPACE: namespace });
  t.is(second.code, 0, second.stderr);
  t.regex(second.stdout, /The search attributes exist\./);
  t.regex(second.stdout, /^Closed runs are kept for 7 days\.$/m);
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  t.is(Number(config?.workflowExecutionRetentionTtl?.seconds), 168 * 3_600);
  t.true((await paused.describe()).state.paused);
  for (const id of Object.values(SCHEDULES)) {
    const { spec, policies } = await client.schedule.getHandle(id).describe();
    t.true(Number(spec.jitter) > 0, `${id} has jitter`);
    t.is(policies.overlap, 'SKIP');
  }
});

/** When each job starts, in minutes UTC: the interval, the offset within the day, and the maximum delay. */
const CADENCE: Record<Job, { every: number; offset: number; jitter: number }> = {
  selfHeal: { every: 60, offset: 0, jitter: 2 },
  readAccounts: { every: 5, offset: 0, jitter: 0.5 },
  subscriptionInvoices: { every: 15, offset: 0, jitter: 1 },
  nightlyReconciliation: { every: 24 * 60, offset: 2 * 60 + 30, jitter: 10 },
  retention: { every: 24 * 60, offset: 3 * 60 + 30, jitter: 10 },
  accountingSync: { every: 60, offset: 20, jitter: 5 },
  payouts: { every: 6 * 60, offset: 50, jitter: 10 },
  ssoCertificates: { every: 24 * 60, offset: 5 * 60 + 10, jitter: 10 },
  memberCycle: { every: 60, offset: 40, jitter: 5 },
};

test('each Schedule starts the job it names, at the interval shown to operators', async (t) => {
  const namespace = await newNamespace();
  t.is((await prepare({ TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: 'rooms' })).code, 0);
  const client = new Client({ connection: (await temporal.connection) as Connection, namespace });
  for (const job of Object.keys(SCHEDULES) as Job[]) {
    const schedule = client.schedule.getHandle(SCHEDULES[job]);
    const { every, offset, jitter } = CADENCE[job];
    const times = (await schedule.describe()).info.nextActionTimes.map((time) => time.getTime() / MINUTE_MS);
    t.true(times.length >= 5, job);
    const slots = times.map((time) => Math.floor((time - offset) / every));
    for (const [n, time] of times.entries()) {
      const late = time - offset - slots[n]! * every;
      t.true(late <= jitter, `${job} at ${new Date(time * MINUTE_MS).toISOString()}`);
      t.is(slots[n], slots[0]! + n, `${job} leaves none out`);
    }
    await schedule.trigger();
    const started = await until(async () => (await schedule.describe()).info.recentActions[0]);
    const { workflowId } = started.action.workflow;
    const run = await client.workflow.getHandle(workflowId).describe();
    t.is(run.type, WORKFLOWS[job], job);
    t.is(run.taskQueue, 'rooms', job);
    t.true(workflowId.startsWith(SCHEDULES[job]), workflowId);
  }
});

test('where search attributes may not be created, the commands that create them are printed', async (t) => {
  const known = new Set(['Workspace', 'Room']);
  const refused = (code: number) => Promise.reject(Object.assign(new Error('refused'), { code }));
  const services = {
    workflowService: {
      countWorkflowExecutions: ({ query }: { query: string }) => {
        const names = [...query.matchAll(/(\w+) IS NOT NULL/g)].map(([, name]) => name!);
        return names.every((name) => known.has(name)) ? Promise.resolve({}) : refused(3);
      },
    },
    operatorService: { addSearchAttributes: () => refused(7) },
  } as unknown as Parameters<typeof ensureSearchAttributes>[0];
  const { message } = await t.throwsAsync(() => ensureSearchAttributes(services, 'rooms.a1b2c'));
  t.deepEqual(message.match(/^tcld .*$/gm), [
    'tcld namespace search-attributes add --namespace rooms.a1b2c --search-attribute "BookingStatus=Keyword"',
    'tcld namespace search-attributes add --namespace rooms.a1b2c --search-attribute "SlotStart=Datetime"',
    'tcld namespace search-attributes add --namespace rooms.a1b2c --search-attribute "AttentionNeeded=Bool"',
  ]);
  known.add('BookingStatus').add('SlotStart').add('AttentionNeeded');
  t.deepEqual(await ensureSearchAttributes(services, 'rooms.a1b2c'), [], 'the operator service is not asked');
});

test('a retention of more than a week is kept, and where it may not be changed, the command that changes it is printed', async (t) => {
  const asked: object[] = [];
  const services = (days: number, code?: number) =>
    ({
      workflowService: {
        describeNamespace: async () => ({
          config: { workflowExecutionRetentionTtl: { seconds: days * 86_400 } },
        }),
        updateNamespace: async (request: object) => {
          if (code !== undefined) throw Object.assign(new Error('refused'), { code });
          asked.push(request);
        },
      },
    }) as unknown as Parameters<typeof ensureRetention>[0];
  t.is(await ensureRetention(services(30), 'rooms'), 'Closed runs are kept for 30 days.');
  t.deepEqual(asked, []);
  t.is(await ensureRetention(services(1), 'rooms'), 'Closed runs are now kept for 7 days.');
  t.deepEqual(asked, [
    { namespace: 'rooms', config: { workflowExecutionRetentionTtl: { seconds: 604_800 } } },
  ]);
  t.regex(
    await ensureRetention(services(1, 7), 'rooms.a1b2c'),
    /may not change that: tcld namespace retention set --namespace rooms\.a1b2c --retention-days 7$/,
  );
  await t.throwsAsync(() => ensureRetention(services(1, 14), 'rooms'), { message: 'refused' });
});

/** Runs a worker until it exits. */
const runWorker = (env: Record<string, string>): Promise<{ code: unknown; stdout: string }> =>
  new Promise((resolve) => {
    const settings = { ...REQUIRED_SETTINGS, TEMPORAL_ADDRESS: dev.temporalAddress, ...env };
    execFile(process.execPath, ['build/worker/main.js'], { env: settings }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    );
  });

test('a worker stops immediately in a namespace that was not prepared, also behind mTLS', async (t) => {
  const namespace = await newNamespace();
  const frontend = await startTlsFrontend(dev.temporalAddress);
  try {
    const mtls = {
      TEMPORAL_ADDRESS: frontend.address,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificate('ca.pem'),
      TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
      TEMPORAL_TLS_CLIENT_CERT_DATA: readFileSync(certificate('client.pem'), 'utf8'),
      TEMPORAL_TLS_CLIENT_KEY_DATA: readFileSync(certificate('client.key'), 'utf8'),
    };
    for (const connection of [{}, mtls]) {
      const { code, stdout } = await runWorker({ ...connection, TEMPORAL_NAMESPACE: namespace });
      t.is(code, 1);
      t.regex(stdout, /lacks our search attributes: run \\"npm run deploy:prepare\\" first/);
    }
    t.true(frontend.accepted() > 0);
  } finally {
    await frontend.close();
  }
});

test('mTLS with a private authority and another server name works; without the client certificate it is refused', async (t) => {
  const frontend = await startTlsFrontend(dev.temporalAddress);
  try {
    const tls = {
      TEMPORAL_ADDRESS: frontend.address,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificate('ca.pem'),
      TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
    };
    const client = {
      TEMPORAL_TLS_CLIENT_CERT_PATH: certificate('client.pem'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: certificate('client.key'),
    };
    const accepted = await prepare({ ...tls, ...client });
    t.is(accepted.code, 0, accepted.stderr);
    t.true(frontend.accepted() > 0);
    const without = await prepare(tls);
    t.is(without.code, 1);
    const half = await prepare({ ...tls, TEMPORAL_TLS_CLIENT_CERT_PATH: certificate('client.pem') });
    t.is(half.code, 1);
    t.regex(half.stderr, /^Invalid configuration: .*certificate and its key are needed together\.\n$/);
  } finally {
    await frontend.close();
  }
});
