import { spawn } from 'node:child_process';
import type { Result, Results } from './results.js';

const CHECKS = {
  lint: ['node_modules/.bin/oxlint', '--quiet'],
  types: ['node_modules/.bin/tsc', '--noEmit'],
  format: ['node_modules/.bin/oxfmt', '--list-different'],
};
const RULES = [process.execPath, '--enable-source-maps', 'build/dev/lint/main.js'];
const STATES: Record<string, Result['state']> = { '✔': 'passed', '✘': 'failed', '-': 'skipped' };

/** Runs a command. Returns its output, and whether it succeeded. */
async function run(
  [command, ...args]: string[],
  interrupted: Promise<void>,
): Promise<{ output: string; passed: boolean }> {
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  void interrupted.then(() => child.kill('SIGTERM'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { output: output.trimEnd(), passed: code === 0 };
}

/** Lint, types, format and the rules of dev/lint/, in sequence. A check's output is shown if it fails. */
export async function runChecks(results: Results, interrupted: Promise<void>): Promise<void> {
  for (const [name, command] of Object.entries(CHECKS)) {
    const { output, passed } = await run(command, interrupted);
    results.add(passed ? 'passed' : 'failed', name, passed ? [] : [output]);
  }
  addRules(results, await run(RULES, interrupted));
}

/** Adds a result for each rule in the output of `npm run lint:repo`: its mark and name, then its faults. */
export function addRules(
  results: Pick<Results, 'add'>,
  { output, passed }: { output: string; passed: boolean },
): void {
  const states = output.split(/\n(?=\S)/).map((rule) => {
    const [title, ...faults] = rule.split('\n');
    const state = STATES[title![0]!];
    if (state) results.add(state, title!.slice(2), faults);
    return state;
  });
  if (!passed && !states.includes('failed')) results.add('failed', 'rules', [output]);
}
