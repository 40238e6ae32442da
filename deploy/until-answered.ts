import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../domain/durations.js';

/**
 * gRPC status codes of a service that answers late or is unavailable: CANCELLED, DEADLINE_EXCEEDED,
 * RESOURCE_EXHAUSTED, UNAVAILABLE.
 */
const LATE = [1, 4, 8, 14];
const ANSWERS_WITHIN_MS = 2 * MINUTE_MS;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** True if Temporal has not answered in time. The SDK wraps the error of the call. */
const isLate = (error: unknown): boolean =>
  error instanceof Error && (LATE.includes((error as { code?: number }).code ?? -1) || isLate(error.cause));

/** Repeats an idempotent call to Temporal for up to two minutes until it answers. Throws the latest error. */
export async function untilAnswered<T>(
  work: () => Promise<T>,
  { withinMs = ANSWERS_WITHIN_MS, pauseMs = FIRST_PAUSE_MS } = {},
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let pause = pauseMs; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isLate(error) || performance.now() + pause > deadline) throw error;
    }
    await sleep(pause);
  }
}
