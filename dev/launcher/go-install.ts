import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Run } from './part.js';

const BUILD_WITHIN_MS = 20 * 60_000;

/** Where programs are kept that are built or downloaded once for all clones. */
export function programCache(): string {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
  mkdirSync(cache, { recursive: true });
  return cache;
}

/** True if there is a Go to build with. */
export const hasGo = (): boolean => spawnSync('go', ['version']).status === 0;

/**
 * Builds a Go program into the cache, in a folder of its own that is then moved into place, so that two starts don't
 * spoil each other's.
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
