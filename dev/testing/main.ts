import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { untilInterrupted } from '../launcher/interrupted.js';
import { sentenceFor } from '../launcher/problem.js';
import { createReport } from '../launcher/report.js';
import { readSettings, separateSettings } from '../launcher/settings.js';
import {
  checkStack,
  startSuiteStack,
  TEST_ENVIRONMENT,
  type SuiteStack,
} from '../../test/support/suite-stack.js';
import { runChecks } from './checks.js';
import { findChromium } from './chromium.js';
import { findTestFiles, groupFiles, type Group } from './groups.js';
import { Results } from './results.js';
import { Runner } from './run.js';
import { SimulatorTests } from './simulators.js';

/** With more test processes on a stack, two cores are so busy that requests exceed their deadlines. */
const PROCESSES = 3;

/**
 * `npm test [-- files and folders] [--match=title] [--running]`: format, lint, types and the rules of
 * dev/lint/ at the same time as the tests, which use their own stacks, or with `--running` the one of
 * `npm start`. Ends with a line `N passed, N failed`; a failed check counts as one failure.
 */
const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { match: { type: 'string', multiple: true }, running: { type: 'boolean' } },
});
for (const [name, value] of Object.entries(TEST_ENVIRONMENT)) process.env[name] ||= value;

const report = createReport(process.stdout);
const results = new Results(report, separateSettings('test').home);
const interrupted = untilInterrupted();
const runner = new Runner(results, interrupted, options.match);
const onFailure = (error: unknown): void => results.add('failed', sentenceFor(error));

const isIn = (path: string, file: string): boolean => `${file}/`.startsWith(join(path, '/'));
const files = findTestFiles();
for (const path of asked)
  if (!files.some((file) => isIn(path, file))) results.add('failed', `no test file is ${path}`);
const simulatorTests = new SimulatorTests();
const groups = groupFiles(
  asked.length > 0
    ? files.filter((file) => asked.some((path) => isIn(path, file)))
    : simulatorTests.needed(files),
);
const of = (kind: Group['kind']): Group[] => groups.filter((group) => group.kind === kind);
const start = (name: string, groups: Group[]): Promise<SuiteStack | undefined> | undefined =>
  groups.length > 0 ? startSuiteStack(name, report, interrupted, onFailure) : undefined;

const checked = runChecks(results, interrupted);
if (groups.some(({ needsBrowser }) => needsBrowser))
  await findChromium().then((path) => (process.env.CHROMIUM_PATH = path), onFailure);
const pure = runner.run(of('pure'));
if (options.running && of('outages').length > 0)
  results.add('failed', 'tests that kill processes run on a stack of their own only, without --running');
const [main, other] = await Promise.all([
  options.running ? undefined : start('test', of('stack')),
  options.running ? undefined : start('test-outages', of('outages')),
]);
void interrupted.then(async () => {
  await Promise.all([main?.stop(), other?.stop()]);
  process.exit(130);
});
const env = options.running ? { HOLDFAST_DEV_JSON: resolve(readSettings().home, 'dev.json') } : main?.env;
/** Requests in outage tests have deadlines, so groups that start more stacks wait for them. */
const outages = async (): Promise<void> => {
  if (other) await runner.run(of('outages'), { ...other.env, HOLDFAST_OUTAGES: 'true' });
  await runner.run(of('launcher'));
};
await Promise.all([checked, pure, outages(), env && runner.run(of('stack'), env, PROCESSES)]);
// While nothing else runs.
await runner.repeat();

for (const stack of [main, other].filter((stack) => stack !== undefined)) {
  for (const [title, faults] of await checkStack(stack, stack === main && process.argv.length === 2))
    results.add(
      faults === null ? 'skipped' : faults.length === 0 ? 'passed' : 'failed',
      title,
      faults?.map((fault) => `      ${fault}`),
    );
  await stack.stop();
}
const code = results.end();
if (code === 0 && process.argv.length === 2) simulatorTests.remember();
process.exit(code);
