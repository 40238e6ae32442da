import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SCHEDULES } from '../../contract/jobs.js';
import { aim, type Aim, type Bench } from './bench.js';
import { openBenchWorkspace, send, type BenchWorkspace } from './workspace.js';
import { drive } from './measure.js';
import { cpuMs } from './processes.js';
import { withScene, type Scene } from './scene.js';
import { canCountStatements, countStatements, NOT_COUNTED, statementsBetween } from './statements.js';
import { each, sum, temporalCostSince, type TemporalCost } from './temporal-cost.js';

const IN_FLIGHT = 4;
const WARM_UP = 20;
const BOOKINGS = 40;
const CREATES = 30;
const IDLE_SECONDS = 5;
const FLOOR_SECONDS = 4;
/** A run that takes longer than this has failed. */
const LONGEST_MS = 120_000;

/** The cost of one of several pieces. */
interface Spent {
  seconds: number;
  /** CPU in ms, by process. */
  cpu_ms: Record<string, number>;
  /** Absent if they cannot be counted. */
  statements?: { calls: number; of: { statement: string; calls: number; ms: number }[] };
}

interface LifeResults {
  /** The cost of a second of the idle service, which is not included in the others. */
  idle: Spent;
  create: Spent;
  /** From the create until the booking is paid and its mail, event and accounting writes are done. */
  paid: Spent;
  floor: Spent;
  /** For one paid booking, by workflow type and in total. */
  temporal: Record<string, TemporalCost>;
}

/**
 * Bookings from the create to the end of all their consequences: paid at the processor, reported by the
 * success page and the platform webhook, mail sent, invoice in the accounting system, event delivered. The
 * floor is an empty update-with-start.
 */
export const benchLife = ({ stack, report, figures }: Bench): Promise<Aim[]> =>
  withScene(stack, async (scene) => {
    const results = await report.step('bookings from create to paid', () => measureLife(scene));
    figures.life = results;
    print(results);
    return buildAims(results);
  });

async function measureLife(scene: Scene): Promise<LifeResults> {
  const { dev, temporal } = scene;
  const receiver = await startReceiver();
  try {
    const workspace = await openBenchWorkspace(dev, { accounting: true, receiver: receiver.url });
    await send('POST', `${dev.processorUrl}/_sim/faults`, undefined, { drop_webhooks: ['charge.succeeded'] });
    await send('POST', `${dev.accountingUrl}/_sim/faults`, undefined, { minute_limit: 1_000_000 });
    await live(scene, workspace, receiver, WARM_UP);

    const measure = await meter(scene);
    const idle = await measure(IDLE_SECONDS, () => sleep(IDLE_SECONDS * 1000));
    const create = await measure(CREATES, () => drive({ ...alone, atMost: CREATES }, () => workspace.book()));
    const from = new Date();
    const paid = await measure(BOOKINGS, () => live(scene, workspace, receiver, BOOKINGS));
    let done = 0;
    const floor = await measure(1, async () => {
      ({ done } = await scene.floor.drive({ inFlight: IN_FLIGHT, seconds: FLOOR_SECONDS }));
    });
    // Visibility is eventually consistent, and shared runs linger.
    await sleep(2_000);
    const costs = await temporalCostSince(temporal, from, ['floor', ...Object.keys(SCHEDULES)]);
    return {
      idle,
      create: less(create, idle),
      paid: less(paid, idle),
      floor: { seconds: floor.seconds / done, cpu_ms: each(floor.cpu_ms, (ms) => ms / done) },
      temporal: Object.fromEntries(
        Object.entries({ ...costs, total: Object.values(costs).reduce(sum) }).map(([type, cost]) => [
          type,
          each(cost, (count) => count / BOOKINGS),
        ]),
      ),
    };
  } finally {
    receiver.stop();
  }
}

const alone = { inFlight: 1, seconds: LONGEST_MS / 1000 };

/** Measures the work for several pieces: the cost of one of them. */
async function meter({ db, pids }: Scene) {
  const counted = await canCountStatements(db);
  return async (pieces: number, work: () => Promise<unknown>): Promise<Spent> => {
    const statements = counted && (await countStatements(db));
    const [began, cpu] = [performance.now(), cpuMs(pids)];
    await work();
    const after = cpuMs(pids);
    const seconds = (performance.now() - began) / 1000 / pieces;
    const cpu_ms = Object.fromEntries(
      Object.entries(after).map(([name, ms]) => [name, (ms - cpu[name]!) / pieces]),
    );
    if (!statements) return { seconds, cpu_ms };
    const of = statementsBetween(statements, await countStatements(db), pieces);
    return { seconds, cpu_ms, statements: { calls: of.reduce((all, { calls }) => all + calls, 0), of } };
  };
}

/** The cost, without that of the idle service in the same time. */
const less = ({ seconds, cpu_ms, statements }: Spent, idle: Spent): Spent => ({
  seconds,
  cpu_ms: each(cpu_ms, (ms, name) => ms - idle.cpu_ms[name]! * seconds),
  ...(statements && {
    statements: { ...statements, calls: statements.calls - idle.statements!.calls * seconds },
  }),
});

interface Receiver {
  url: string;
  /** Ids of the events that have arrived. */
  seen: Set<string>;
  stop(): void;
}

async function startReceiver(): Promise<Receiver> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      seen.add(request.headers['webhook-id'] as string);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, seen, stop: () => void server.close() };
}

/** Takes bookings through their life, until nothing is left to do. */
async function live(
  { db, dev }: Scene,
  workspace: BenchWorkspace,
  { seen }: Receiver,
  count: number,
): Promise<void> {
  const expected = seen.size + count;
  const began = performance.now();
  await drive({ ...alone, inFlight: IN_FLIGHT, atMost: count }, async () => {
    const { checkout_url } = await workspace.book();
    const session = /cs_\w+/.exec(checkout_url!)![0];
    const paid = await send('POST', `${dev.processorUrl}/_sim/checkout/${session}/pay`, undefined, {});
    const { redirect_url } = JSON.parse(paid);
    const page = await send('GET', redirect_url);
    if (!page.includes('confirmed')) throw new Error(`${redirect_url} does not say that it is confirmed.`);
  });
  // The mail for payers who have not paid soon is not due yet, and is not sent.
  const unfinished = `SELECT ${NOT_COUNTED} (SELECT count(*) FROM mails
    WHERE workspace_id = $1 AND status = 'pending' AND kind <> 'booking_held')
      + (SELECT count(*) FROM accounting_due WHERE workspace_id = $1) AS count`;
  for (;;) {
    const [{ count: left }] = await db.query(unfinished, [workspace.workspaceId]);
    if (left === 0 && seen.size >= expected) return;
    if (performance.now() - began > LONGEST_MS)
      throw new Error(`${left} mails or accounting updates and ${expected - seen.size} events are left.`);
    await sleep(50);
  }
}

/** The runs that belong to one booking. Mail and events share a run per workspace. */
const OWN_RUNS = ['booking', 'verifyPayment', 'invoiceAccounting'];

function buildAims({ temporal, paid: { statements } }: LifeResults): Aim[] {
  const own = OWN_RUNS.flatMap((type) => temporal[type] ?? []).reduce(sum);
  return [
    aim('workflow tasks of a paid booking and its invoice', own.workflow_tasks, { atMost: 4 }),
    aim('activity tasks of a paid booking and its invoice', own.activity_tasks, { atMost: 1 }),
    ...(statements
      ? [aim('statements of a paid booking and its invoice', statements.calls, { atMost: 63 })]
      : []),
  ];
}

function print({ temporal, ...spent }: LifeResults): void {
  console.log(
    `\nFrom create to paid, mail, event and accounting: ${BOOKINGS} bookings, ${IN_FLIGHT} in flight`,
  );
  const rows = {
    'a second while idle': spent.idle,
    'a create': spent.create,
    'a paid booking': spent.paid,
    'the floor': spent.floor,
  };
  for (const [name, { cpu_ms, statements }] of Object.entries(rows)) {
    const used = Object.entries(cpu_ms).filter(([, ms]) => ms >= 0.5);
    const all = used.reduce((ms, [, part]) => ms + part, 0);
    const parts = used.map(([part, ms]) => `${part} ${ms.toFixed(1)}`).join(', ');
    const calls = statements ? `, ${statements.calls.toFixed(1)} statements` : '';
    console.log(`  ${name.padEnd(20)} CPU ${all.toFixed(0)} ms (${parts})${calls}`);
  }
  console.log(
    `  ${spent.paid.seconds.toFixed(3)} s for each, of the floor ${spent.floor.seconds.toFixed(3)} s`,
  );
  console.log(
    `  ${'For one'.padEnd(22)}      runs    events  workflow tasks  activity tasks  billable actions`,
  );
  for (const [type, { runs, events, ...tasks }] of Object.entries(temporal)) {
    const cells = [
      ...[runs, events].map((n) => n.toFixed(2).padStart(10)),
      ...[tasks.workflow_tasks, tasks.activity_tasks, tasks.billable_actions].map((n) =>
        n.toFixed(2).padStart(16),
      ),
    ];
    console.log(`  ${type.padEnd(22)}${cells.join('')}`);
  }
}
