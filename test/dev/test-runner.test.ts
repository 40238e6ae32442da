import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { addRules } from '../../dev/testing/checks.js';
import { findTestFiles, groupFiles } from '../../dev/testing/groups.js';
import type { Report } from '../../dev/launcher/report.js';
import { Results } from '../../dev/testing/results.js';
import { Runner } from '../../dev/testing/run.js';
import { SimulatorTests } from '../../dev/testing/simulators.js';

const ENDED = 'the process of the tests ended before they were done';
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
    const isSecond = existsSync(marker);
    writeFileSync(marker, '');
    test('fails once', (t) => {
      t.log('a log of the test');
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
    test('fails without a stack', () => {
      const error = new Error('no stack at all', { cause: 'its cause' });
      error.stack = undefined;
      throw error;
    });
    test('fails with a value', () => { throw { value: 'thrown' }; });
    test('runs after it', run('after'));
  `,
};
/** The second test ends AVA's process, not the one of the tests. */
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

/** Runs examples as one group, with these title matches, and repeats what failed. */
async function runExamples(
  name: string,
  examples: Record<string, string>,
  matches: string[] = [],
): Promise<{
  /** Each with its mark, such as `✔ passes`, in the order printed. */
  printed: string[];
  /** The last two lines. */
  counts: string[];
  code: number;
  flaky: { title: string; group: string; seed: number; output: string[] }[];
  /** For the tests in their first run. */
  log: string[];
  /** And in the repetition. */
  logged: string[];
}> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-runner-'));
  const log = join(folder, 'log');
  const suites = `suites/${name}`;
  mkdirSync(`build/${suites}`, { recursive: true });
  writeFileSync(log, '');
  try {
    for (const [file, code] of Object.entries(examples))
      writeFileSync(`build/${suites}/${file}.test.js`, LINES + code);
    const lines: string[] = [];
    const report: Report = {
      line: (text) => lines.push(text),
      step: (_, work) => work(() => {}),
      close() {},
    };
    const results = new Results(report, folder);
    const files = Object.keys(examples).map((file) => `${suites}/${file}.test.tsx`);
    const runner = new Runner(results, new Promise(() => undefined), matches);
    await runner.run([{ name, kind: 'pure', needsBrowser: false, files }], { EXAMPLE_LOG: log });
    const readLog = (): string[] => readFileSync(log, 'utf8').trim().split('\n');
    const first = readLog();
    await runner.repeat();
    const printed = lines.filter((line) => /^  [✔✘-] /.test(line)).map((line) => line.trim());
    const code = results.end();
    return {
      printed,
      counts: lines.slice(-2),
      code,
      flaky: JSON.parse(readFileSync(join(folder, 'flaky.json'), 'utf8')),
      log: first,
      logged: readLog(),
    };
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(`build/${suites}`, { recursive: true });
    rmSync(`build/suites/${name}.js`);
  }
}

/** The latest result of each title, without details. */
const lastResults = (printed: string[]): string[] => {
  const last = new Map(
    printed.map((result) => {
      const [line] = result.split('\n');
      return [line!.slice(2).replace(/ \(.*\)$/, ''), line![0]];
    }),
  );
  return [...last].map(([title, mark]) => `${mark} ${title}`).sort();
};

test('tests of files that share a process run at the same time, up to the maximum', async (t) => {
  const { log } = await runExamples('limited', EXAMPLES);
  let running = 0;
  const most = log.map((line) => (running += line.startsWith('+') ? 1 : -1));
  t.is(Math.max(...most), 3);
});

test('a failed test is repeated without stopping the others, and skipped tests don’t count as passed', async (t) => {
  const { printed, counts, code } = await runExamples('example', EXAMPLES);
  t.deepEqual(
    lastResults(printed),
    [
      '✘ fails',
      '- skipped',
      ...['a', 'b', 'c', 'd', 'e', 'f', 'fails once', 'g'].map((title) => `✔ ${title}`),
    ].sort(),
  );
  t.is(printed.filter((result) => /^✘ fails \(.*one is not two/s.test(result)).length, 2);
  t.regex(counts[0]!, /TEST_SEED=\d+, 1 skipped, 1 flaky$/);
  t.is(counts[1], '8 passed, 1 failed');
  t.is(code, 1);
});

test('a test that passes only when repeated is in flaky.json, with the output of its first run', async (t) => {
  const { flaky, counts, code } = await runExamples('flaky', { flaky: EXAMPLES.flaky });
  const [{ output, ...test } = {}] = flaky;
  t.deepEqual(test, { title: 'fails once', group: 'flaky', seed: Number(process.env.TEST_SEED) });
  t.true(output!.some((line) => line.includes('a log of the test')));
  t.true(
    output!.some((line) => line.includes('flaky.test.js')),
    'the stack',
  );
  t.is(counts[1], '1 passed, 0 failed');
  t.is(code, 0);
});

test('more than two flaky tests are a failure', async (t) => {
  const { counts, code } = await runExamples('unstable', {
    flaky: `${EXAMPLES.flaky}
      for (const name of ['first', 'second']) test(name, (t) => t.true(isSecond));`,
  });
  t.is(counts[1], '3 passed, 1 failed');
  t.is(code, 1);
});

test('a repetition uses the random values of the first run', async (t) => {
  const { logged } = await runExamples('drawn', {
    drawn: `
      import fc from 'fast-check';
      test('fails', (t) => {
        log(fc.sample(fc.integer(), 3).join());
        t.fail();
      });`,
  });
  t.is(logged.length, 2);
  t.is(logged[0], logged[1]);
});

test('only the tests that match run, also in the repetition, and no match is a failure', async (t) => {
  const matching = await runExamples('matching', EXAMPLES, ['fails*']);
  t.deepEqual(lastResults(matching.printed), ['✔ fails once', '✘ fails']);
  const none = await runExamples('none', EXAMPLES, ['no such title']);
  t.is(none.counts[1], '0 passed, 1 failed');
  t.is(none.code, 1);
});

test('a file that cannot be loaded is a failure of its process', async (t) => {
  const { printed, counts } = await runExamples('broken', BROKEN);
  t.deepEqual(lastResults(printed), [`✘ ${ENDED}`]);
  t.true(printed[0]!.includes('cannot be loaded'));
  t.is(counts[1], '0 passed, 1 failed');
});

test('if an error that no test catches ends the process, all of its tests are repeated', async (t) => {
  const { printed, flaky } = await runExamples('stray', STRAY);
  t.deepEqual(lastResults(printed), ['✔ runs in the second process', `✔ ${ENDED}`]);
  t.is(flaky[0]?.title, ENDED);
  t.true(flaky[0]!.output.join('\n').includes('no test catches this'));
  t.true(flaky[0]!.output.join('\n').includes('was running: runs in the second process'));
});

test('a test that fails without a stack frame, or with a value that is no error, does not stop others', async (t) => {
  const { printed } = await runExamples('frameless', FRAMELESS);
  t.deepEqual(lastResults(printed), [
    '✔ runs after it',
    '✘ fails with a value',
    '✘ fails without a stack',
    '✘ fails without a stack frame',
  ]);
  for (const said of ['not known where', 'no stack at all', 'its cause', "value: 'thrown'"])
    t.true(
      printed.some((result) => result.includes(said)),
      said,
    );
});

test('if AVA exits after a test has failed, all of its tests are repeated', async (t) => {
  const { printed, flaky } = await runExamples('lost', LOST);
  t.deepEqual(lastResults(printed), ['✔ fails first', '✔ is lost', `✔ ${ENDED}`]);
  t.deepEqual(flaky.map(({ title }) => title).sort(), ['fails first', ENDED].sort());
});

test('each rule of the repository is a result, those that are skipped too', (t) => {
  const added: unknown[] = [];
  const results = { add: (...result: unknown[]) => void added.push(result) };
  const output = '✔ width\n✘ prose\n    too long\n      - a second line\n- images, in Kubernetes';
  addRules(results, { output, passed: false });
  t.deepEqual(added, [
    ['passed', 'width', []],
    ['failed', 'prose', ['    too long', '      - a second line']],
    ['skipped', 'images, in Kubernetes', []],
  ]);
  added.length = 0;
  addRules(results, { output: 'Error: cannot be loaded', passed: false });
  t.deepEqual(added, [['failed', 'rules', ['Error: cannot be loaded']]]);
});

test('the simulators are tested in CI, and when their sources differ from those that last passed', (t) => {
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
  const grouped = groupFiles(files);
  t.deepEqual(grouped.flatMap(({ files }) => files).sort(), files.toSorted());
  t.is(new Set(grouped.map(({ name }) => name)).size, grouped.length);
  for (const group of grouped.filter(({ name }) => !name.startsWith('others')))
    t.is(new Set(group.files.map((file) => file.split('/')[1])).size, 1, group.name);
  const findGroup = (file: string) => grouped.find((group) => group.files.includes(file))!.name;
  t.is(findGroup('test/domain/rates/price.test.ts'), 'domain-pure');
  t.is(findGroup('test/api/rooms/rooms.test.ts'), 'api-stack');
  t.is(findGroup('test/web/dashboard.test.ts'), 'web-stack-pages');
  t.is(findGroup('test/config/settings.test.ts'), 'others-pure');
  t.is(findGroup('test/dev/launcher-stop.test.ts'), 'dev-launcher');
  t.true(grouped.some(({ kind }) => kind === 'outages'));
  t.is(findGroup('test/dev/mailbox.test.ts'), 'test/dev/mailbox.test.ts', 'serial tests');
  t.is(findGroup('test/api/rates/price.test.ts'), 'api-stack');
});
