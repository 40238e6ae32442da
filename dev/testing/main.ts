import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { untilInterrupted } from '../launcher/interrupted.js';
import { sentenceFor } from '../launcher/problem.js';
import { createReport } from '../launcher/report.js';
import { readSettings, type PortName } from '../launcher/settings.js';
import { withStack, type Stack } from '../launcher/stack.js';
import { pauseSchedules } from '../../test/support/pause-schedules.js';
import { forgetResponses, unseenResponses } from '../../test/support/responses.js';
import { startProxies } from '../../test/support/simulator-proxies.js';
import { statementFaults } from '../../test/tenants/statements.js';
import { runChecks } from './checks.js';
import { findChromium } from './chromium.js';
import { findTestFiles, groupFiles, type Group } from './groups.js';
import { memoryFolder } from './memory.js';
import { Results } from './results.js';
import { Runner } from './run.js';
import { SimulatorTests } from './simulators.js';

/**
 * `npm test [files]`: format, lint, types and the rules of dev/lint/ at the same time as the tests, which use their own stacks, separate from
 * a running `npm start`. Ends with a line `N passed, N failed`; a failed check counts as one failure.
 */
const TEST_ENVIRONMENT = {
  HOLDFAST_HOME: '.holdfast-test',
  SELF_HEAL_AFTER_SECONDS: '1',
  WEBHOOK_RETRY_SCALE: '0.001',
  RATE_LIMIT_SCALE: '100',
  API_PROCESSES: '2',
  // Temporal uses a tenth less CPU time, and more memory.
  GOGC: '600',
  // More than a hundred processes load the same files.
  NODE_OPTIONS: `--import=${pathToFileURL('dev/testing/source-maps.mjs').href}`,
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
};
for (const [name, value] of Object.entries(TEST_ENVIRONMENT)) process.env[name] ||= value;

const asked = process.argv.slice(2);
const report = createReport(process.stdout);
const results = new Results(report);
const interrupted = untilInterrupted();

/** Runs what needs no stack of the suite. */
const withoutStack = new Runner(results, interrupted);

/** Runs one group after another. */
async function inSequence(groups: Iterable<Group>): Promise<void> {
  for (const group of groups)
    await withoutStack.run(group, { CHROMIUM_PATH: group.needsBrowser ? await chromium : undefined });
}

interface OnStack {
  /** Otherwise the groups run one after another. */
  concurrently: boolean;
  /** Called when the groups have run. The stack keeps running if something is to be repeated. */
  ran: () => void;
  /** When to repeat what failed. */
  quiet: Promise<unknown>;
  /** What follows while the stack still runs. */
  andThen?: (stack: Stack) => Promise<void>;
}

/** Runs groups on a stack in the folder `home`, and repeats what failed. */
async function onStack(
  home: string,
  groups: Group[],
  { concurrently, ran, quiet, andThen }: OnStack,
): Promise<void> {
  if (groups.length === 0) return;
  const settings = readSettings();
  const anyPorts = Object.fromEntries(Object.keys(settings.ports).map((name) => [name, 0])) as Record<
    PortName,
    number
  >;
  const proxies = await startProxies();
  const runner = new Runner(results, interrupted);
  const work = async (running: Stack): Promise<void> => {
    forgetResponses(running.home.devJson);
    await pauseSchedules(running.dev);
    const env = { ...proxies.env, HOLDFAST_DEV_JSON: running.home.devJson, CHROMIUM_PATH: await chromium };
    if (concurrently) await Promise.all(groups.map((group) => runner.run(group, env)));
    else for (const group of groups) await runner.run(group, env);
    ran();
    if (runner.hasFailures) await quiet;
    await runner.repeat();
    await checkStatements(running);
    await andThen?.(running);
  };
  const ports = { ...anyPorts, ...proxies.ports };
  const options = {
    fresh: true,
    countsStatements: true,
    databases: memoryFolder(home),
    env: proxies.env,
    // Instead of the flags that save memory: API and worker collect less garbage, above all while they start.
    nodeFlags: ['--min-semi-space-size=16'],
    // Tests kill processes, never the machine: Postgres need not flush to disk.
    postgresSettings: { fsync: 'off', full_page_writes: 'off', 'pg_stat_statements.max': '20000' },
    // The default of 4,096 events would take a test hundreds of requests.
    temporalSettings: { 'limit.historyCount.suggestContinueAsNew': 400 },
  };
  await withStack({ ...settings, home, ports }, report, options, work, interrupted);
}

/** Checks that what API and worker asked of the database was about one workspace at a time. Lists the rest. */
async function checkStatements({ home, dev }: Stack): Promise<void> {
  const faults = await statementFaults(dev);
  if (!faults)
    return report.line('  This Postgres does not count statements: those of the service are not checked.');
  const details = faults.map((fault) => `      ${fault}`);
  results.add(
    faults.length === 0,
    `every statement of the service names its workspace, or test/tenants/exceptions.ts says why not (${basename(home.path)})`,
    details,
  );
}

/** Checks that a full run received every success response of the API document. Lists the missing ones. */
async function checkResponses({ home, dev }: Stack): Promise<void> {
  const unseen = await unseenResponses(home.devJson, dev.baseUrl);
  const details = unseen.map((response) => `      ${response}`);
  results.add(unseen.length === 0, 'every response of the document is tested', details);
}

/** What one lane tells another, once. */
function signal(): { given: Promise<void>; give: () => void } {
  let give!: () => void;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

const simulatorTests = new SimulatorTests();
const files = asked.length > 0 ? asked : simulatorTests.needed(findTestFiles());
const { computing, stack, outages, launcher, pure } = groupFiles(files);
const needsBrowser = [computing, stack, outages, launcher, pure].flat().some((group) => group.needsBrowser);
const chromium = needsBrowser ? findChromium() : Promise.resolve(undefined);
chromium.catch(() => undefined);
const home = process.env.HOLDFAST_HOME!;
// Each pure group is taken once, by the lane that is free first.
const waiting = pure.values();
const rest = () =>
  Promise.all([
    inSequence(launcher).then(() => inSequence(waiting)),
    inSequence(waiting),
    inSequence(waiting),
  ]);
const stackRan = signal();
const outagesRan = signal();
// While the stacks start.
const computed = inSequence(computing);
// Requests of the outages have deadlines. What comes after them mostly waits, or has none.
const others = outagesRan.given.then(rest);
/** All tests have run once: what failed is repeated while nothing else runs. */
const quiet = Promise.allSettled([stackRan.given, outagesRan.given, computed, others]);
const onTheStack = onStack(home, stack, {
  concurrently: true,
  ran: stackRan.give,
  quiet,
  andThen: asked.length === 0 ? checkResponses : undefined,
}).finally(stackRan.give);
const onTheOther = onStack(`${home}-outages`, outages, {
  concurrently: false,
  ran: outagesRan.give,
  quiet: Promise.allSettled([quiet, onTheStack]),
}).finally(outagesRan.give);
const lanes = await Promise.allSettled([
  onTheStack,
  onTheOther,
  computed,
  others,
  runChecks(results, interrupted),
]);
await withoutStack.repeat();
for (const lane of lanes) if (lane.status === 'rejected') results.add(false, sentenceFor(lane.reason));
const code = results.end();
if (code === 0 && asked.length === 0) simulatorTests.remember();
process.exit(code);
