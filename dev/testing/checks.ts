import { spawn } from 'node:child_process';
import type { Results } from './results.js';

const CHECKS = {
  lint: ['node_modules/.bin/oxlint', '--quiet'],
  types: ['node_modules/.bin/tsc', '--noEmit'],
  format: ['node_modules/.bin/oxfmt', '--list-different'],
  repo: [process.execPath, '--enable-source-maps', 'build/dev/lint/main.js', '--quiet'],
};

/** Lint, types, format and the rules of dev/lint/, in sequence. A check's output is shown if it fails. */
export async function runChecks(results: Results, interrupted: Promise<void>): Promise<void> {
  for (const [name, [command, ...args]] of Object.entries(CHECKS)) {
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    void interrupted.then(() => child.kill('SIGTERM'));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    results.add(code === 0, name, code === 0 ? [] : [output.trimEnd()]);
  }
}
