import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { findTestFiles, groupFiles, type Group } from '../../dev/testing/groups.js';
import type { Results } from '../../dev/testing/results.js';
import { Runner } from '../../dev/testing/run.js';
import { SimulatorTests } from '../../dev/testing/simulators.js';

const LINES = `
  import { appendFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import test from 'ava';
  const log = (line) => appendFileSync(process.env.EXAMPLE_LOG, line + '\\n');
  const run = (name) => async (t) => {
    log('+' + name);
    t.teardown(() => log('-' + name));
    await sleep(20);
    t.pass();
  };
`;
const EXAMPLES = {
  first: `
    for (const name of ['a', 'b', 'c']) test(name, run(name));
  `,
  second: `
    test('fails', (t) => t.is(1, 2, 'one is not two'));
    for (const name of ['d', 'e', 'f', 'g']) test(name, run(name));
    test.skip('skipped', run('h'));
  `,
  flaky: `
    import { existsSync, writeFileSync } from 'node:fs';
    const marker = process.env.EXAMPLE_LOG + '-marker';
    test('fails once', (t) => {
      const isSecond = existsSync(marker);
      writeFileSync(marker, '');
      t.true(isSecond);
    });
  `,
};
const BROKEN = { broken: `throw new Error('cannot be loaded');` };
const STRAY = {
  stray: `
    import { existsSync, writeFileSync } from 'node:fs';
    const marker = process.env.EXAMPLE_LOG + '-marker';
    test('runs in the second process', async (t) => {
      if (existsSync(marker)) return t.pass();
      writeFileSync(marker, '');
      setTimeout(() => { throw new Error('no test catches this'); });
      await sleep(60_000);
    });
  `,
};

const FRAMELESS = {
  frameless: `
    test('fails without a stack frame', () => {
      const error = new Error('not known where');
      error.stack = 'Error: not known where';
      throw error;
    });
    test('runs after it', run('after'));
  `,
};
/** The second test ends the process of AVA, not that of the tests. */
const LOST = {
  lost: `
    import { existsSync, writeFileSync } from 'node:fs';
    const marker = process.env.EXAMPLE_LOG + '-marker';
    test('fails first', (t) => t.true(existsSync(marker)));
    test('is lost', async (t) => {
      if (existsSync(marker)) return t.pass();
      await sleep(200);
      writeFileSync(marker, '');
      process.kill(process.ppid, 'SIGKILL');
      await sleep(60_000);
    });
  `,
};

interface Result {
  passed: boolean;
  title: string;
  details: string[];
}

/** Runs examples as one group. Returns the results and the log of the tests. */
async function runExamples(
  name: string,
  examples: Record<string, string>,
): Promise<{
  results: Result[];
  noted: string[];
  log: string[];
  times: string;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-runner-'));
  const [log, times] = [join(folder, 'log'), join(folder, 'times')];
  const suites = `suites/${name}`;
  mkdirSync(`build/${suites}`, { recursive: true });
  writeFileSync(log, '');
  writeFileSync(times, '');
  try {
    for (const [file, code] of Object.entries(examples))
      writeFileSync(`build/${suites}/${file}.test.js`, LINES + code);
    const files = Object.keys(examples).map((file) => `${suites}/${file}.test.ts`);
    const results: Result[] = [];
    const noted: string[] = [];
    const collect = {
      times,
      note: (title: string) => noted.push(title),
      add: (passed: boolean, title: string, details: string[] = []) =>
        results.push({ passed, title, details }),
    } as unknown as Results;
    const group = { name, files, serialFiles: [], needsBrowser: false, testsAtOnce: 3 };
    const runner = new Runner(collect, new Promise(() => undefined));
    await runner.run(group, { EXAMPLE_LOG: log });
    const logged = readFileSync(log, 'utf8').trim().split('\n');
    await runner.repeat();
    return { results, noted, log: logged, times: readFileSync(times, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(`build/${suites}`, { recursive: true });
    rmSync(`build/suites/${name}.js`);
  }
}

test('tests of files that share a process run at the same time, up to the maximum', async (t) => {
  const { log } = await runExamples('limited', EXAMPLES);
  let running = 0;
  const most = log.map((line) => (running += line.startsWith('+') ? 1 : -1));
  t.is(Math.max(...most), 3);
});

test('a test that fails is repeated and does not stop others; the times are those of each test', async (t) => {
  const { results, noted, times } = await runExamples('example', EXAMPLES);
  const [failed, ...others] = results.filter(({ passed }) => !passed);
  t.is(failed?.title, 'fails');
  t.true(failed?.details.join().includes('one is not two'));
  t.deepEqual(others, []);
  const passed = results.filter(({ passed }) => passed).map(({ title }) => title);
  t.deepEqual(passed.sort(), ['a', 'b', 'c', 'd', 'e', 'f', 'fails once', 'g', 'skipped # SKIP']);
  t.deepEqual(noted.sort(), ['fails', 'fails once']);
  t.regex(times, /^\d+ fails once$/m);
});

test('a file that cannot be loaded is a failure of its group', async (t) => {
  const { results } = await runExamples('broken', BROKEN);
  t.deepEqual(
    results.map(({ passed, title }) => [passed, title]),
    [[false, 'the tests of broken ended before they were done']],
  );
  t.true(results[0]!.details.join().includes('cannot be loaded'));
});

test('if an error that no test catches ends the process, all of its tests are repeated', async (t) => {
  const { results, noted } = await runExamples('stray', STRAY);
  t.deepEqual(results, [{ passed: true, title: 'runs in the second process', details: [] }]);
  t.deepEqual(noted, ['the tests of stray ended before they were done']);
});

test('a test that fails without a stack frame does not stop others', async (t) => {
  const { results } = await runExamples('frameless', FRAMELESS);
  const passed = results.map(({ passed, title }) => `${passed} ${title}`);
  t.deepEqual(passed.sort(), ['false fails without a stack frame', 'true runs after it']);
});

test('if AVA ends after a test that failed, all of its tests are repeated', async (t) => {
  const { results, noted } = await runExamples('lost', LOST);
  t.deepEqual(noted, ['the tests of lost ended before they were done']);
  t.deepEqual(results.map(({ passed, title }) => `${passed} ${title}`).sort(), [
    'true fails first',
    'true is lost',
  ]);
});

test('the simulators are tested in CI, and where their sources differ from those that have passed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-simulators-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const sources = join(folder, 'sources');
  mkdirSync(sources);
  const write = (text: string) => writeFileSync(join(sources, 'a.ts'), text);
  const tests = () => new SimulatorTests(join(folder, 'cache', 'passed'), [sources]);
  const files = [
    'test/dev/processor.test.ts',
    'test/dev/accounting-oauth.test.ts',
    'test/dev/mailbox.test.ts',
  ];
  write('1');
  t.deepEqual(tests().needed(files, {}), files);
  tests().remember();
  t.deepEqual(tests().needed(files, {}), ['test/dev/mailbox.test.ts']);
  t.deepEqual(tests().needed(files, { CI: 'true' }), files);
  write('2');
  t.deepEqual(tests().needed(files, {}), files);
});

test('each test file is in one group, by its folder and imports', (t) => {
  const files = findTestFiles();
  const groups = groupFiles(files);
  const grouped = Object.values(groups).flat();
  const filesOf = (group: Group): string[] => [...group.files, ...group.serialFiles];
  t.deepEqual(grouped.flatMap(filesOf).sort(), files.toSorted());
  t.is(new Set(grouped.map(({ name }) => name)).size, grouped.length);
  for (const group of grouped.filter(({ name }) => !name.startsWith('others')))
    t.is(new Set(filesOf(group).map((file) => file.split('/')[1])).size, 1, group.name);
  const groupOf = (file: string) => grouped.find((group) => filesOf(group).includes(file))!.name;
  t.is(groupOf('test/domain/price.test.ts'), 'domain-computing');
  t.is(groupOf('test/api/rooms.test.ts'), 'api-stack');
  t.is(groupOf('test/web/dashboard.test.ts'), 'web-stack-pages');
  t.is(groupOf('test/config/settings.test.ts'), 'others-pure');
  t.is(groupOf('test/dev/launcher-stop.test.ts'), 'dev-launcher');
  t.true(groups.outages.length > 0);
  t.is(groupOf('test/api/price.test.ts'), 'api-stack');
});
