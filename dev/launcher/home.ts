import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasCode, LaunchProblem } from './problem.js';
import { identifyProcess, sendSignal, stillRuns, type RecordedProcess } from './process-identity.js';
import { setTimeout as sleep } from 'node:timers/promises';

const LEAST_FREE_BYTES = 300 * 1024 * 1024;

/** The folder for everything that survives a restart, and the paths in it. */
export interface Home {
  path: string;
  devJson: string;
  secrets: string;
  /** Where the deploy step writes the secrets of new webhook endpoints. */
  webhookSecrets: string;
  logs: string;
  postgres: string;
  temporalDb: string;
  processor: string;
  accounting: string;
  mail: string;
  pictures: string;
  lock: string;
  processes: string;
  /** The ports of the previous start. */
  ports: string;
}

/**
 * Creates the folder if necessary, and `databases` if the data of Postgres and Temporal is to be elsewhere.
 * Mode 0711: as root, Postgres runs as another user who must pass through it.
 */
export function openHome(path: string, databases = path): Home {
  const home = resolve(path);
  for (const folder of [home, databases]) mkdirSync(folder, { recursive: true, mode: 0o711 });
  const { bavail, bsize } = statfsSync(home);
  if (bavail * bsize < LEAST_FREE_BYTES) {
    throw new LaunchProblem(`The disk of ${home} is full: free at least 300 MB and start again.`);
  }
  return {
    path: home,
    devJson: join(home, 'dev.json'),
    secrets: join(home, 'secrets.json'),
    webhookSecrets: join(home, 'webhook-secrets.env'),
    logs: join(home, 'logs'),
    postgres: resolve(databases, 'postgres'),
    temporalDb: resolve(databases, 'temporal', 'temporal.db'),
    processor: join(home, 'processor'),
    accounting: join(home, 'accounting'),
    mail: join(home, 'mail'),
    pictures: join(home, 'pictures'),
    lock: join(home, 'launcher.json'),
    processes: join(home, 'processes.json'),
    ports: join(home, 'ports.json'),
  };
}

/** A folder in `parent` that replaces another path. The same path always gets the same folder. */
export function substituteIn(parent: string, path: string): string {
  const name = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 16);
  return join(parent, `holdfast-${name}`);
}

/** Creates the folders that the parts write to. With `fresh`, first removes the data of earlier runs. */
export function prepareFolders(home: Home, fresh: boolean): void {
  rmSync(home.devJson, { force: true });
  if (fresh) {
    for (const path of [
      home.secrets,
      home.logs,
      home.postgres,
      join(home.temporalDb, '..'),
      home.processor,
      home.accounting,
      home.mail,
      home.pictures,
    ]) {
      rmSync(path, { recursive: true, force: true });
    }
  }
  for (const path of [home.logs, join(home.temporalDb, '..'), home.processor, home.accounting, home.mail]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
}

/** Replaces a file atomically. Mode 0600. */
export function writePrivately(path: string, content: unknown): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

/** The content of a JSON file, or undefined if it does not exist or a crash truncated it. */
export function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Locks a home for this launcher. Throws if another launcher runs on it; takes over the lock of a killed one.
 */
export function lockHome(home: Home): void {
  const holder = readJson<RecordedProcess>(home.lock);
  if (holder && stillRuns(holder)) {
    throw new LaunchProblem(
      `Holdfast is already running in ${home.path} (pid ${holder.pid}): stop it first, or set ` +
        'HOLDFAST_HOME to another folder.',
    );
  }
  rmSync(home.lock, { force: true });
  const own: RecordedProcess = {
    name: 'launcher',
    pid: process.pid,
    identity: identifyProcess(process.pid) ?? '',
  };
  try {
    writeFileSync(home.lock, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    throw new LaunchProblem(`Another process is starting in ${home.path}, so this one stops.`);
  }
}

/** Stops processes that a killed launcher left running. */
export async function endLeftovers(home: Home): Promise<void> {
  const recorded = readJson<RecordedProcess[]>(home.processes) ?? [];
  const leftover = recorded.filter(stillRuns);
  for (const { pid } of leftover) sendSignal(pid, 'SIGTERM');
  const deadline = Date.now() + 3_000;
  while (leftover.some(stillRuns) && Date.now() < deadline) await sleep(50);
  for (const process of leftover.filter(stillRuns)) sendSignal(-process.pid, 'SIGKILL');
  while (leftover.some(stillRuns)) await sleep(50);
  rmSync(home.processes, { force: true });
}

/** Releases the lock, and removes the files that describe a running stack. */
export function releaseHome(home: Home): void {
  for (const path of [home.devJson, home.processes, home.lock]) rmSync(path, { force: true });
}
