import { setTimeout as sleep } from 'node:timers/promises';
import { aim, type Aim, type Bench } from './bench.js';
import { drive } from './measure.js';
import { memoryMb } from './processes.js';
import { withScene, type Scene } from './scene.js';

const IN_FLIGHT = 4;
/** How often memory is measured while a number of bookings is made. */
const SAMPLES = 5;
/** Before memory is measured, the work after the latest bookings is done, and its garbage collected. */
const REST_MS = 3_000;
/** A load that takes longer than this is ended. */
const LONGEST_SECONDS = 1_800;

/** Resident memory in MB. `most`: since the start of the process. */
interface Memory {
  done: number;
  api: { now: number; most: number };
  worker: { now: number; most: number };
}

interface MemoryResults {
  /** A Node process that only starts empty workflows, instead of the API, and a worker with nothing else. */
  floor: Memory[];
  /** After bookings that were made and immediately cancelled. */
  cancelled: Memory[];
  /** With open bookings, made after those. */
  open: Memory[];
}

/**
 * The memory of API and worker, and of a Node process and a worker without the service under the same load.
 */
export const benchMemory = ({ stack, options, report, figures }: Bench): Promise<Aim[]> =>
  withScene(stack, async (scene) => {
    const results = await report.step('memory', (say) => measureMemory(scene, options.open, say));
    figures.memory = results;
    print(results);
    return buildAims(results);
  });

async function measureMemory(
  scene: Scene,
  open: number,
  say: (line: string) => void,
): Promise<MemoryResults> {
  const { dev, workspace, floor } = scene;
  const series = async (
    what: string,
    pids: { api: number; worker: number },
    count: number,
    work: (load: { inFlight: number; seconds: number; atMost: number }) => Promise<unknown>,
  ): Promise<Memory[]> => {
    const sample = (done: number): Memory => ({
      done,
      api: memoryMb(pids.api),
      worker: memoryMb(pids.worker),
    });
    const samples = [sample(0)];
    for (let n = 1; n <= SAMPLES; n++) {
      say(`${what}: ${Math.round((count * n) / SAMPLES)}`);
      await work({ inFlight: IN_FLIGHT, seconds: LONGEST_SECONDS, atMost: Math.ceil(count / SAMPLES) });
      await sleep(REST_MS);
      samples.push(sample(Math.round((count * n) / SAMPLES)));
    }
    return samples;
  };
  const empty = { api: floor.pids['floor client'], worker: floor.pids['floor worker'] };
  const service = { api: dev.pids.api[0]!, worker: dev.pids.worker[0]! };
  return {
    floor: await series('floor', empty, open, (load) => floor.drive(load)),
    cancelled: await series('made and cancelled', service, open * 2, (load) =>
      drive(load, async () => {
        const { id } = await workspace.book();
        await workspace.request('POST', `/v1/bookings/${id}/cancel`, {});
      }),
    ),
    open: await series('open', service, open, (load) => drive(load, () => workspace.book())),
  };
}

/**
 * The memory that one more booking adds, in kB, from the second fifth to the last: code is loaded and
 * compiled with the first ones.
 */
function perBooking(samples: Memory[], process: 'api' | 'worker'): number {
  const [from, to] = [samples[2]!, samples.at(-1)!];
  return ((to[process].now - from[process].now) * 1_024) / (to.done - from.done);
}

function print(results: MemoryResults): void {
  console.log('\nResident memory, MB             API  most  worker  most');
  for (const [what, samples] of Object.entries(results))
    for (const { done, api, worker } of samples as Memory[]) {
      const cells = [api.now, api.most, worker.now, worker.most].map((mb) => mb.toFixed(0).padStart(4));
      console.log(`  ${String(done).padStart(6)} ${what.padEnd(19)}  ${cells.join('  ')}`);
    }
}

function buildAims({ floor, cancelled, open }: MemoryResults): Aim[] {
  const [empty, last] = [floor.at(-1)!, open.at(-1)!];
  return [
    aim("MB of the API to an empty Node's", last.api.now / empty.api.now, { atMost: 2 }),
    aim("MB of the worker to an empty worker's", last.worker.now / empty.worker.now, { atMost: 1.5 }),
    aim('kB of the API for each booking made and cancelled', perBooking(cancelled, 'api'), { atMost: 4 }),
    aim('kB of the worker for each open booking', perBooking(open, 'worker'), { atMost: 4 }),
  ];
}
