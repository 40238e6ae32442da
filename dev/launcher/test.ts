import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { findChromium } from './chromium.js';
import { untilInterrupted } from './interrupted.js';
import { sentenceFor } from './problem.js';
import { createReport } from './report.js';
import { readSettings, type PortName } from './settings.js';
import { withStack, type Stack } from './stack.js';
import { forgetAnswers, unseenAnswers } from '../../test/support/answers.js';

/**
 * `npm test`: format, lint, types, then the suite on a stack of its own, which shares nothing with a running
 * `npm start`. Ends with a line `N passed, N failed`; a check that fails counts as one failure.
 */
const TEST_ENVIRONMENT = {
  HOLDFAST_HOME: '.holdfast-test',
  SELF_HEAL_AFTER_SECONDS: '1',
  WEBHOOK_RETRY_SCALE: '0.001',
  RATE_LIMIT_SCALE: '100',
  API_PROCESSES: '2',
};
for (const [name, value] of Object.entries(TEST_ENVIRONMENT)) process.env[name] ||= value;

const CHECKS = [
  ['format', 'prettier', ['--check', '--log-level=warn', '.']],
  ['lint', 'oxlint', ['--quiet']],
  ['types', 'tsc', ['--noEmit']],
] as const;

let passed = 0;
let failed = 0;
const report = createReport(process.stdout);

function check(name: string, command: string, args: readonly string[]): void {
  const { status } = spawnSync(`node_modules/.bin/${command}`, args, { stdio: 'inherit' });
  if (status === 0) passed++;
  else failed++;
  report.line(`  ${status === 0 ? '✔' : '✘'} ${name}`);
}

/** Runs AVA and counts from its TAP output; a crash without a failed test counts as a failure. */
async function runSuite(devJson: string, files: string[]): Promise<void> {
  const env = { ...process.env, HOLDFAST_DEV_JSON: devJson, CHROMIUM_PATH: findChromium(), FORCE_COLOR: '0' };
  const ava = spawn('node_modules/.bin/ava', ['--tap', ...files], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  interrupted.then(() => ava.kill('SIGTERM'));
  const failedBefore = failed;
  let inDiagnosis = false;
  for await (const line of createInterface({ input: ava.stdout })) {
    const [, not, title] = /^(not )?ok \d+ - (.*)$/.exec(line) ?? [];
    if (title !== undefined) {
      if (not) failed++;
      else passed++;
      inDiagnosis = Boolean(not);
      report.line(`  ${not ? '✘' : '✔'} ${title}`);
    } else if (inDiagnosis && line.startsWith('  ')) report.line(`    ${line}`);
  }
  const code = ava.exitCode ?? (await new Promise<number | null>((resolve) => ava.once('close', resolve)));
  if (code !== 0 && failed === failedBefore) failed++;
}

/** A whole run sees every good answer that the API's document promises; those that nothing tests are named. */
async function checkAnswers({ home, dev }: Stack): Promise<void> {
  const unseen = await unseenAnswers(home.devJson, dev.baseUrl);
  if (unseen.length === 0) passed++;
  else failed++;
  report.line(`  ${unseen.length === 0 ? '✔' : '✘'} every answer of the document is tested`);
  for (const answer of unseen) report.line(`      ${answer}`);
}

const files = process.argv.slice(2);
const interrupted = untilInterrupted();

try {
  for (const [name, command, args] of CHECKS) check(name, command, args);
  const settings = readSettings();
  const ports = Object.fromEntries(Object.keys(settings.ports).map((name) => [name, 0])) as Record<
    PortName,
    number
  >;
  await withStack(
    { ...settings, ports },
    report,
    { fresh: true },
    async (stack) => {
      forgetAnswers(stack.home.devJson);
      await runSuite(stack.home.devJson, files);
      if (files.length === 0) await checkAnswers(stack);
    },
    interrupted,
  );
} catch (error) {
  console.error(sentenceFor(error));
  failed++;
}
report.close();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
