import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import type { Program } from './part.js';
import { LaunchProblem } from './problem.js';
import type { Say } from './report.js';

const MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const BUILD_WITHIN_MS = 20 * 60_000;

const works = (command: string): boolean =>
  spawnSync(command, ['--version'], { timeout: 20_000 }).status === 0;

/** Finds the Temporal CLI, or builds it: PATH, our cache, then `go install` (contract: the SDK's download first). */
export async function findTemporal(say: Say): Promise<string> {
  if (works('temporal')) return 'temporal';
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'holdfast');
  const cached = join(cache, 'temporal');
  if (existsSync(cached) && works(cached)) return cached;
  mkdirSync(cache, { recursive: true });
  say('downloading Temporal');
  const downloaded = await download(cache);
  if (downloaded) return downloaded;
  if (spawnSync('go', ['version']).status !== 0) {
    throw new LaunchProblem(
      'Temporal is missing, could not be downloaded, and Go to build it is missing too: install Go 1.24 or newer, put a temporal binary on your PATH, or set TEMPORAL_ADDRESS.',
    );
  }
  say('building Temporal, about 5 minutes, once');
  await build(cache, cached);
  return cached;
}

/** The SDK's own download; where it doesn't come through, nothing. */
async function download(cache: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(cache, 'download-'));
  try {
    const script = fileURLToPath(new URL('download-temporal.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, folder], {
      stdio: 'ignore',
      timeout: 60_000,
    });
    await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
    const file = readdirSync(folder).find((name) => name.startsWith('temporal') && works(join(folder, name)));
    if (!file) return undefined;
    renameSync(join(folder, file), join(cache, 'temporal'));
    return join(cache, 'temporal');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds into a folder of its own and moves the result into place, so that two starts don't spoil each other's. */
async function build(cache: string, target: string): Promise<void> {
  const folder = mkdtempSync(join(cache, 'build-'));
  try {
    let output = '';
    const env = { ...process.env, GOBIN: folder, GOFLAGS: '-trimpath' };
    const child = spawn('go', ['install', MODULE], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: BUILD_WITHIN_MS,
    });
    child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) {
      const reason = output.trim().split('\n').at(-1);
      throw new LaunchProblem(
        `Temporal could not be built (${reason}): put a temporal binary on your PATH, or set TEMPORAL_ADDRESS.`,
      );
    }
    chmodSync(join(folder, 'temporal'), 0o755);
    renameSync(join(folder, 'temporal'), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Four partitions a task queue are for a cluster: one worker polls the wrong ones part of the time, and what is
 * forwarded between them makes the tail. An activity whose worker has just scheduled it comes back with that
 * answer instead of by way of the task queue: a booking that nobody is in front of takes 100 ms instead of 150
 * (`npm run bench`).
 */
const SERVER_SETTINGS = {
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'system.enableActivityEagerExecution': true,
};

/** How to run the development server, with its Web UI and its data in a file. */
export function temporalProgram(options: {
  command: string;
  database: string;
  port: number;
  uiPort: number;
}): Program {
  const { command, database, port, uiPort } = options;
  return {
    name: 'temporal',
    command,
    // A write-ahead log survives the death of the process, and saves a disk flush per transaction.
    args: [
      `server start-dev --ip 127.0.0.1 --port ${port} --ui-port ${uiPort} --log-level error`.split(' '),
      '--sqlite-pragma journal_mode=WAL --sqlite-pragma synchronous=NORMAL'.split(' '),
      ['--db-filename', database],
      Object.entries(SERVER_SETTINGS).flatMap(([key, value]) => [
        '--dynamic-config-value',
        `${key}=${value}`,
      ]),
    ].flat(),
    isReady: () => servesNamespace(`127.0.0.1:${port}`),
  };
}

/** True once the server answers for the default namespace. */
async function servesNamespace(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 1_000 });
    try {
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
