import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Stack } from '../../dev/launcher/stack.js';
import { WORKFLOWS } from '../../contract/names.js';
import type { Job } from '../../contract/jobs.js';
import { starts } from '../../contract/starts.js';
import { DAY_MS } from '../../domain/durations.js';
import { bookOne, openHouse, type House } from './house.js';
import { measureLife, measurePaid, type LifeResults } from './life.js';
import { drive } from './measure.js';
import { cpuMs, residentMb } from './processes.js';
import { reservations } from './reservations.js';
import { storeScale } from './scale-past.js';
import { setScene, type Scene } from './scene.js';
import { canCountStatements, countStatements, NOT_COUNTED, statementsBetween } from './statements.js';

const ROOMS = 8;
const IN_FLIGHT = 16;
const SECONDS = 10;
/** As often as memory is looked at. */
const SAMPLE_MS = 250;
const JOBS = [
  'selfHeal',
  'subscriptionInvoices',
  'memberCycle',
  'accountingSync',
  'retention',
  'nightlyReconciliation',
] as const satisfies Job[];
/** What follows the job of subscription invoices: the day on which all of them are reminded of. */
const REMINDERS = 'reminders';

/** Resident memory in MB. */
type Memory = Record<'api' | 'worker', number>;

export interface JobResult {
  job: Job | typeof REMINDERS;
  seconds: number;
  /** Until the events, mails and collections that follow from it are done too; what is below is until then. */
  seconds_to_end: number;
  summary: unknown;
  /** Statements, CPU in seconds by process, and the worker's memory: before, the most meanwhile, after. */
  statements: number;
  cpu_seconds: Record<string, number>;
  worker_mb: [number, number, number];
  /** Those that took Postgres longest, in all. */
  slowest: { statement: string; calls: number; ms: number }[];
}

/** CPU in ms of one, by process. */
export interface Throughput {
  workers: number;
  creates_per_second: number;
  create_cpu_ms: Record<string, number>;
  paid_per_second: number;
  paid_cpu_ms: Record<string, number>;
}

export interface ScaleResults {
  past: number;
  open: number;
  load_average: number;
  database_mb: number;
  temporal_mb: number;
  memory: { fresh: Memory; past: Memory; open: Memory };
  life: LifeResults;
  throughput: Throughput[];
  /** Creates a second, each for another hour, and the transaction under the room's lock alone. */
  rooms: { rooms: number; creates_per_second: number; reservations_per_second: number }[];
  jobs: JobResult[];
}

export interface ScaleOptions {
  past: number;
  open: number;
  openSeconds: number;
}

/** A tomorrow that no schedule reaches during the run. */
const DAY = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);

/** A service with many bookings, past and open, in many workspaces (docs/scale.md). */
export async function measureScale(
  stack: Stack,
  { past, open, openSeconds }: ScaleOptions,
  say: (line: string) => void,
): Promise<ScaleResults> {
  const scene = await setScene(stack);
  const { db } = scene;
  const soFar: Partial<ScaleResults> = { past };
  /** A run takes minutes: what it has measured is not lost if it fails. */
  const keep = (results: Partial<ScaleResults>): void => {
    mkdirSync('build', { recursive: true });
    writeFileSync('build/bench-scale.json', `${JSON.stringify(Object.assign(soFar, results), null, 2)}\n`);
  };
  try {
    await canCountStatements(db);
    const fresh = memoryOf(stack);
    say(`storing ${past} past bookings`);
    await storeScale(db, past, DAY, say);
    say('bookings from create to paid');
    const life = await measureLife(scene, stack.dev);
    const withPast = memoryOf(stack);
    keep({ life });
    const throughput = [await measureThroughput(scene, stack, 1, say)];
    keep({ throughput });
    await openBookings(scene, { open, openSeconds }, say);
    const [{ count }] = await db.query(`SELECT count(*)::int FROM bookings WHERE status = 'pending_payment'`);
    const withOpen = memoryOf(stack);
    keep({ open: count, memory: { fresh, past: withPast, open: withOpen } });
    const jobs: JobResult[] = [];
    for (const job of JOBS) {
      say(`the job ${job}`);
      jobs.push(await runJob(scene, stack, job));
      if (job === 'subscriptionInvoices') jobs.push(await remind(scene, stack));
      keep({ jobs });
    }
    // Afterwards, because self-heal would release what it reserves without a run.
    const rooms = await oneRoom(scene, stack, say);
    keep({ rooms });
    const pids = { ...scene.pids, 'worker 2': await stack.startWorker() };
    throughput.push(await measureThroughput({ ...scene, pids }, stack, 2, say));
    const [{ mb }] = await db.query(`SELECT pg_database_size(current_database()) / 1e6 AS mb`);
    return {
      past,
      open: count,
      load_average: loadavg()[1]!,
      database_mb: Number(mb),
      temporal_mb: statSync(stack.home.temporalDb).size / 1e6,
      memory: { fresh, past: withPast, open: withOpen },
      life,
      throughput,
      rooms,
      jobs,
    };
  } finally {
    await scene.close();
  }
}

/** The scheduled jobs alone, over all workspaces, with some bookings open. */
export async function measureJobs(
  stack: Stack,
  { past, open, openSeconds, job: only }: ScaleOptions & { job?: Job },
  say: (line: string) => void,
): Promise<JobResult[]> {
  const scene = await setScene(stack);
  try {
    await canCountStatements(scene.db);
    await storeScale(scene.db, past, DAY, say);
    if (open > 0) await openBookings(scene, { open, openSeconds }, say);
    const jobs: JobResult[] = [];
    for (const job of JOBS.filter((each) => !only || each === only)) {
      say(`the job ${job}`);
      jobs.push(await runJob(scene, stack, job));
      if (job === 'subscriptionInvoices') jobs.push(await remind(scene, stack));
    }
    return jobs;
  } finally {
    await scene.close();
  }
}

async function openBookings(
  { house }: Scene,
  { open, openSeconds }: Pick<ScaleOptions, 'open' | 'openSeconds'>,
  say: (line: string) => void,
): Promise<void> {
  say(`opening ${open} bookings`);
  await drive({ inFlight: IN_FLIGHT, seconds: openSeconds, atMost: open }, () =>
    // On a busy machine some take longer than the API waits.
    bookOne(house).catch(() => undefined),
  );
}

const memoryOf = ({ dev }: Stack): Memory => ({
  api: residentMb(dev.pids.api[0]!),
  worker: residentMb(dev.pids.worker[0]!),
});

const perOne = (before: Record<string, number>, after: Record<string, number>, count: number) =>
  Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, (ms - before[name]!) / count]));

async function measureThroughput(
  scene: Scene,
  { dev }: Stack,
  workers: number,
  say: (line: string) => void,
): Promise<Throughput> {
  say(`creates with ${workers} worker${workers > 1 ? 's' : ''}`);
  await drive({ inFlight: IN_FLIGHT, seconds: 3 }, () => bookOne(scene.house));
  const before = cpuMs(scene.pids);
  const { rate, done } = await drive({ inFlight: IN_FLIGHT, seconds: SECONDS }, () => bookOne(scene.house));
  const create_cpu_ms = perOne(before, cpuMs(scene.pids), done);
  const paid = await measurePaid(scene, dev);
  return {
    workers,
    creates_per_second: rate,
    create_cpu_ms,
    paid_per_second: paid.per_second,
    paid_cpu_ms: paid.cpu_ms,
  };
}

/** What the lock of a room lets through: everything for one room, against the same for several. */
async function oneRoom({ db }: Scene, { dev }: Stack, say: (line: string) => void) {
  const results: ScaleResults['rooms'] = [];
  for (const rooms of [1, ROOMS]) {
    say(`creates in ${rooms} room${rooms > 1 ? 's' : ''}`);
    const house: House = await openHouse(dev, rooms);
    const other: House = await openHouse(dev, rooms);
    const reserve = await reservations(db, other);
    await house.connect(IN_FLIGHT);
    const load = { inFlight: IN_FLIGHT, seconds: SECONDS };
    const created = await drive(load, () => bookOne(house));
    const reserved = await drive({ ...load, seconds: 3 }, reserve);
    results.push({ rooms, creates_per_second: created.rate, reservations_per_second: reserved.rate });
  }
  return results;
}

/** Runs a scheduled job over all workspaces. */
function runJob(scene: Scene, stack: Stack, job: Job): Promise<JobResult> {
  const input = job === 'subscriptionInvoices' ? { asOf: DAY } : {};
  const start = starts(process.env.TEMPORAL_TASK_QUEUE || 'holdfast').byHand(job, input);
  return measureJob(scene, stack, job, () => scene.temporal.workflow.execute(WORKFLOWS[job], start));
}

/** Has all unpaid invoices be due in three days, which is when their payers are reminded. */
async function remind(scene: Scene, stack: Stack): Promise<JobResult> {
  const { db, temporal } = scene;
  const countRuns = async () =>
    (await temporal.workflow.count(`WorkflowType = '${WORKFLOWS.collectInvoice}'`)).count;
  const before = await countRuns();
  // As Postgres does by itself in the two weeks that have passed.
  await db.query(`${NOT_COUNTED} ANALYZE`);
  const result = await measureJob(scene, stack, REMINDERS, async () => {
    const [, invoices] = await db.query(
      `${NOT_COUNTED} WITH due AS (
         UPDATE invoices SET due_at = now() + interval '3 days' WHERE status = 'open' RETURNING id
       )
       UPDATE collections SET started_at = started_at - interval '1 day', next_at = now(), notify_at = now()
       WHERE invoice_id IN (SELECT id FROM due)`,
    );
    return { invoices };
  });
  const [{ mails }] = await db.query(
    `SELECT count(*)::int AS mails FROM mails WHERE kind = 'invoice_reminder'`,
  );
  const summary = { ...(result.summary as object), mails, runs: (await countRuns()) - before };
  return { ...result, summary };
}

/** Measures some work until what follows from it is done. */
async function measureJob(
  { db, pids }: Scene,
  { dev }: Stack,
  job: JobResult['job'],
  work: () => Promise<unknown>,
): Promise<JobResult> {
  const worker = dev.pids.worker[0]!;
  await settled(db);
  const before = { cpu: cpuMs(pids), mb: residentMb(worker), statements: await countStatements(db) };
  let most = before.mb;
  const sampling = setInterval(() => (most = Math.max(most, residentMb(worker))), SAMPLE_MS);
  const began = performance.now();
  try {
    const summary = await work();
    const seconds = (performance.now() - began) / 1_000;
    await settled(db);
    const seconds_to_end = (performance.now() - began) / 1_000;
    const statements = statementsBetween(before.statements, await countStatements(db), 1);
    const cpu = perOne(before.cpu, cpuMs(pids), 1_000);
    return {
      job,
      seconds,
      seconds_to_end,
      summary,
      statements: statements.reduce((calls, each) => calls + each.calls, 0),
      cpu_seconds: cpu,
      worker_mb: [before.mb, most, residentMb(worker)],
      slowest: statements.slice(0, 40),
    };
  } finally {
    clearInterval(sampling);
  }
}

/** Waits until what follows from transactions is done, for ten minutes at most: events, mails, the first look at collections. */
async function settled(db: DataSource): Promise<void> {
  const until = Date.now() + 600_000;
  while (Date.now() < until) {
    const [{ count }] = await db.query(
      `SELECT ${NOT_COUNTED} (SELECT count(*) FROM events WHERE position IS NULL)
         + (SELECT count(*) FROM mails WHERE status = 'pending' AND next_attempt_at < now() + interval '5 minutes')
         + (SELECT count(*) FROM collections WHERE notify_at < now() + interval '10 minutes') AS count`,
    );
    if (Number(count) === 0) return;
    await sleep(SAMPLE_MS);
  }
}
