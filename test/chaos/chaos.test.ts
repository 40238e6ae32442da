import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { inNewHome } from '../support/launcher.js';

/**
 * Runs `npm run chaos`, without building. Returns its exit code and its report. Throws with
 * its output if it has none.
 */
async function chaos(home: string, ...args: string[]) {
  const run = spawn(process.execPath, ['build/test/chaos/main.js', ...args], {
    env: { ...process.env, HOLDFAST_HOME: join(home, 'stack') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  run.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
    process.stderr.write(chunk);
  });
  const ended = once(run, 'close') as Promise<[code: number | null, signal: string | null]>;
  const output = await text(run.stdout);
  const [code, signal] = await ended;
  const last = output.trimEnd().split('\n').at(-1)!;
  if (!last.startsWith('{'))
    throw new Error(`No report (exit code ${code}, signal ${signal}):\n${output}\n${errors}`);
  return { code, report: JSON.parse(last) };
}

test('nothing is lost, doubled or stuck after a short chaos run', async (t) => {
  await inNewHome(async (home) => {
    const { code, report } = await chaos(home, '--seed=7', '--seconds=20');
    t.deepEqual(report.violations, [], JSON.stringify(report.violations));
    t.is(report.seed, 7);
    t.true(report.faults > 5 && report.bookings > 0, JSON.stringify(report));
    t.true(report.publicHolds > 0, 'public guests hold rooms, and others book all the same');
    t.is(code, 0);
  });
});
