import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import { MINUTE_MS } from '../../domain/durations.js';
import { goInstall, hasGo, programCache } from './go-install.js';
import type { Program, Run } from './part.js';
import { LaunchProblem } from './problem.js';
import type { Say } from './report.js';

export const TEMPORAL_MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';

const works = (command: string): boolean =>
  spawnSync(command, ['--version'], { timeout: 20_000 }).status === 0;

let found: Promise<string> | undefined;

/**
 * Finds the Temporal CLI on PATH or in the cache, downloads it with the SDK, or else builds it with Go. All
 * stacks of a process share the first result, as each build keeps all cores busy for minutes.
 */
export const findTemporal = (say: Say, run: Run): Promise<string> => (found ??= find(say, run));

async function find(say: Say, run: Run): Promise<string> {
  if (works('temporal')) return 'temporal';
  const cache = programCache();
  const cached = join(cache, 'temporal');
  if (existsSync(cached) && works(cached)) return cached;
  say('downloading Temporal');
  const downloaded = await download(run, cache);
  if (downloaded) return downloaded;
  if (!hasGo()) {
    throw new LaunchProblem(
      'Temporal is not installed and could not be downloaded, and Go, which could build it, is not ' +
        'installed: install Go 1.24 or newer, put a temporal binary on your PATH, or set TEMPORAL_ADDRESS.',
    );
  }
  say('building Temporal, about 5 minutes, once');
  return build(run);
}

/** Downloads with the SDK. Returns undefined if that fails. */
async function download(run: Run, cache: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(cache, 'download-'));
  try {
    const script = fileURLToPath(new URL('download-temporal.js', import.meta.url));
    const args = [script, folder];
    await run({ name: 'temporal-download', command: process.execPath, args, timeout: MINUTE_MS });
    const file = readdirSync(folder).find((name) => name.startsWith('temporal') && works(join(folder, name)));
    if (!file) return undefined;
    renameSync(join(folder, file), join(cache, 'temporal'));
    return join(cache, 'temporal');
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds with Go into the cache. */
async function build(run: Run): Promise<string> {
  try {
    return await goInstall(run, TEMPORAL_MODULE, 'temporal');
  } catch (error) {
    throw new LaunchProblem(
      `Temporal could not be built (${(error as Error).message.replace(/\.$/, '')}): put a temporal ` +
        'binary on your PATH, or set TEMPORAL_ADDRESS.',
    );
  }
}

/**
 * One partition for each task queue: the default of four is for clusters, and with one worker adds forwarding
 * to the tail latency. With eager execution, an activity is returned to the worker that scheduled it in the
 * same response instead of through the task queue: a booking takes 100 ms instead of 150 (`npm run bench`).
 *
 * A history shard reads each of its task queues at most 20 times a second, a default meant for clusters
 * with hundreds of shards. The development server has one shard, so every start, signal and timer would wait
 * for up to 50 ms.
 */
export const SERVER_SETTINGS: TemporalSettings = {
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'system.enableActivityEagerExecution': true,
  'history.transferProcessorMaxPollRPS': 1_000,
  'history.timerProcessorMaxPollRPS': 1_000,
  'history.visibilityProcessorMaxPollRPS': 1_000,
};

/** The server's settings: its dynamic configuration. */
export type TemporalSettings = Record<string, number | boolean>;

/**
 * How to run the development server, with the Web UI and its data in a file. `settings` are added to ours.
 */
export function temporalProgram(options: {
  command: string;
  database: string;
  port: number;
  uiPort: number;
  settings?: TemporalSettings;
}): Program {
  const { command, database, port, uiPort, settings } = options;
  return {
    name: 'temporal',
    command,
    // A write-ahead log survives a killed process, and saves a flush per transaction.
    args: [
      `server start-dev --ip 127.0.0.1 --port ${port} --ui-port ${uiPort} --log-level error`.split(' '),
      '--sqlite-pragma journal_mode=WAL --sqlite-pragma synchronous=NORMAL'.split(' '),
      ['--db-filename', database],
      Object.entries({ ...SERVER_SETTINGS, ...settings }).flatMap(([key, value]) => [
        '--dynamic-config-value',
        `${key}=${value}`,
      ]),
    ].flat(),
    isReady: () => servesNamespace(`127.0.0.1:${port}`),
  };
}

/** True once the server serves the default namespace. */
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
