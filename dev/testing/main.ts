import { basename, join, normalize, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { untilInterrupted } from '../launcher/interrupted.js';
import { sentenceFor } from '../launcher/problem.js';
import { createReport } from '../launcher/report.js';
import { unseenResponses } from '../../test/support/responses.js';
import { startSuiteStack, type SuiteStack } from '../../test/support/suite-stack.js';
import { statementFaults } from '../../test/tenants/statements.js';
import { runChecks } from './checks.js';
import { findChromium } from './chromium.js';
import { findTestFiles, groupFiles, type Group } from './groups.js';
import { Results } from './results.js';
import { Runner } from './run.js';
import { SimulatorTests } from './simulators.js';

/**
 * `npm test [-- files and folders] [--match=title] [--running]`: format, lint, types and the rules of dev/lint/ at the same time as the tests, which
 * use stacks of their own, or with `--running` that of `npm start`. Ends with a line `N passed, N failed`; a failed check
 * counts as one failure.
 */
const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { match: { type: 'string', multiple: true }, running: { type: 'boolean' } },
});
const runningDevJson = resolve(process.env.HOLDFAST_HOME ?? '.holdfast', 'dev.json');
const TEST_ENVIRONMENT = {
  HOLDFAST_HOME: '.holdfast-test',
  SELF_HEAL_AFTER_SECONDS: '1',
  WEBHOOK_RETRY_SCALE: '0.001',
  RATE_LIMIT_SCALE: '100',
  API_PROCESSES: '2',
  // Temporal uses a tenth less CPU time, and more memory.
  GOGC: '600',
};
for (const [name, value] of Object.entries(TEST_ENVIRONMENT)) process.env[name] ||= value;

const home = process.env.HOLDFAST_HOME!;
const report = createReport(process.stdout);
const results = new Results(report, home);
const interrupted = untilInterrupted();
const runner = new Runner(results, interrupted, options.match);
const onFailure = (error: unknown): void => results.add(false, sentenceFor(error));

const isAsked = (file: string): boolean =>
  asked.some((path) => `${file}/`.startsWith(join(normalize(path), '/')));
const simulatorTests = new SimulatorTests();
const files = findTestFiles();
const groups = groupFiles(asked.length > 0 ? files.filter(isAsked) : simulatorTests.needed(files));
const of = (kind: Group['kind']): Group[] => groups.filter((group) => group.kind === kind);
const start = (home: string, groups: Group[]): Promise<SuiteStack | undefined> | undefined =>
  groups.length > 0 ? startSuiteStack(home, report, interrupted, onFailure) : undefined;

const checked = runChecks(results, interrupted);
if (groups.some(({ needsBrowser }) => needsBrowser))
  await findChromium().then((path) => (process.env.CHROMIUM_PATH = path), onFailure);
const pure = runner.run(of('pure'));
if (options.running && of('outages').length > 0)
  results.add(false, 'tests that kill processes run on a stack of their own only, without --running');
const [main, other] = await Promise.all([
  options.running ? undefined : start(home, of('stack')),
  options.running ? undefined : start(`${home}-outages`, of('outages')),
]);
const env = options.running ? { HOLDFAST_DEV_JSON: runningDevJson } : main?.env;
/** Requests of the outages have deadlines: what starts more stacks waits for them. */
const outages = async (): Promise<void> => {
  if (other) await runner.run(of('outages'), { ...other.env, HOLDFAST_OUTAGES: 'true' });
  await runner.run(of('launcher'));
};
await Promise.all([checked, pure, outages(), env && runner.run(of('stack'), env, of('stack').length)]);
// While nothing else runs.
await runner.repeat();

const titled = (title: string, faults: string[]): void =>
  results.add(
    faults.length === 0,
    title,
    faults.map((fault) => `      ${fault}`),
  );
for (const stack of [main, other].filter((stack) => stack !== undefined)) {
  const faults = await statementFaults(stack.dev);
  if (faults)
    titled(
      `each statement of ${basename(stack.home.path)} names its workspace, or test/tenants/exceptions.ts says why not`,
      faults,
    );
  else report.line('  This Postgres does not count statements: those of the service are not checked.');
  if (stack === main && process.argv.length === 2)
    titled(
      'every response of the document is tested',
      await unseenResponses(stack.home.devJson, stack.dev.baseUrl),
    );
  await stack.stop();
}
const code = results.end();
if (code === 0 && process.argv.length === 2) simulatorTests.remember();
process.exit(code);
