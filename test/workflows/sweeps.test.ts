import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import ava, { type ExecutionContext } from 'ava';
import '../support/quiet-runtime.js';
import { reservePorts } from '../../dev/launcher/ports.js';
import { Supervisor } from '../../dev/launcher/supervisor.js';
import { findTemporal, temporalProgram } from '../../dev/launcher/temporal.js';
import { ensureSearchAttributes } from '../../deploy/search-attributes.js';
import { BUNDLE_PATH } from '../../worker/bundle.js';
import type { NightlyReconciliationSummary } from '../../contract/reconciliation.js';
import type { SubscriptionInvoicesSummary } from '../../contract/subscriptions.js';

/*
 * The jobs for all workspaces, with activities that simulate a service with many workspaces, on a separate
 * server that suggests continuing as new after some hundred events.
 */
const EVENTS_UNTIL_CONTINUE_AS_NEW = 120;
const WORKSPACES = 60;
const MANY_WORKSPACES = 200;
const PAGE = 20;
/** Fewer than the ids of a page. */
const LONGEST_INPUT = 200;

const test = ava.serial;
const folder = mkdtempSync(join(tmpdir(), 'holdfast-sweeps-'));
const say = () => undefined;
const report = {
  step: async <T>(_: string, work: (say: () => void) => Promise<T>) => work(say),
  line: say,
  close: say,
};
const supervisor = new Supervisor({ logs: folder, report: report as never, onChange: say });
let address: string;
let client: Client;

ava.before(async () => {
  const free = (variable: 'TEMPORAL_PORT' | 'TEMPORAL_UI_PORT') => ({ variable, port: 0 });
  const [port, uiPort] = await reservePorts([free('TEMPORAL_PORT'), free('TEMPORAL_UI_PORT')]);
  const command = await findTemporal(say, (program) => supervisor.run(program));
  const database = join(folder, 'temporal.db');
  const settings = { 'limit.historyCount.suggestContinueAsNew': EVENTS_UNTIL_CONTINUE_AS_NEW };
  const program = temporalProgram({ command, database, port: port!, uiPort: uiPort!, settings });
  await supervisor.startBase(program);
  address = `127.0.0.1:${port}`;
  const connection = await Connection.connect({ address });
  client = new Client({ connection });
  await ensureSearchAttributes(connection, 'default');
});

ava.after.always(async () => {
  await client?.connection.close();
  await supervisor.stop();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Waits until one run of a chain has ended. Returns its input, and the next run of the chain if there is one.
 */
async function awaitEnd(workflowId: string, runId: string): Promise<{ input: object; next?: string | null }> {
  const run = client.workflow.getHandle(workflowId, runId, { followRuns: false });
  await run.result().catch(() => undefined);
  const { events } = await run.fetchHistory();
  const { input } = events![0]!.workflowExecutionStartedEventAttributes!;
  return {
    input: JSON.parse(Buffer.from(input!.payloads![0]!.data!).toString()),
    next: events!.at(-1)!.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId,
  };
}

/**
 * Runs a workflow with these activities until it ends. Returns its result and the inputs
 * of all runs of its chain.
 */
async function run<T>(
  workflowType: string,
  activities: Record<string, (input: never) => Promise<unknown>>,
  prefix = 'sweep',
): Promise<{ result: T; inputs: object[] }> {
  const taskQueue = `${prefix}-${workflowType}`;
  const connection = await NativeConnection.connect({ address });
  const codePath = BUNDLE_PATH;
  const worker = await Worker.create({ connection, taskQueue, workflowBundle: { codePath }, activities });
  try {
    return await worker.runUntil(async () => {
      const start = { taskQueue, workflowId: taskQueue, args: [{}] };
      const first = await client.workflow.start(workflowType, start);
      const inputs: object[] = [];
      let runId: string | null | undefined = first.firstExecutionRunId;
      while (runId) {
        const { input, next } = await awaitEnd(taskQueue, runId);
        inputs.push(input);
        runId = next;
      }
      return { result: (await client.workflow.getHandle(taskQueue).result()) as T, inputs };
    });
  } finally {
    await connection.close();
  }
}

const workspaces = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `ws_${String(n).padStart(6, '0')}`);

const nextPage = (ids: string[], after: string): string[] => ids.filter((id) => id > after).slice(0, PAGE);

function assertSmallChain(t: ExecutionContext, inputs: object[]): void {
  t.true(inputs.length > 1, 'it has continued as new');
  for (const input of inputs) t.true(JSON.stringify(input).length < LONGEST_INPUT, JSON.stringify(input));
}

test('the nightly reconciliation compares each of many workspaces once, over several runs', async (t) => {
  const ids = workspaces(WORKSPACES);
  const poison = ids[32]!;
  const compared: string[] = [];
  const { result, inputs } = await run<NightlyReconciliationSummary>('nightlyReconciliation', {
    listReconcilable: async ({ after }) => nextPage(ids, after),
    beginNightlyReconciliation: async (id) => {
      if (id === poison) throw new Error('broken');
      return `rec_${id}`;
    },
    readCharges: async () => null,
    readDisputePage: async () => ({ last: null, outdated: [] }),
    readRefundedCharges: async () => null,
    readPayments: async () => undefined,
    settleDifferences: async () => [],
    listInvoicesToReadBack: async () => [],
    findCreditNotesToReadBack: async () => null,
    findRepeatedSales: async () => ({ differences: [], next: null }),
    compileReport: async ({ id }) => (compared.push(id), 0),
  });
  t.deepEqual(
    compared.toSorted(),
    ids.filter((id) => id !== poison).map((id) => `rec_${id}`),
  );
  t.deepEqual(result, { workspaces: WORKSPACES, failed: 1, left: [poison] });
  assertSmallChain(t, inputs);
});

test('subscription invoices go through many workspaces, over several runs, and carry no list of invoices', async (t) => {
  const ids = workspaces(MANY_WORKSPACES);
  const opened: string[] = [];
  const { result, inputs } = await run<SubscriptionInvoicesSummary>('subscriptionInvoices', {
    countPayers: async () => 10 * MANY_WORKSPACES + 1,
    enqueueStatements: async ({ after }) => ({
      done: after ? 0 : 2,
      failed: [],
      last: after ? null : 'mem_last',
    }),
    listSubscriptionDays: async ({ after }) =>
      nextPage(ids, after).map((workspaceId) => ({ workspaceId, day: '2027-01-31' })),
    // As if each took more than half a minute.
    invoiceWorkspaces: async ({ days }: { days: { workspaceId: string }[] }) => {
      const finished = days.slice(0, 2).map(({ workspaceId }) => workspaceId);
      opened.push(...finished);
      const left = finished.includes(ids[5]!) ? ['mem_poison'] : [];
      const done = 10 * finished.length;
      return { drafted: done, opened: done, failed: left.length, left, finished: finished.length };
    },
  });
  t.deepEqual(opened.toSorted(), ids);
  t.deepEqual(result, {
    opened: 10 * MANY_WORKSPACES,
    skipped: 1,
    statements: 2,
    failed: 1,
    left: ['mem_poison'],
  });
  assertSmallChain(t, inputs);
});

const NOTHING_DONE = { trials_ended: 0, downgraded: 0, granted: 0, failed: 0 };

test('an account that cannot be read is left, and the job goes on', async (t) => {
  const pages = [
    { accounts: ['acct_1', 'acct_2'], last: false },
    { accounts: ['acct_3'], last: true },
  ];
  const { result } = await run(
    'readAccounts',
    {
      takeAccountsToRead: async () => pages.shift()!,
      readAccount: async (id: string) => {
        if (id === 'acct_1') throw ApplicationFailure.nonRetryable('read for too long');
        return { kind: 'read', events: 1 };
      },
    },
    'left',
  );
  t.deepEqual(result, { accounts: 2, events: 2, failed: 1, left: ['acct_1'] });
});

test('jobs outlast a database that is away for longer than a client waits', async (t) => {
  const attempts: Record<string, number> = {};
  const awayFirst =
    <T>(name: string, result: T) =>
    async (): Promise<T> => {
      attempts[name] = (attempts[name] ?? 0) + 1;
      if (attempts[name] < 8) throw new Error('the database system is starting up');
      return result;
    };
  const jobs = {
    nightlyReconciliation: { listReconcilable: awayFirst('listReconcilable', []) },
    retention: { listRetainedKinds: awayFirst('listRetainedKinds', []) },
    readAccounts: { takeAccountsToRead: awayFirst('takeAccountsToRead', { accounts: [], last: true }) },
    memberCycle: {
      runMemberCycles: awayFirst('runMemberCycles', { ...NOTHING_DONE, last: null }),
    },
    ssoCertificates: {
      announceCertificates: awayFirst('announceCertificates', { expiring: 0, failed: 0, last: null }),
    },
    accountingSync: { listWorkspacesToSync: awayFirst('listWorkspacesToSync', []) },
    subscriptionInvoices: {
      listSubscriptionDays: awayFirst('listSubscriptionDays', []),
      countPayers: async () => 0,
      enqueueStatements: async () => ({ done: 0, failed: [], last: null }),
    },
  };
  await Promise.all(Object.entries(jobs).map(([name, activities]) => run(name, activities, 'away')));
  t.deepEqual([...new Set(Object.values(attempts))], [8], JSON.stringify(attempts));
});
