import { untilInterrupted } from '../launcher/interrupted.js';
import { sentenceFor } from '../launcher/problem.js';
import { createReport } from '../launcher/report.js';
import { readSettings, type PortName } from '../launcher/settings.js';
import { withStack, type Stack } from '../launcher/stack.js';
import { pauseSchedules } from '../../test/support/pause-schedules.js';
import { forgetResponses, unseenResponses } from '../../test/support/responses.js';
import { startProxies } from '../../test/support/simulator-proxies.js';
import { runChecks } from './checks.js';
import { findChromium } from './chromium.js';
import { findTestFiles } from './files.js';
import { groupFiles, type Group, type Groups } from './groups.js';
import { Results } from './results.js';
import { Retries } from './retries.js';

/**
 * `npm test [files]`: format, lint and types at the same time as the tests, which use their own stack, separate from
 * a running `npm start`. Ends with a line `N passed, N failed`; a failed check counts as one failure.
 */
const TEST_ENVIRONMENT = {
  HOLDFAST_HOME: '.holdfast-test',
  SELF_HEAL_AFTER_SECONDS: '1',
  WEBHOOK_RETRY_SCALE: '0.001',
  RATE_LIMIT_SCALE: '100',
  API_PROCESSES: '2',
};
for (const [name, value] of Object.entries(TEST_ENVIRONMENT)) process.env[name] ||= value;

const asked = process.argv.slice(2);
const report = createReport(process.stdout);
const results = new Results(report);
const interrupted = untilInterrupted();
/** Those of the stack are repeated while it runs. */
const onStack = new Retries(results, interrupted);
const besideStack = new Retries(results, interrupted);

let apart: Promise<unknown> | undefined;

/** Runs the files that use no stack, or their own: one group at a time, beside the chaos run, which mostly waits. */
const runApart = ({ pure, launcher }: Groups): Promise<unknown> =>
  (apart ??= (() => {
    const inSequence = async (groups: Group[]): Promise<void> => {
      for (const group of groups) {
        const env = { CHROMIUM_PATH: group.needsBrowser ? await chromium : undefined };
        await besideStack.run(group, env);
      }
    };
    const isChaos = ({ files }: Group): boolean => files.some((file) => file.startsWith('test/chaos/'));
    const others = launcher.filter((group) => !isChaos(group));
    const all = [inSequence(launcher.filter(isChaos)), inSequence([...pure, ...others])];
    return Promise.all(all).then(() => besideStack.repeat());
  })());

/**
 * Runs the files that use the stack: first those that can run concurrently, then those that kill its processes. The
 * latter mostly wait, so the files that do not use the stack run at the same time.
 */
async function runOnStack(all: Groups): Promise<void> {
  const { stack, outages } = all;
  if (stack.length + outages.length === 0) return;
  const settings = readSettings();
  const anyPorts = Object.fromEntries(Object.keys(settings.ports).map((name) => [name, 0])) as Record<
    PortName,
    number
  >;
  const ports = { ...anyPorts, ...(await startProxies()) };
  const work = async (running: Stack): Promise<void> => {
    forgetResponses(running.home.devJson);
    await pauseSchedules(running.dev);
    const env = { HOLDFAST_DEV_JSON: running.home.devJson, CHROMIUM_PATH: await chromium };
    await Promise.all(stack.map((group) => onStack.run(group, env)));
    await onStack.repeat();
    runApart(all).catch(() => undefined);
    for (const group of outages) await onStack.run(group, env);
    await onStack.repeat();
    if (asked.length === 0) await checkResponses(running);
  };
  await withStack({ ...settings, ports }, report, { fresh: true }, work, interrupted);
}

/** Checks that a full run received every success response of the API document. Lists the missing ones. */
async function checkResponses({ home, dev }: Stack): Promise<void> {
  const unseen = await unseenResponses(home.devJson, dev.baseUrl);
  const details = unseen.map((response) => `      ${response}`);
  results.add(unseen.length === 0, 'every response of the document is tested', details);
}

const groups = groupFiles(asked.length > 0 ? asked : findTestFiles());
const needsBrowser = Object.values(groups)
  .flat()
  .some((group: Group) => group.needsBrowser);
const chromium = needsBrowser ? findChromium() : Promise.resolve(undefined);
chromium.catch(() => undefined);
const outcomes = await Promise.allSettled([
  runOnStack(groups).finally(() => runApart(groups)),
  runChecks(results, interrupted),
]);
for (const outcome of outcomes) {
  if (outcome.status === 'rejected') results.add(false, sentenceFor(outcome.reason));
}
process.exit(results.end());
