import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../dev/launcher/stack.js';
import { bookOne, openHouse, type House } from './house.js';
import { drive } from './measure.js';
import { aim, type Aim } from './print.js';
import { cpuMs, memoryMb } from './processes.js';

const ROOMS = 8;
const IN_FLIGHT = 4;
/** How often memory is measured while a number of bookings is made. */
const SAMPLES = 5;
/** What follows from the last bookings is done, and garbage of it collected, before memory is measured. */
const REST_MS = 3_000;
/** A load that takes longer than this is ended. */
const LONGEST_SECONDS = 1_800;

/** Resident memory in MB. `most`: since the start of the process. */
interface Memory {
  bookings: number;
  api: { now: number; most: number };
  worker: { now: number; most: number };
}

export interface MemoryResults {
  /** After bookings that were made and cancelled at once. */
  cancelled: Memory[];
  /** CPU of one of these, in ms. */
  cpu_ms: Record<string, number>;
  /** With bookings that are open, which follow those. */
  open: Memory[];
}

/** The memory of API and worker: bookings are made and cancelled, then half as many are made that stay open. */
export async function measureMemory(
  { dev }: Stack,
  open: number,
  say: (line: string) => void,
): Promise<MemoryResults> {
  const house = await openHouse(dev, ROOMS);
  const sample = (bookings: number): Memory => ({
    bookings,
    api: memoryMb(dev.pids.api[0]!),
    worker: memoryMb(dev.pids.worker[0]!),
  });
  const series = async (what: string, count: number, work: () => Promise<unknown>): Promise<Memory[]> => {
    const samples = [sample(0)];
    for (let n = 1; n <= SAMPLES; n++) {
      say(`${what}: ${Math.round((count * n) / SAMPLES)}`);
      await drive({ inFlight: IN_FLIGHT, seconds: LONGEST_SECONDS, atMost: count / SAMPLES }, work);
      await sleep(REST_MS);
      samples.push(sample(Math.round((count * n) / SAMPLES)));
    }
    return samples;
  };
  const pids = { api: dev.pids.api[0]!, worker: dev.pids.worker[0]! };
  const before = cpuMs(pids);
  const cancelled = await series('made and cancelled', open * 2, () => bookAndCancel(house));
  const cpu_ms = Object.fromEntries(
    Object.entries(cpuMs(pids)).map(([name, ms]) => [name, (ms - before[name]!) / (open * 2)]),
  );
  return { cancelled, cpu_ms, open: await series('open', open, () => bookOne(house)) };
}

async function bookAndCancel(house: House): Promise<void> {
  const { id } = await bookOne(house);
  await house.request('POST', `/v1/bookings/${id}/cancel`, {});
}

/** What one more booking adds, in kB, from the second fifth to the last: code is loaded and compiled with the first ones. */
export function perBooking(samples: Memory[], process: 'api' | 'worker'): number {
  const [from, to] = [samples[2]!, samples.at(-1)!];
  return ((to[process].now - from[process].now) * 1_024) / (to.bookings - from.bookings);
}

export function printMemory({ cancelled, cpu_ms, open }: MemoryResults): void {
  console.log('\nResident memory, MB            API  most     worker  most');
  for (const [what, samples] of Object.entries({ 'made and cancelled': cancelled, open }))
    for (const { bookings, api, worker } of samples) {
      const figures = [api.now, api.most, worker.now, worker.most].map((mb) => mb.toFixed(0).padStart(4));
      console.log(`  ${String(bookings).padStart(6)} ${what.padEnd(19)} ${figures.join('  ')}`);
    }
  const cpu = Object.entries(cpu_ms).map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
  console.log(`  CPU of one that was made and cancelled, ms: ${cpu.join(', ')}`);
}

export const aimsOfMemory = ({ cancelled, open }: MemoryResults): Aim[] => [
  aim('MB of the API after bookings made and cancelled', cancelled.at(-1)!.api.now, { atMost: 200 }),
  aim('kB of the API for each of them', perBooking(cancelled, 'api'), { atMost: 4 }),
  aim('MB of the worker with open bookings', open.at(-1)!.worker.now, { atMost: 260 }),
  aim('kB of the worker for each of them', perBooking(open, 'worker'), { atMost: 4 }),
];
