import { appendFileSync } from 'node:fs';
import test, { registerCompletionHandler } from 'ava';

// Without this, AVA waits ten seconds for open connections.
registerCompletionHandler(() => {
  process.exit();
});

/**
 * Runs at most `max` tests of this process at a time, in the order of their declaration: AVA itself starts all of them
 * immediately. Adds a line `<ms> <title>` for each to the file in TEST_TIMES.
 */
export function limitTests(max: number): void {
  const began = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const titleOf = (hook: { title: string }): string => hook.title.replace(/^.*? hook for /, '');
  test.beforeEach(async (t) => {
    if (running === max) await new Promise<void>((start) => waiting.push(start));
    else running++;
    began.set(titleOf(t), Date.now());
  });
  test.afterEach.always((t) => {
    const title = titleOf(t);
    if (process.env.TEST_TIMES)
      appendFileSync(process.env.TEST_TIMES, `${Date.now() - began.get(title)!} ${title}\n`);
    const next = waiting.shift();
    if (next) next();
    else running--;
  });
}
