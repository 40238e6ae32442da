import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from '../support/suite.js';
import { Retries } from '../../dev/testing/retries.js';
import { findTestFiles, needsOf } from '../../dev/testing/files.js';
import { groupFiles } from '../../dev/testing/groups.js';
import type { Results } from '../../dev/testing/results.js';

const LINES = `
  import { appendFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import test from '../../test/support/suite.js';
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
    test.before(() => log('before'));
    test.afterEach.always(() => log('each'));
    test.after.always(() => log('after'));
    test('c', run('c'));
    test.serial('a', run('a'));
    test.serial('b', run('b'));
  `,
  second: `
    test('fails', (t) => t.is(1, 2, 'one is not two'));
    test('d', run('d'));
    test.skip('skipped', run('e'));
  `,
  broken: `throw new Error('cannot be loaded');`,
  flaky: `
    import { existsSync, writeFileSync } from 'node:fs';
    const marker = process.env.EXAMPLE_LOG + '-marker';
    test('fails once', (t) => {
      const isSecond = existsSync(marker);
      writeFileSync(marker, '');
      t.true(isSecond);
    });
  `,
  hook: `
    test.before(() => { throw new Error('no hook'); });
    test('waits for its hook', (t) => t.pass());
  `,
};
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
    const group = { name, files, needsBrowser: false, testsAtOnce: 3 };
    const retries = new Retries(collect, new Promise(() => undefined));
    await retries.run(group, { EXAMPLE_LOG: log });
    const logged = readFileSync(log, 'utf8').trim().split('\n');
    await retries.repeat();
    return { results, noted, log: logged, times: readFileSync(times, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(`build/${suites}`, { recursive: true });
    for (const entry of [name, `${name}-again`]) rmSync(`build/suites/${entry}.js`);
  }
}

test('files that share a process keep their prefix, hooks and order; a failure or a broken file does not stop others and is repeated', async (t) => {
  const { results, noted, log, times } = await runExamples('example', EXAMPLES);
  const titled = (file: string, title: string) => `suites › example › ${file} › ${title}`;
  const failed = results.filter(({ passed }) => !passed);
  t.deepEqual(
    failed.map(({ title }) => title).sort(),
    [
      titled('broken', 'the file can be loaded'),
      titled('hook', 'waits for its hook'),
      titled('second', 'fails'),
    ].sort(),
  );
  t.true(
    failed
      .find(({ title }) => title.endsWith('fails'))!
      .details.join()
      .includes('one is not two'),
  );
  t.true(
    failed
      .find(({ title }) => title.includes('broken'))!
      .details.join()
      .includes('cannot be loaded'),
  );
  const passed = results.filter(({ passed }) => passed).map(({ title }) => title);
  t.deepEqual(
    passed.sort(),
    [
      titled('first', 'a'),
      titled('first', 'b'),
      titled('first', 'c'),
      titled('second', 'd'),
      titled('flaky', 'fails once'),
      `${titled('second', 'skipped')} # SKIP`,
    ].sort(),
  );
  const first = log.filter((line) => !line.endsWith('d'));
  t.deepEqual(first, ['before', '+a', '-a', 'each', '+b', '-b', 'each', '+c', '-c', 'each', 'after']);
  t.true(log.indexOf('+d') < log.indexOf('-b'), 'another file runs at the same time');
  t.deepEqual(noted.sort(), [...failed.map(({ title }) => title), titled('flaky', 'fails once')].sort());
  t.regex(times, /^\d+ suites › example › first$/m);
});

test('if an error that no test catches ends the process, all of its tests are repeated', async (t) => {
  const { results, noted } = await runExamples('stray', STRAY);
  t.deepEqual(results, [
    { passed: true, title: 'suites › stray › stray › runs in the second process', details: [] },
  ]);
  t.true(noted.includes('the tests of stray ended before they were done'), noted.join());
});

test('each test file is in one group, by its folder and imports', (t) => {
  const files = findTestFiles();
  const groups = groupFiles(files);
  const grouped = Object.values(groups).flat();
  t.deepEqual(grouped.flatMap((group) => group.files as string[]).sort(), files.toSorted());
  t.is(new Set(grouped.map(({ name }) => name)).size, grouped.length);
  for (const { name, files } of grouped.filter(({ name }) => !name.startsWith('others')))
    t.is(new Set(files.map((file: string) => file.split('/')[1])).size, 1, name);
  const groupOf = (file: string) => grouped.find((group) => group.files.includes(file))!.name;
  t.is(groupOf('test/domain/price.test.ts'), 'domain-computing');
  t.is(groupOf('test/api/rooms.test.ts'), 'api-stack');
  t.is(groupOf('test/web/dashboard.test.ts'), 'web-stack-pages');
  t.is(groupOf('test/config/settings.test.ts'), 'others-pure');
  t.is(groupOf('test/dev/launcher-stop.test.ts'), 'dev-launcher');
  t.true(groups.outages.length > 0);
  t.deepEqual(needsOf('test/api/price.test.ts'), { stack: true, launcher: false, browser: false });
});
