import { untilInterrupted } from '../launcher/interrupted.js';
import { sentenceFor } from '../launcher/problem.js';
import { createReport } from '../launcher/report.js';
import { readSettings, type PortName } from '../launcher/settings.js';
import { withStack, type Stack } from '../launcher/stack.js';
import { forgetResponses, unseenResponses } from '../../test/support/responses.js';
import { runGroup } from './ava.js';
import { runChecks } from './checks.js';
import { findChromium } from './chromium.js';
import { findTestFiles } from './files.js';
import { groupFiles, type Group, type Groups } from './groups.js';
import { Results } from './results.js';

/**
 * `npm test [files]`: format, lint and types beside the tests, which use a stack of their own that shares nothing with
 * a running `npm start`. Ends with a line `N passed, N failed`; a check that fails counts as one failure.
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

/** The files that use no stack, or one of their own. */
async function runApart({ pure, launcher }: Groups): Promise<void> {
  for (const group of [...pure, ...launcher]) {
    const env = { CHROMIUM_PATH: group.needsBrowser ? await chromium : undefined };
    await runGroup(group, env, results, interrupted);
  }
}

/** The files that use the stack: side by side, then those that kill its processes. */
async function runOnStack({ stack, outages }: Groups): Promise<void> {
  if (stack.length + outages.length === 0) return;
  const settings = readSettings();
  const ports = Object.fromEntries(Object.keys(settings.ports).map((name) => [name, 0])) as Record<
    PortName,
    number
  >;
  const work = async (running: Stack): Promise<void> => {
    forgetResponses(running.home.devJson);
    const env = { HOLDFAST_DEV_JSON: running.home.devJson, CHROMIUM_PATH: await chromium };
    await Promise.all(stack.map((group) => runGroup(group, env, results, interrupted)));
    for (const group of outages) await runGroup(group, env, results, interrupted);
    if (asked.length === 0) await checkResponses(running);
  };
  await withStack({ ...settings, ports }, report, { fresh: true }, work, interrupted);
}

/** A whole run sees every success response of the API document; untested ones are listed. */
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
  runOnStack(groups),
  runApart(groups),
  runChecks(results, interrupted),
]);
for (const outcome of outcomes) {
  if (outcome.status === 'rejected') results.add(false, sentenceFor(outcome.reason));
}
process.exit(results.end());
