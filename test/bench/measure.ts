import { setTimeout as sleep } from 'node:timers/promises';

/** A load: its duration and concurrency. */
export interface Load {
  seconds: number;
  inFlight: number;
  /** Ends early after this many operations. */
  atMost?: number;
  /** The pause between operations, for single operations; not part of the rate. */
  pauseMs?: number;
}

export interface Run {
  /** Operations per second, including those in flight at the end. */
  rate: number;
  done: number;
  latenciesMs: number[];
}

/** Runs a load: concurrent loops, each of which starts its next operation when the previous one is done. */
export async function drive(load: Load, work: () => Promise<unknown>): Promise<Run> {
  const { seconds, inFlight, atMost = Infinity, pauseMs = 0 } = load;
  const latenciesMs: number[] = [];
  const began = performance.now();
  let started = 0;
  let pausedMs = 0;
  async function loop(): Promise<void> {
    while (performance.now() - began < seconds * 1000 && started < atMost) {
      started++;
      const at = performance.now();
      await work();
      latenciesMs.push(performance.now() - at);
      if (pauseMs > 0) {
        const from = performance.now();
        await sleep(pauseMs);
        pausedMs += performance.now() - from;
      }
    }
  }
  await Promise.all(Array.from({ length: inFlight }, loop));
  const done = latenciesMs.length;
  const busyMs = performance.now() - began - pausedMs / inFlight;
  return { rate: (done * 1000) / busyMs, done, latenciesMs };
}

/** A quantile of values. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export interface Figures {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  done: number;
}

/** Rate and p50 as medians over the rounds; p99 over all rounds together, since one has too few samples. */
export function figures(runs: readonly Run[]): Figures {
  return {
    per_second: median(runs.map((run) => run.rate)),
    p50_ms: median(runs.map((run) => median(run.latenciesMs))),
    p99_ms: quantile(
      runs.flatMap((run) => run.latenciesMs),
      0.99,
    ),
    done: runs.reduce((sum, run) => sum + run.done, 0),
  };
}
