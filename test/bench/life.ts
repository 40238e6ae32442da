import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevJson } from '../../dev/launcher/stack.js';
import { SCHEDULES } from '../../contract/jobs.js';
import { bookOne, openHouse, type House } from './house.js';
import { drive } from './measure.js';
import { cpuMs } from './processes.js';
import type { Scene } from './scene.js';
import { canCountStatements, countStatements, NOT_COUNTED, statementsBetween } from './statements.js';
import { sum, temporalCostSince, type TemporalCost } from './temporal-cost.js';
import { startReceiver } from './webhooks.js';

const IN_FLIGHT = 4;
const BOOKINGS = 40;
const CREATES = 30;
const IDLE_MS = 5_000;
/** A processor that takes as long as a real one, asked by more clients than there are processors. */
export const SLOW_PROCESSOR = { latency_ms: 800, inFlight: 64, seconds: 8 };

export type PerPiece = Record<string, number>;

export interface LifeResults {
  bookings: number;
  in_flight: number;
  /** From the first create until the last booking is confirmed and its mail, event and accounting writes are done. */
  per_second: number;
  floor_per_second: number;
  ratio: number;
  /**
   * CPU in ms for one paid booking, by process, without that of an idle service in the same time. The floor's processes
   * do nothing meanwhile.
   */
  cpu_ms: PerPiece;
  /** CPU in ms a second of the idle service. */
  idle_cpu_ms: PerPiece;
  floor_cpu_ms: PerPiece;
  /** CPU in ms for one create, one at a time. */
  create_cpu_ms: PerPiece;
  /** For one paid booking, by workflow type and in total. */
  temporal: Record<string, TemporalCost>;
  /** For one paid booking and for one create, without those of an idle service; absent if they cannot be counted. */
  statements?: { paid: number; create: number; of_paid: object[]; of_create: object[] };
  creates_per_second_slow_processor: number;
}

/**
 * Bookings from create to the end of all their consequences: paid at the processor, reported by the success page and the
 * platform webhook, mail sent, invoice in the accounting system, event delivered.
 */
export async function measureLife(scene: Scene, dev: DevJson): Promise<LifeResults> {
  const receiver = await startReceiver();
  try {
    const house = await openHouse(dev, 8, { accounting: true, receiver: receiver.url });
    await fault(dev.processorUrl, { drop_webhooks: ['charge.succeeded'] });
    await fault(dev.accountingUrl, { minute_limit: 1_000_000 });
    await live(scene, dev, house, receiver, 20);

    const counted = await canCountStatements(scene.db);
    const creates = await measureCreates(scene, house, counted);
    const { statements } = creates;
    const before = counted ? await countStatements(scene.db) : undefined;
    const from = new Date();
    const cpuBefore = cpuMs(scene.pids);
    const seconds = await live(scene, dev, house, receiver, BOOKINGS);
    const cpuAfter = cpuMs(scene.pids);
    const after = before && (await countStatements(scene.db));

    const floorBefore = cpuMs(scene.pids);
    const floor = await scene.floor.drive({ inFlight: IN_FLIGHT, seconds: 4 });
    const floorAfter = cpuMs(scene.pids);
    // Visibility is eventually consistent, and shared runs linger.
    await sleep(2_000);
    const temporal = await temporalCostSince(scene.temporal, from, ['floor', ...Object.keys(SCHEDULES)]);
    const per_second = BOOKINGS / seconds;
    const of_paid = before && after && statementsBetween(before, after, BOOKINGS);
    const idle = statements ? (statements.idlePerSecond * seconds) / BOOKINGS : 0;
    await fault(dev.processorUrl, { latency_ms: SLOW_PROCESSOR.latency_ms });
    const slow = await drive(SLOW_PROCESSOR, () => bookOne(house));
    await fault(dev.processorUrl, {});
    return {
      bookings: BOOKINGS,
      in_flight: IN_FLIGHT,
      per_second,
      floor_per_second: floor.rate,
      ratio: per_second / floor.rate,
      cpu_ms: withoutIdle(perPiece(cpuBefore, cpuAfter, BOOKINGS), creates.idle_cpu_ms, seconds / BOOKINGS),
      idle_cpu_ms: creates.idle_cpu_ms,
      floor_cpu_ms: perPiece(floorBefore, floorAfter, floor.done),
      create_cpu_ms: creates.cpu_ms,
      temporal: forOne(temporal),
      ...(statements &&
        of_paid && {
          statements: {
            paid: total(of_paid) - idle,
            create: statements.create,
            of_paid,
            of_create: statements.of_create,
          },
        }),
      creates_per_second_slow_processor: slow.rate,
    };
  } finally {
    receiver.stop();
  }
}

/** Paid bookings a second, to the end of all their consequences, and the CPU of one in ms, by process. */
export async function measurePaid(
  scene: Scene,
  dev: DevJson,
): Promise<{ per_second: number; cpu_ms: PerPiece }> {
  const receiver = await startReceiver();
  try {
    const house = await openHouse(dev, 8, { accounting: true, receiver: receiver.url });
    await fault(dev.processorUrl, { drop_webhooks: ['charge.succeeded'] });
    await fault(dev.accountingUrl, { minute_limit: 1_000_000 });
    await live(scene, dev, house, receiver, BOOKINGS / 2);
    const before = cpuMs(scene.pids);
    const seconds = await live(scene, dev, house, receiver, BOOKINGS);
    return { per_second: BOOKINGS / seconds, cpu_ms: perPiece(before, cpuMs(scene.pids), BOOKINGS) };
  } finally {
    await fault(dev.processorUrl, {});
    receiver.stop();
  }
}

const total = (statements: { calls: number }[]): number =>
  statements.reduce((calls, each) => calls + each.calls, 0);

function perPiece(before: PerPiece, after: PerPiece, pieces: number): PerPiece {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, (ms - before[name]!) / pieces]));
}

/** The rest of what was used in some seconds. */
function withoutIdle(used: PerPiece, idlePerSecond: PerPiece, seconds: number): PerPiece {
  return Object.fromEntries(
    Object.entries(used).map(([name, ms]) => [name, ms - idlePerSecond[name]! * seconds]),
  );
}

function forOne(costs: Record<string, TemporalCost>): Record<string, TemporalCost> {
  const all = Object.values(costs).reduce(sum);
  return Object.fromEntries(
    Object.entries({ ...costs, total: all }).map(([type, cost]) => [
      type,
      Object.fromEntries(
        Object.entries(cost).map(([name, count]) => [name, count / BOOKINGS]),
      ) as unknown as TemporalCost,
    ]),
  );
}

/** CPU and statements of creates alone, one at a time; the statements without those of an idle service. */
async function measureCreates({ db, pids }: Scene, house: House, counted: boolean) {
  const count = async () => (counted ? countStatements(db) : new Map());
  const [start, cpuStart] = [await count(), cpuMs(pids)];
  await sleep(IDLE_MS);
  const idle = await count();
  const [began, cpuBefore] = [Date.now(), cpuMs(pids)];
  const idle_cpu_ms = perPiece(cpuStart, cpuBefore, IDLE_MS / 1000);
  for (let n = 0; n < CREATES; n++) await bookOne(house);
  const seconds = (Date.now() - began) / 1000;
  const cpu_ms = withoutIdle(perPiece(cpuBefore, cpuMs(pids), CREATES), idle_cpu_ms, seconds / CREATES);
  if (!counted) return { cpu_ms, idle_cpu_ms };
  const of_create = statementsBetween(idle, await count(), CREATES);
  const idlePerSecond = total(statementsBetween(start, idle, 1)) / (IDLE_MS / 1000);
  const create = total(of_create) - (idlePerSecond * seconds) / CREATES;
  return { cpu_ms, idle_cpu_ms, statements: { idlePerSecond, of_create, create } };
}

/** Takes bookings through their life. Returns the seconds until nothing of them is left to do. */
async function live(
  { db }: Scene,
  dev: DevJson,
  house: House,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
  count: number,
): Promise<number> {
  const { done } = await receiver.expect(count);
  const began = performance.now();
  await drive({ inFlight: IN_FLIGHT, seconds: 120, atMost: count }, async () => {
    const { checkout_url } = await bookOne(house);
    const session = /cs_\w+/.exec(checkout_url!)![0];
    const { redirect_url } = JSON.parse(
      await send('POST', `${dev.processorUrl}/_sim/checkout/${session}/pay`, '{}'),
    );
    const page = await send('GET', redirect_url);
    if (!page.includes('confirmed')) throw new Error(`${redirect_url} does not say that it is confirmed.`);
  });
  await done;
  // The mail for payers who have not paid soon is not due yet, and is not sent.
  const unfinished = `SELECT ${NOT_COUNTED} (SELECT count(*) FROM mails WHERE workspace_id = $1 AND status = 'pending' AND kind <> 'booking_held')
      + (SELECT count(*) FROM accounting_due WHERE workspace_id = $1) AS count`;
  for (;;) {
    const [{ count }] = await db.query(unfinished, [house.workspaceId]);
    if (count === 0) return (performance.now() - began) / 1000;
    if (performance.now() - began > 120_000)
      throw new Error(`${count} mails or accounting updates are left.`);
    await sleep(50);
  }
}

async function fault(simulatorUrl: string | null, faults: object): Promise<void> {
  await send('POST', `${simulatorUrl}/_sim/faults`, JSON.stringify(faults));
}

function send(method: string, url: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        response.statusCode! < 300
          ? resolve(text)
          : reject(new Error(`${method} ${url} returned ${response.statusCode} ${text}`)),
      );
    });
    sent.on('error', reject).end(body);
  });
}
