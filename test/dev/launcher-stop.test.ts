import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Program } from '../../dev/launcher/part.js';
import { stillRuns, type RecordedProcess } from '../../dev/launcher/process-identity.js';
import { Supervisor } from '../../dev/launcher/supervisor.js';
import { inNewHome, launch } from '../support/launcher.js';

/** Steps of a start, in order: two early tasks, a later one, and a service. */
const MOMENTS = ['initdb', 'bundle', 'migrate', 'api'];

test('Ctrl-C at any moment of a start stops everything within 10 s, and the next start uses the same ports', async (t) => {
  await inNewHome(async (home) => {
    let last: Record<string, number> | undefined;
    for (const moment of MOMENTS) {
      const launcher = launch(home);
      await launcher.until(moment);
      const interruptedAt = Date.now();
      launcher.interrupt();
      const { code, stdout, stderr, left } = await launcher.ended;
      t.true(Date.now() - interruptedAt < 10_000, moment);
      t.is(code, 0, moment);
      t.is(stderr, '', moment);
      t.regex(stdout, /^ {2}Stopping …\n[^]*^ {2}Stopped\.\n$/m, moment);
      t.notRegex(stdout, /✘/, moment);
      t.deepEqual(left, [], moment);
      const { named } = JSON.parse(readFileSync(join(home, 'ports.json'), 'utf8'));
      const moved = Object.keys(named).filter((name) => last && named[name] !== last[name]);
      t.true(
        moved.length <= 1,
        `at most one port may have been taken by another program, not ${moved.join()}`,
      );
      last = named;
    }
  });
});

test('a missing part is reported in one sentence, and started parts are stopped', async (t) => {
  await inNewHome(async (home) => {
    const programs = join(home, 'programs');
    mkdirSync(programs);
    symlinkSync('/usr/bin/id', join(programs, 'id'));
    const { code, stderr, started, left } = await launch(home, {
      PATH: programs,
      XDG_CACHE_HOME: join(home, 'cache'),
      HTTPS_PROXY: 'http://127.0.0.1:1',
    }).ended;
    t.is(code, 1);
    t.regex(stderr, /^Temporal is not installed and could not be downloaded, and Go, .*\.\n$/);
    t.true(started.includes('initdb'));
    t.deepEqual(left, []);
  });
});

test('a failed task is reported in one sentence with its reason, and started parts are stopped', async (t) => {
  await inNewHome(async (home) => {
    const { code, stderr, started, left } = await launch(home, {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    }).ended;
    t.is(code, 1);
    t.regex(
      stderr,
      /^migrate \(pid \d+\) ended with exit code 1: .*ECONNREFUSED.* \(log: \S+migrate\.log\)\.\n$/,
    );
    t.true(started.includes('temporal'));
    t.deepEqual(left, []);
  });
});

const withFullDevice = existsSync('/dev/full') ? test : test.skip;
withFullDevice('a full disk is reported in one sentence, and everything is stopped', async (t) => {
  await inNewHome(async (home) => {
    mkdirSync(join(home, 'logs'));
    symlinkSync('/dev/full', join(home, 'logs', 'postgres.log'));
    const { code, stderr, started, left } = await launch(home).ended;
    t.is(code, 1);
    t.is(stderr, 'The disk is full: free some space and start again.\n');
    t.true(started.includes('temporal'));
    t.deepEqual(left, []);
  });
});

test('a part that cannot be stopped is reported, and the others are stopped', async (t) => {
  await inNewHome(async (home) => {
    const lines: string[] = [];
    let running: RecordedProcess[] = [];
    const report = {
      step: <T>(_: string, work: (...said: never[]) => Promise<T>) => work(),
      line: (text: string) => lines.push(text),
      close() {},
    };
    const supervisor = new Supervisor({ logs: home, report, onChange: (now) => (running = now) });
    const sleeper = (name: string, stopSignal?: string): Program => ({
      name,
      command: 'sleep',
      args: ['60'],
      stopSignal: stopSignal as NodeJS.Signals,
      isReady: async () => true,
    });
    for (const name of ['first', 'second', 'third'])
      await supervisor.startBase(sleeper(name, name === 'first' ? 'SIGNOTHING' : undefined));
    await supervisor.stop();
    const left = running.filter(stillRuns);
    t.deepEqual(
      left.map(({ name }) => name),
      ['first'],
    );
    t.regex(lines.join(), /first could not be stopped \(.*SIGNOTHING.*\)/);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
  });
});
