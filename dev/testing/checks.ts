import { spawn } from 'node:child_process';
import type { Results } from './results.js';

const CHECKS = {
  lint: ['oxlint', '--quiet'],
  types: ['tsc', '--noEmit'],
  format: ['oxfmt', '--list-different'],
};

/** Lint, types and format, in sequence. The output of a check is shown if it fails. */
export async function runChecks(results: Results, interrupted: Promise<void>): Promise<void> {
  for (const [name, [command, ...args]] of Object.entries(CHECKS)) {
    const child = spawn(`node_modules/.bin/${command}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    void interrupted.then(() => child.kill('SIGTERM'));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    results.add(code === 0, name, code === 0 ? [] : [output.trimEnd()]);
  }
}
