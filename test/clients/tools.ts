import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { programCache } from '../../dev/launcher/go-install.js';

/** Runs a program. Returns its stdout. Errors: with all of its output. */
export async function run(
  program: string,
  args: string[],
  { cwd, env }: { cwd: string; env?: Record<string, string> },
): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 << 20 };
  const { stdout } = await promisify(execFile)(program, args, options).catch((error) => {
    throw new Error(`${program} ${args.join(' ')} failed: ${error.stdout ?? ''}${error.stderr ?? error}`);
  });
  return stdout;
}

/**
 * The folder with the packages pinned by `files`, which are installed once for all clones of the repository.
 * The installation is in a temporary folder that is renamed, so that concurrent ones do not interfere.
 */
async function installed(
  name: string,
  files: string[],
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(file));
  const home = join(programCache(), `${name}-${digest.digest('hex').slice(0, 12)}`);
  if (existsSync(home)) return home;
  const folder = mkdtempSync(join(programCache(), 'install-'));
  try {
    for (const file of files) copyFileSync(file, join(folder, basename(file)));
    await install(folder);
    if (!existsSync(home)) renameSync(folder, home);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return home;
}

/** The `node_modules` of test/clients/typescript, from its lock file. */
export async function typescriptTools(): Promise<string> {
  const files = ['package.json', 'package-lock.json'].map((file) => join('test/clients/typescript', file));
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const home = await installed('clients-typescript', files, (cwd) => run('npm', args, { cwd }));
  return join(home, 'node_modules');
}

/** The Python of a virtual environment with test/clients/python/requirements.txt. Needs Python 3.11. */
export async function pythonTools(): Promise<string> {
  const home = await installed('clients-python', ['test/clients/python/requirements.txt'], async (cwd) => {
    await run('python3', ['-m', 'venv', 'venv'], { cwd });
    const args = ['-m', 'pip', 'install', '--quiet', '--require-hashes', '-r', 'requirements.txt'];
    await run('venv/bin/python', args, { cwd });
  });
  // Programs in the environment contain the path of the folder in which it was created, so modules are run
  // instead.
  return join(home, 'venv/bin/python');
}
