import test, { registerCompletionHandler } from 'ava';
import { configureGlobal } from 'fast-check';

// Without this, AVA waits ten seconds for open connections.
registerCompletionHandler(() => {
  process.exit();
});

// A repetition of a test uses the random values of its first run.
if (process.env.TEST_SEED) configureGlobal({ seed: Number(process.env.TEST_SEED) });

/**
 * Runs at most `max` tests of this process at a time, in order of declaration: AVA itself starts all of them
 * immediately.
 */
export function limitTests(max: number): void {
  const waiting: (() => void)[] = [];
  let running = 0;
  test.beforeEach(async () => {
    if (running === max) await new Promise<void>((start) => waiting.push(start));
    else running++;
  });
  test.afterEach.always(() => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  });
}
