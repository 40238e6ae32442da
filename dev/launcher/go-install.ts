import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

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
 * spoil each other's. Throws with the last line of what Go said.
 */
export async function goInstall(module: string, program: string): Promise<string> {
  const cache = programCache();
  const folder = mkdtempSync(join(cache, 'build-'));
  try {
    let output = '';
    const env = { ...process.env, GOBIN: folder, GOFLAGS: '-trimpath' };
    const child = spawn('go', ['install', module], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: BUILD_WITHIN_MS,
    });
    child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
    const code = await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
    if (code !== 0) throw new Error(output.trim().split('\n').at(-1));
    chmodSync(join(folder, program), 0o755);
    renameSync(join(folder, program), join(cache, program));
    return join(cache, program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
