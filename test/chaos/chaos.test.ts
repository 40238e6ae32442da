import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { inNewHome } from '../support/launcher.js';

/** Runs `npm run chaos`, without building. Returns its exit code and its report. */
async function chaos(home: string, ...args: string[]) {
  const run = spawn(process.execPath, ['build/test/chaos/main.js', ...args], {
    env: { ...process.env, HOLDFAST_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => run.once('close', resolve));
  const output = await text(run.stdout);
  return { code: await ended, report: JSON.parse(output.trimEnd().split('\n').at(-1)!) };
}

test('nothing is lost, doubled or stuck after a short chaos run', async (t) => {
  await inNewHome(async (home) => {
    const { code, report } = await chaos(home, '--seed=7', '--seconds=8');
    t.deepEqual(report.violations, [], JSON.stringify(report.violations));
    t.is(report.seed, 7);
    t.true(report.faults > 5 && report.bookings > 0, JSON.stringify(report));
    t.true(report.strangers > 0, 'strangers hold rooms, and others book all the same');
    t.is(code, 0);
  });
});
