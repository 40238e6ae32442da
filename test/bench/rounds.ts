import { bookOne } from './house.js';
import { drive, figures, median, type Figures, type Load, type Run } from './measure.js';
import { cpuMs } from './processes.js';
import type { Scene } from './scene.js';

export const IN_FLIGHT = 16;
/** Longer than what Temporal does after a booking: one that comes alone waits for nothing of the one before. */
const PAUSE_MS = 100;

interface Sample {
  run: Run;
  cpu: Record<string, number>;
}

/** One kind of operation at one load, over all rounds. CPU in ms for each operation, by process. */
export type Line = Figures & { in_flight: number; cpu_ms: Record<string, number> };

export interface Results {
  bookings: Line[];
  floor: Line[];
  reservations: Line[];
  ratios: Record<'throughput_1' | 'throughput_16' | 'p50_1' | 'p50_16', number>;
}

/**
 * Rounds of bookings against the floor, alternating within each round: other load on the machine affects both, so their
 * ratio is meaningful even if the absolute figures are not.
 */
export async function runRounds(scene: Scene, rounds: number, seconds: number): Promise<Results> {
  const loads: Load[] = [
    { inFlight: 1, seconds: seconds * 3, pauseMs: PAUSE_MS },
    { inFlight: IN_FLIGHT, seconds: seconds * 2 },
  ];
  const kinds = {
    bookings: (load: Load) => drive(load, () => bookOne(scene.house)),
    floor: (load: Load) => scene.floor.drive(load),
    reservations: (load: Load) => drive({ ...load, seconds: 0.5, pauseMs: 0 }, () => scene.reserve()),
  };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const samples = new Map<string, Sample[]>();
  await scene.house.connect(IN_FLIGHT);
  for (let round = 0; round < rounds; round++) {
    for (const load of loads) {
      // The order alternates, so that neither always runs first.
      for (const name of round % 2 ? names.toReversed() : names) {
        const before = cpuMs(scene.pids);
        const run = await kinds[name](load);
        const after = cpuMs(scene.pids);
        const cpu = Object.fromEntries(Object.keys(after).map((key) => [key, after[key]! - before[key]!]));
        const key = `${name} ${load.inFlight}`;
        samples.set(key, [...(samples.get(key) ?? []), { run, cpu }]);
      }
    }
  }

  const linesOf = (name: string): Line[] =>
    loads.map(({ inFlight }) => ({ in_flight: inFlight, ...summarise(samples.get(`${name} ${inFlight}`)!) }));
  /** Ratio of bookings to the floor: the median over the rounds. */
  const ratio = (inFlight: number, of: (run: Run) => number): number => {
    const floor = samples.get(`floor ${inFlight}`)!;
    return median(samples.get(`bookings ${inFlight}`)!.map(({ run }, i) => of(run) / of(floor[i]!.run)));
  };
  const rate = (run: Run): number => run.rate;
  const p50 = (run: Run): number => median(run.latenciesMs);
  return {
    bookings: linesOf('bookings'),
    floor: linesOf('floor'),
    reservations: linesOf('reservations'),
    ratios: {
      throughput_1: ratio(1, rate),
      throughput_16: ratio(IN_FLIGHT, rate),
      p50_1: ratio(1, p50),
      p50_16: ratio(IN_FLIGHT, p50),
    },
  };
}

function summarise(samples: Sample[]): Omit<Line, 'in_flight'> {
  const done = figures(samples.map(({ run }) => run));
  const names = Object.keys(samples[0]!.cpu);
  const perPiece = (name: string): number =>
    samples.reduce((sum, { cpu }) => sum + cpu[name]!, 0) / done.done;
  return { ...done, cpu_ms: Object.fromEntries(names.map((name) => [name, perPiece(name)])) };
}
