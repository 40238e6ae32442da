import { aimsOfPrices, measurePrices, printPrices } from './prices.js';
import { type Stack } from '../../dev/launcher/stack.js';
import { bookOne } from './house.js';
import { measureLife } from './life.js';
import { aimsOfLife, printLife } from './life-print.js';
import { drive, median } from './measure.js';
import { aim, printResults, printWebhooks, type Aim } from './print.js';
import { residentMb } from './processes.js';
import { IN_FLIGHT, runRounds, type Line, type Results } from './rounds.js';
import { countWorkflows, historyOf, setScene, type Scene } from './scene.js';
import { storm, type Storm } from './storm.js';
import { measureWebhooks, type WebhookResults } from './webhooks.js';
import type { Bench } from './context.js';
import type { Options } from './options.js';

const CREATES_FOR_ONE_SLOT = 200;
const MOST_RESIDENT_MB = { api: 250, worker: 350 };

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
    aim(`bookings to floor at ${IN_FLIGHT} in flight${when}`, ratios.throughput_16, { atLeast: 0.65 }),
    aim(`CPU to floor's at ${IN_FLIGHT} in flight${when}`, cpuOf(bookings) / cpuOf(floor), { atMost: 1.7 }),
    aim(`p50 to floor's, one at a time${when}`, ratios.p50_1, { atMost: 1.9 }),
    aim(`p50 to floor's at ${IN_FLIGHT} in flight${when}`, ratios.p50_16, { atMost: 1.6 }),
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
async function fill(scene: Scene, options: Options, alreadyOpen: number): Promise<number> {
  const seconds = options.openSeconds;
  const load = { inFlight: IN_FLIGHT, seconds, atMost: Math.max(0, options.open - alreadyOpen) };
  return alreadyOpen + (await drive(load, () => bookOne(scene.house))).done;
}

export async function benchLife({ stack, report, figures }: Bench): Promise<Aim[]> {
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

export async function benchPrices({ stack, report, figures }: Bench): Promise<Aim[]> {
  const scene = await setScene(stack);
  try {
    const results = await report.step('creates with rates, and availability with prices', () =>
      measurePrices(scene, stack.dev),
    );
    figures.prices = results;
    printPrices(results);
    return aimsOfPrices(results);
  } finally {
    await scene.close();
  }
}

export async function benchWebhooks(bench: Bench): Promise<Aim[]> {
  const { stack } = bench;
  const scene = await setScene(stack);
  try {
    return await measureEvents(scene, bench);
  } finally {
    await scene.close();
  }
}

async function measureEvents(
  scene: Scene,
  { stack: { dev }, options, report, figures }: Bench,
): Promise<Aim[]> {
  const webhooks = await report.step('events to a receiver', () =>
    measureWebhooks(scene, dev, options.rounds),
  );
  figures.webhooks = webhooks;
  printWebhooks(webhooks);
  return webhookAims(webhooks);
}

export async function benchBookings(bench: Bench): Promise<Aim[]> {
  const { stack, options, report, figures } = bench;
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
    const webhooks = await measureEvents(scene, bench);
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
      // Not to bookings: that ratio falls with each booking that becomes faster.
      aim(
        'losers/s to inserts with the constraint',
        losersPerSecond / results.reservations.at(-1)!.per_second,
        {
          atLeast: 0.5,
        },
      ),
      ...webhooks,
      ...memoryOf(stack, ''),
    ];
    let full: { open: number; results: Results } | undefined;
    if (options.open > 0) {
      const title = `${options.open} open bookings`;
      const open = await report.step(title, () => fill(scene, options, bookingsMade + 1));
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
