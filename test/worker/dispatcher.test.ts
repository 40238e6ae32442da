import { defineSignal } from '@temporalio/workflow';
import type { DataSource } from 'typeorm';
import test from 'ava';
import { Backoff } from '../../worker/backoff.js';
import { Dispatcher, type DispatcherDependencies } from '../../worker/dispatcher.js';
import type { Outbox } from '../../worker/outboxes.js';

/** An outbox whose rows are workflow ids. Starting the workflow of a row runs `place`. */
function scene(
  place: (workflowId: string) => Promise<void>,
  process?: (rows: string[]) => Promise<string[]>,
) {
  const queued = new Set<string>();
  const tried: string[] = [];
  let now = 0;
  const outbox: Outbox<string> = {
    name: 'mail',
    polls: 1,
    find: async () => [...queued],
    ...(process && { process: (_: unknown, rows: string[]) => process(rows) }),
    target: (_, workflowId) => ({
      type: 'test',
      start: { taskQueue: 'test', workflowId, args: [{}] },
      signal: defineSignal('test'),
    }),
    markNotified: async (_, row) => void queued.delete(row),
  };
  const client = {
    withDeadline: (_: number, work: () => Promise<unknown>) => work(),
    workflow: {
      signalWithStart: (_: string, { workflowId }: { workflowId: string }) => {
        tried.push(workflowId);
        return place(workflowId);
      },
    },
  } as unknown as DispatcherDependencies['client'];
  const db = {
    manager: {},
    transaction: (work: (tx: object) => unknown) => work({}),
  } as unknown as DataSource;
  const deps = { db, client, taskQueue: 'test' };
  const backoff = new Backoff(() => now);
  const dispatcher = new Dispatcher(deps, outbox as Outbox<unknown>, backoff);
  return { queued, tried, dispatcher, backoff, pass: (ms: number) => (now += ms) };
}

const someRows = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}`);

test('a workspace that cannot be placed is tried again after a growing pause, and the others continue', async (t) => {
  let refused = true;
  const { queued, tried, dispatcher, backoff, pass } = scene(async (id) => {
    if (id === 'busy' && refused) throw new Error('ResourceExhausted');
  });
  for (const row of ['busy', ...someRows('other', 30)]) queued.add(row);
  await dispatcher.dispatchDue();
  await dispatcher.settled();
  t.deepEqual([...queued], ['busy']);
  t.is(backoff.takeErrors().length, 1);

  const tries = () => tried.filter((id) => id === 'busy').length;
  const again = async (ms: number) => {
    pass(ms);
    await dispatcher.dispatchDue();
    await dispatcher.settled();
    return tries();
  };
  t.is(await again(999), 1, 'it is paused for a second');
  t.is(await again(1), 2);
  t.is(await again(1_999), 2, 'then for two');
  t.is(await again(1), 3);
  for (let i = 0; i < 10; i++) await again(10_000);
  refused = false;
  await again(10_000);
  t.deepEqual([...queued], []);
});

test('a call that does not return occupies one place, while the rows of others are dispatched', async (t) => {
  let release = (): void => undefined;
  const { queued, tried, dispatcher } = scene((id) =>
    id === 'slow' ? new Promise((resolve) => (release = resolve)) : Promise.resolve(),
  );
  for (const row of ['slow', ...someRows('first', 30)]) queued.add(row);
  await dispatcher.dispatchDue();
  for (const row of someRows('second', 30)) queued.add(row);
  await dispatcher.dispatchDue();
  t.deepEqual(
    [...queued].filter((row) => row !== 'slow' && !tried.includes(row)),
    [],
  );
  t.is(tried.filter((id) => id === 'slow').length, 1, 'it is not started twice');
  release();
  await dispatcher.settled();
  t.deepEqual([...queued], []);
});

test('rows that are processed in the database get no run, and share one run if that fails', async (t) => {
  let fails = false;
  const { queued, tried, dispatcher, backoff } = scene(
    () => Promise.resolve(),
    async (rows) => {
      if (fails) throw new Error('poison');
      return rows.filter((row) => row.startsWith('charge'));
    },
  );
  for (const row of ['reminder', 'charge']) queued.add(row);
  await dispatcher.dispatchDue();
  await dispatcher.settled();
  t.deepEqual(tried, ['charge']);
  fails = true;
  await dispatcher.dispatchDue();
  await dispatcher.settled();
  t.deepEqual(tried, ['charge', 'reminder']);
  t.regex(String(backoff.takeErrors()), /poison/);
});

test('rows that need no run don’t wait for a run that does not start, and rows without a place are left', async (t) => {
  const waiting: (() => void)[] = [];
  const { queued, tried, dispatcher } = scene(
    () => new Promise((resolve) => waiting.push(resolve)),
    async (rows) => {
      // Claimed rows are not found for a while.
      for (const row of rows) queued.delete(row);
      return rows.filter((row) => row.startsWith('charge'));
    },
  );
  for (const row of someRows('charge', 200)) queued.add(row);
  await dispatcher.dispatchDue();
  queued.add('reminder');
  await dispatcher.dispatchDue();
  t.deepEqual([...queued], []);
  t.is(tried.length, 8);
  const began = Date.now();
  const settled = dispatcher.settled();
  // Calls end after their deadline of 5 s.
  const ending = setInterval(
    () => Date.now() - began > 5_100 && waiting.splice(0).forEach((end) => end()),
    50,
  );
  await settled;
  clearInterval(ending);
  t.true(tried.length < 20, 'the others are found again when their claim has ended');
});
