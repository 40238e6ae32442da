import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MINUTE_MS } from '../../domain/durations.js';
import type { Run } from './part.js';

const BUILD_WITHIN_MS = 20 * MINUTE_MS;

/** The folder for programs that are built or downloaded once for all clones of the repository. */
export function programCache(): string {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
  mkdirSync(cache, { recursive: true });
  return cache;
}

/** True if Go is installed. */
export const hasGo = (): boolean => spawnSync('go', ['version']).status === 0;

/**
 * Builds a Go program into the cache. Builds in a temporary folder and renames, so that concurrent
 * builds do not interfere.
 */
export async function goInstall(run: Run, module: string, program: string): Promise<string> {
  const cache = programCache();
  const folder = mkdtempSync(join(cache, 'build-'));
  try {
    await run({
      name: 'go-install',
      command: 'go',
      args: ['install', module],
      env: { ...process.env, GOBIN: folder, GOFLAGS: '-trimpath' },
      timeout: BUILD_WITHIN_MS,
    });
    chmodSync(join(folder, program), 0o755);
    renameSync(join(folder, program), join(cache, program));
    return join(cache, program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
