import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium } from './chromium.js';
import { untilInterrupted } from './interrupted.js';
import { sentenceFor } from './problem.js';
import { createReport } from './report.js';
import { readSettings, type PortName } from './settings.js';
import { withStack, type Stack } from './stack.js';
import { forgetAnswers, unseenAnswers } from '../../test/support/responses.js';

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

/**
 * Which files run one after the other. Those that have no use for the stack are not told where it is, and run beside the
 * scenarios, which mostly wait for holds to end and processes to come back.
 */
function laneOf(file: string): 'apart' | 'scenarios' | 'calls' {
  if (/^test\/(dev|domain|workflows)\b/.test(file)) return 'apart';
  return /^test\/scenarios\b/.test(file) ? 'scenarios' : 'calls';
}

/** All files of tests, as AVA's own configuration names them. */
function testFiles(): string[] {
  const inside = readdirSync('test', { recursive: true, encoding: 'utf8' });
  return inside.filter((file) => file.endsWith('.test.ts')).map((file) => join('test', file));
}

/**
 * Runs AVA and counts from its TAP output; a crash without a failed test counts as a failure. What is said of a failed
 * test comes in one piece, for another run may go on beside.
 */
async function runAva(files: string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (files.length === 0) return;
  const ava = spawn(
    'node_modules/.bin/ava',
    ['--tap', ...files.map((file) => join('build', file.replace(/\.ts$/, '.js')))],
    {
      env: { ...process.env, ...env, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  interrupted.then(() => ava.kill('SIGTERM'));
  let failures = 0;
  let said: string[] = [];
  const say = (): void => {
    for (const line of said) report.line(line);
    said = [];
  };
  for await (const line of createInterface({ input: ava.stdout })) {
    const [, not, title] = /^(not )?ok \d+ - (.*)$/.exec(line) ?? [];
    if (title !== undefined) {
      say();
      if (not) failures++;
      else passed++;
      if (not) said.push(`  ✘ ${title}`);
      else report.line(`  ✔ ${title}`);
    } else if (said.length > 0 && line.startsWith('  ')) said.push(`    ${line}`);
  }
  say();
  const code = ava.exitCode ?? (await new Promise<number | null>((resolve) => ava.once('close', resolve)));
  failed += code !== 0 && failures === 0 ? 1 : failures;
}

async function runSuite(devJson: string, files: string[]): Promise<void> {
  const CHROMIUM_PATH = findChromium();
  const run = (lane: ReturnType<typeof laneOf>, HOLDFAST_DEV_JSON?: string): Promise<void> =>
    runAva(
      files.filter((file) => laneOf(file) === lane),
      { CHROMIUM_PATH, HOLDFAST_DEV_JSON },
    );
  await Promise.all([run('apart'), run('scenarios', devJson).then(() => run('calls', devJson))]);
}

/** A whole run sees every good answer that the API's document promises; those that nothing tests are named. */
async function checkAnswers({ home, dev }: Stack): Promise<void> {
  const unseen = await unseenAnswers(home.devJson, dev.baseUrl);
  if (unseen.length === 0) passed++;
  else failed++;
  report.line(`  ${unseen.length === 0 ? '✔' : '✘'} every answer of the document is tested`);
  for (const answer of unseen) report.line(`      ${answer}`);
}

const asked = process.argv.slice(2);
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
      await runSuite(stack.home.devJson, asked.length > 0 ? asked : testFiles());
      if (asked.length === 0) await checkAnswers(stack);
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
