import { aim, type Aim, type Bench } from './bench.js';
import { drive, figures, median, type Figures, type Load, type Run } from './measure.js';
import { cpuMs } from './processes.js';
import { withScene, type Scene } from './scene.js';

const IN_FLIGHT = 16;
/**
 * Longer than Temporal's work after a booking, so that a single one waits for nothing from the previous one.
 */
const PAUSE_MS = 100;

interface Sample {
  run: Run;
  cpu: Record<string, number>;
}

/** One kind of operation at one load, over all rounds. CPU in ms per operation, by process. */
type Line = Figures & { in_flight: number; cpu_ms: Record<string, number> };

interface Results {
  bookings: Line[];
  floor: Line[];
  /** Ratio of bookings to the floor: the median over the rounds. */
  ratios: { throughput: number; p50_alone: number; p50: number };
}

/**
 * Creates of bookings against the floor, an empty update-with-start, alternating within each round. Other
 * load on the machine affects both, so their ratio is meaningful even if the absolute figures are not.
 */
async function runRounds(scene: Scene, rounds: number, seconds: number): Promise<Results> {
  const loads: Load[] = [
    { inFlight: 1, seconds: seconds * 3, pauseMs: PAUSE_MS },
    { inFlight: IN_FLIGHT, seconds: seconds * 2 },
  ];
  const kinds = {
    bookings: (load: Load) => drive(load, () => scene.workspace.book()),
    floor: (load: Load) => scene.floor.drive(load),
  };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const samples: Record<keyof typeof kinds, Sample[][]> = { bookings: [[], []], floor: [[], []] };
  for (let round = 0; round < rounds; round++) {
    for (const [n, load] of loads.entries()) {
      // The order alternates, so that neither always runs first.
      for (const name of round % 2 ? names.toReversed() : names) {
        const before = cpuMs(scene.pids);
        const run = await kinds[name](load);
        const after = cpuMs(scene.pids);
        const cpu = Object.fromEntries(Object.keys(after).map((key) => [key, after[key]! - before[key]!]));
        samples[name][n]!.push({ run, cpu });
      }
    }
  }
  const buildLines = (name: keyof typeof kinds): Line[] =>
    loads.map(({ inFlight }, n) => ({ in_flight: inFlight, ...summarise(samples[name][n]!) }));
  const ratio = (n: number, of: (run: Run) => number): number =>
    median(samples.bookings[n]!.map(({ run }, round) => of(run) / of(samples.floor[n]![round]!.run)));
  const p50 = (run: Run): number => median(run.latenciesMs);
  return {
    bookings: buildLines('bookings'),
    floor: buildLines('floor'),
    ratios: { throughput: ratio(1, (run) => run.rate), p50_alone: ratio(0, p50), p50: ratio(1, p50) },
  };
}

function summarise(samples: Sample[]): Omit<Line, 'in_flight'> {
  const done = figures(samples.map(({ run }) => run));
  const perPiece = (name: string): number =>
    samples.reduce((sum, { cpu }) => sum + cpu[name]!, 0) / done.done;
  const names = Object.keys(samples[0]!.cpu);
  return { ...done, cpu_ms: Object.fromEntries(names.map((name) => [name, perPiece(name)])) };
}

/** Warms up the processes: their code is not optimised right after the start. */
async function warmUp(scene: Scene): Promise<void> {
  await drive({ inFlight: IN_FLIGHT, seconds: 20, atMost: 500 }, () => scene.workspace.book());
  await runRounds(scene, 1, 1);
}

export const benchBookings = ({ stack, options, report, figures }: Bench): Promise<Aim[]> =>
  withScene(stack, async (scene) => {
    await report.step('warm-up', () => warmUp(scene));
    const results = await report.step('bookings against the floor', () =>
      runRounds(scene, options.rounds, options.seconds),
    );
    figures.bookings = results;
    print(results);
    return buildAims(results);
  });

/** CPU of one operation with many in flight, over all processes except the load generator. */
function cpuPerOperation(lines: Line[]): number {
  const { load: _, ...parts } = lines.at(-1)!.cpu_ms;
  return Object.values(parts).reduce((sum, ms) => sum + ms, 0);
}

const buildAims = ({ ratios, bookings, floor }: Results): Aim[] => [
  aim(`bookings to floor at ${IN_FLIGHT} in flight`, ratios.throughput, { atLeast: 0.65 }),
  aim(`CPU to floor's at ${IN_FLIGHT} in flight`, cpuPerOperation(bookings) / cpuPerOperation(floor), {
    atMost: 1.7,
  }),
  aim("p50 to floor's, one at a time", ratios.p50_alone, { atMost: 1.9 }),
  aim(`p50 to floor's at ${IN_FLIGHT} in flight`, ratios.p50, { atMost: 1.6 }),
];

function print({ bookings, floor }: Results): void {
  const names = [
    ...bookings.map((line) => ['bookings', line] as const),
    ...floor.map((line) => ['floor', line] as const),
  ];
  console.log(`\n${'Creates'.padEnd(12)}in flight     per s    p50 ms    p99 ms    done   CPU for one, ms`);
  for (const [name, { in_flight, per_second, p50_ms, p99_ms, done, cpu_ms }] of names) {
    const rates = [per_second, p50_ms, p99_ms].map((value) => value.toFixed(1).padStart(10)).join('');
    const cpu = Object.entries(cpu_ms).filter(([, ms]) => ms >= 0.1);
    const parts = cpu.map(([part, ms]) => `${part} ${ms.toFixed(1)}`).join(', ');
    console.log(
      `  ${name.padEnd(10)}${String(in_flight).padStart(9)}${rates}${String(done).padStart(8)}   ${parts}`,
    );
  }
}
