import { mkdirSync, writeFileSync } from 'node:fs';
import { sentenceFor } from '../../dev/launcher/problem.js';
import { createReport } from '../../dev/launcher/report.js';
import { readSettings, type PortName } from '../../dev/launcher/settings.js';
import { withStack, type Stack } from '../../dev/launcher/stack.js';
import { readOptions } from './options.js';
import { bookOne } from './house.js';
import { aimsOfLife, measureLife, printLife } from './life.js';
import { drive, median } from './measure.js';
import { measureBulk } from './members.js';
import { longestMeanwhile, measureMigrations, printMigrations } from './migrations.js';
import { aim, printAims, printBulk, printResults, printWebhooks, type Aim } from './print.js';
import { aimsOfPages, measurePages, printPages } from './pages.js';
import { residentMb } from './processes.js';
import { measureReconciliation } from './reconciliation.js';
import { aimsOfReads, measureReads, printReads } from './reads.js';
import { aimsOfRequests, measureRequests, printRequests } from './requests.js';
import { IN_FLIGHT, runRounds, type Line, type Results } from './rounds.js';
import { countWorkflows, historyOf, setScene, type Scene } from './scene.js';
import { measureJobs, measureScale } from './scale.js';
import { printJobs, printScale } from './scale-print.js';
import { storm, type Storm } from './storm.js';
import { measureSubscriptions } from './subscriptions.js';
import { measureWebhooks, type WebhookResults } from './webhooks.js';

/**
 * `npm run bench`: the cost of a booking, measured against that of Temporal alone on the same machine at the same time.
 * It starts its own stack with fresh data, because old workflows affect a server.
 */
const ENVIRONMENT = { HOLDFAST_HOME: '.holdfast-bench', RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'warn' };
const CREATES_FOR_ONE_SLOT = 200;
const MOST_RESIDENT_MB = { api: 250, worker: 350 };

for (const [name, value] of Object.entries(ENVIRONMENT)) process.env[name] = value;
const options = readOptions(process.argv.slice(2));
// All open bookings are old enough for self-heal.
if (options.only === 'scale') process.env.SELF_HEAL_AFTER_SECONDS = '1';
const report = createReport(process.stdout);

/** Concurrent creates for one slot must leave one booking and no trace of the others. */
function assertOneWinner({ won, lost, kept }: Storm): void {
  const { bookings, requests, claims } = kept;
  const ok =
    won === 1 && lost === CREATES_FOR_ONE_SLOT - 1 && bookings === 1 && requests === 1 && claims === 1;
  if (!ok)
    throw new Error(`A slot asked for ${CREATES_FOR_ONE_SLOT} times: ${JSON.stringify({ won, lost, kept })}`);
}

/** CPU of one operation with many in flight, over all processes but the load generator. */
function cpuOf(lines: Line[]): number {
  const { load: _, ...parts } = lines.at(-1)!.cpu_ms;
  return Object.values(parts).reduce((sum, ms) => sum + ms, 0);
}

function aimsOf(when: string, { ratios, bookings, floor }: Results): Aim[] {
  return [
    aim(`bookings to floor at ${IN_FLIGHT} in flight${when}`, ratios.throughput_16, { atLeast: 0.55 }),
    aim(`CPU to floor's at ${IN_FLIGHT} in flight${when}`, cpuOf(bookings) / cpuOf(floor), { atMost: 2 }),
    aim(`p50 to floor's, one at a time${when}`, ratios.p50_1, { atMost: 1.15 }),
    aim(`p50 to floor's at ${IN_FLIGHT} in flight${when}`, ratios.p50_16, { atMost: 2 }),
  ];
}

function webhookAims({ ratio, actions_per_event }: WebhookResults): Aim[] {
  return [
    aim('events/s to a bare loop of signed POSTs', ratio, { atLeast: 0.5 }),
    aim('Temporal actions an event, many concurrently', actions_per_event, { atMost: 0.1 }),
  ];
}

function memoryOf({ dev }: Stack, when: string): Aim[] {
  return (['api', 'worker'] as const).flatMap((kind) =>
    dev.pids[kind].map((pid) =>
      aim(`MB resident, ${kind}${when}`, residentMb(pid), { atMost: MOST_RESIDENT_MB[kind] }),
    ),
  );
}

/** Warms up the processes: their code is not optimised right after the start. */
async function warmUp(scene: Scene): Promise<void> {
  await drive({ inFlight: IN_FLIGHT, seconds: 20, atMost: 500 }, () => bookOne(scene.house));
  await runRounds(scene, 1, 1);
}

/** Creates bookings until `open` of them await payment, or the time is over. */
async function fill(scene: Scene, alreadyOpen: number): Promise<number> {
  const seconds = options.openSeconds;
  const load = { inFlight: IN_FLIGHT, seconds, atMost: Math.max(0, options.open - alreadyOpen) };
  return alreadyOpen + (await drive(load, () => bookOne(scene.house))).done;
}

async function bench(stack: Stack): Promise<void> {
  const aims: Aim[] = [];
  const figures: Record<string, unknown> = {};
  const { only } = options;
  figures.temporal = `${stack.dev.temporalAddress}, namespace ${stack.dev.temporalNamespace}`;
  console.log(`\nTemporal: ${figures.temporal}`);
  if (!only || only === 'bookings') aims.push(...(await benchBookings(stack, figures)));
  if (!only || only === 'life') aims.push(...(await benchLife(stack, figures)));
  if (only === 'webhooks') aims.push(...(await benchWebhooks(stack, figures)));
  if (!only || only === 'reads') aims.push(...(await benchReads(stack, figures)));
  if (!only || only === 'pages') aims.push(...(await benchPages(stack, figures)));
  if (!only || only === 'members') aims.push(...(await benchMembers(stack, figures)));
  if (!only || only === 'subscriptions') aims.push(...(await benchSubscriptions(stack, figures)));
  if (!only || only === 'requests') aims.push(...(await benchRequests(stack, figures)));
  if (only === 'reconciliation') aims.push(...(await benchReconciliation(stack, figures)));
  if (only === 'migrations') aims.push(...(await benchMigrations(stack, figures)));
  if (only === 'scale') await benchScale(stack, figures);
  if (only === 'jobs') await benchJobs(stack, figures);
  printAims(aims);
  mkdirSync('build', { recursive: true });
  const json = { at: new Date().toISOString(), options, ...figures, aims };
  writeFileSync('build/bench.json', `${JSON.stringify(json, null, 2)}\n`);
  console.log('\nAll figures: build/bench.json');
}

async function benchReads({ dev }: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const results = await report.step('availability and list', (say) =>
    measureReads(dev, options.rounds, options.seconds, say),
  );
  figures.reads = results;
  printReads(results);
  return aimsOfReads(results);
}

async function benchPages({ dev }: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const results = await report.step('pages of the dashboard', (say) =>
    measurePages(dev, options.seconds, say),
  );
  figures.pages = results;
  printPages(results);
  return aimsOfPages(results);
}

async function benchMembers({ dev }: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const results = await report.step('members in bulk', () => measureBulk(dev, options.rounds));
  figures.members = results;
  printBulk(results);
  return [aim('a bulk of 1,000 creates to 1,000 plain inserts', results.ratio, { atMost: 4 })];
}

async function benchSubscriptions({ dev }: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const results = await report.step('subscription invoices', () => measureSubscriptions(dev));
  figures.subscriptions = results;
  const { seconds_many, seconds_few, growth, worker_mb_before, worker_mb_after } = results;
  console.log(
    `\nSubscription invoices: 1,000 in ${seconds_few.toFixed(1)} s, 5,000 in ${seconds_many.toFixed(1)} s; ` +
      `the worker had ${worker_mb_before.toFixed(0)} MB before and ${worker_mb_after.toFixed(0)} MB after.`,
  );
  return [aim('5,000 subscription invoices to five times 1,000', growth, { atMost: 1.3 })];
}

async function benchRequests({ dev }: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const results = await report.step('authentication and limits', () =>
    measureRequests(dev, options.rounds, options.seconds),
  );
  figures.requests = results;
  printRequests(results);
  return aimsOfRequests(results);
}

async function benchReconciliation({ dev }: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const results = await report.step('a reconciliation', () => measureReconciliation(dev));
  figures.reconciliation = results;
  const { invoices, notes, seconds, calls, requests, differences } = results;
  console.log(
    `\nA reconciliation of ${invoices} invoices and ${notes} credit notes: ${seconds.toFixed(1)} s, ${calls} calls to the ` +
      `accounting system, ${requests} requests to the API, ${differences} differences.`,
  );
  return [
    aim('invoices and credit notes for each call', (invoices + notes) / calls, { atLeast: 90 }),
    aim('differences', differences, { atMost: 0 }),
  ];
}

async function benchMigrations({ dev }: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const results = await report.step('migrations', (say) => measureMigrations(dev.databaseUrl, say));
  figures.migrations = results;
  printMigrations(results);
  return [
    aim('ms that a statement took at most while a table was changed', longestMeanwhile(results), {
      atMost: 1_000,
    }),
  ];
}

async function benchScale(stack: Stack, figures: Record<string, unknown>): Promise<void> {
  const results = await report.step('many bookings', (say) => measureScale(stack, options, say));
  figures.scale = results;
  printScale(results);
}

async function benchJobs(stack: Stack, figures: Record<string, unknown>): Promise<void> {
  const jobs = await report.step('scheduled jobs', (say) => measureJobs(stack, options, say));
  figures.jobs = jobs;
  printJobs(jobs);
}

async function benchLife(stack: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const scene = await setScene(stack);
  try {
    const results = await report.step('bookings from create to paid', () => measureLife(scene, stack.dev));
    figures.life = results;
    printLife(results);
    return aimsOfLife(results);
  } finally {
    await scene.close();
  }
}

async function benchWebhooks(stack: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const scene = await setScene(stack);
  try {
    return await measureEvents(scene, stack, figures);
  } finally {
    await scene.close();
  }
}

async function measureEvents(scene: Scene, { dev }: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const webhooks = await report.step('events to a receiver', () =>
    measureWebhooks(scene, dev, options.rounds),
  );
  figures.webhooks = webhooks;
  printWebhooks(webhooks);
  return webhookAims(webhooks);
}

async function benchBookings(stack: Stack, figures: Record<string, unknown>): Promise<Aim[]> {
  const scene = await setScene(stack);
  try {
    await report.step('warm-up', () => warmUp(scene));
    const results = await report.step('bookings against the floor', () =>
      runRounds(scene, options.rounds, options.seconds),
    );
    const storms: Storm[] = [];
    await report.step(`${CREATES_FOR_ONE_SLOT} creates for one slot`, async () => {
      for (let n = 0; n < options.rounds; n++)
        storms.push(await storm(scene.house, scene.db, CREATES_FOR_ONE_SLOT));
    });
    storms.forEach(assertOneWinner);
    const losersPerSecond = median(storms.map((one) => one.losersPerSecond));
    const bookingsMade = await countBookings(scene);
    const workflows = await countWorkflows(scene, bookingsMade);
    if (workflows !== bookingsMade) throw new Error(`${bookingsMade} bookings, but ${workflows} workflows.`);
    const webhooks = await measureEvents(scene, stack, figures);
    const history = await historyOf(scene, (await bookOne(scene.house)).id);

    printResults('On a fresh server', results);
    console.log(
      `\n  ${CREATES_FOR_ONE_SLOT} creates for one slot, ${storms.length} times: one 201, all others 409.`,
    );
    console.log(
      `  ${losersPerSecond.toFixed(0)} losers/s. ${bookingsMade} bookings, ${workflows} workflows.`,
    );
    const tasks = history.filter((type) => type.startsWith('workflowTaskCompleted')).length;
    console.log(`  A booking that waits: ${history.length} events, ${tasks} workflow tasks.`);
    const aims = [
      ...aimsOf('', results),
      aim('losers/s to bookings/s', losersPerSecond / results.bookings.at(-1)!.per_second, { atLeast: 20 }),
      ...webhooks,
      ...memoryOf(stack, ''),
    ];
    let full: { open: number; results: Results } | undefined;
    if (options.open > 0) {
      const title = `${options.open} open bookings`;
      const open = await report.step(title, () => fill(scene, bookingsMade + 1));
      const when = `, ${open} open`;
      aims.push(...memoryOf(stack, when));
      const again = await report.step('bookings against the floor', () =>
        runRounds(scene, options.rounds, options.seconds),
      );
      full = { open, results: again };
      printResults(`With ${open} bookings open`, again);
      aims.push(...aimsOf(when, again));
    }
    Object.assign(figures, { ...results, storms, history, with_open: full });
    return aims;
  } finally {
    await scene.close();
  }
}

async function countBookings({ db, house }: Scene): Promise<number> {
  const [{ count }] = await db.query(`SELECT count(*) FROM bookings WHERE workspace_id = $1`, [
    house.workspaceId,
  ]);
  return count;
}

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
});
try {
  const settings = readSettings();
  const ports = Object.fromEntries(Object.keys(settings.ports).map((name) => [name, 0])) as Record<
    PortName,
    number
  >;
  // The targets are for one process of each.
  const own = { ...settings, ports, apiProcesses: 1, workerProcesses: 1 };
  await withStack(own, report, { fresh: true, countsStatements: true }, bench, interrupted);
} catch (error) {
  console.error(sentenceFor(error));
  process.exitCode = 1;
}
report.close();
process.exit();
