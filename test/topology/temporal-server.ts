import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { goInstall, hasGo, programCache } from '../../dev/launcher/go-install.js';
import type { Program, Run } from '../../dev/launcher/part.js';
import { LaunchProblem } from '../../dev/launcher/problem.js';
import type { TemporalConnection } from '../../config/temporal-connection.js';
import type { Say } from '../../dev/launcher/report.js';

const VERSION = '1.29.1';
const MODULE = 'go.temporal.io/server';
/** The image's value, which compose.yaml does not set: the deploy step makes it longer. */
const RETENTION_SECONDS = 86_400;

/** The programs of a Temporal cluster, and the configuration in its images. */
export interface TemporalPrograms {
  server: string;
  sqlTool: string;
  config: string;
}

/** The programs in the cache. Builds them with Go if they are missing, which takes some minutes. */
export async function findTemporalServer(image: string, say: Say, run: Run): Promise<TemporalPrograms> {
  const [, release] = /:([\d.]+)(@sha256:.*)?$/.exec(image)!;
  if (!VERSION.startsWith(`${release}.`))
    throw new Error(`compose.yaml has Temporal ${release}, and this is for ${VERSION}`);
  const cached = (name: string): string => join(programCache(), `${name}-${VERSION}`);
  const programs = {
    server: cached('temporal-server'),
    sqlTool: cached('temporal-sql-tool'),
    config: `${cached('temporal-server')}.yaml`,
  };
  if (Object.values(programs).every(existsSync)) return programs;
  if (!hasGo())
    throw new LaunchProblem('Go is needed to build the Temporal server: install Go 1.24 or newer.');
  say('building the Temporal server, once');
  for (const [path, program, as] of [
    ['cmd/server', 'server', programs.server],
    ['cmd/tools/sql', 'sql', programs.sqlTool],
  ] as const)
    renameSync(await goInstall(run, `${MODULE}/${path}@v${VERSION}`, program), as);
  const module = execFileSync('go', ['mod', 'download', '-json', `${MODULE}@v${VERSION}`], {
    encoding: 'utf8',
  });
  copyFileSync(join(JSON.parse(module).Dir, 'config', 'docker.yaml'), programs.config);
  return programs;
}

/**
 * Creates the schemas of Temporal's databases on Postgres, as the image `auto-setup`
 * does with `SKIP_DB_CREATE`.
 */
export async function createTemporalSchema(
  { sqlTool }: TemporalPrograms,
  environment: Record<string, string>,
  run: Run,
): Promise<void> {
  const { DB, DB_PORT, POSTGRES_SEEDS, POSTGRES_USER, POSTGRES_PWD } = environment;
  const server = ['--plugin', DB!, '--ep', POSTGRES_SEEDS!, '--port', DB_PORT!, '--user', POSTGRES_USER!];
  for (const [database, schema] of [
    ['temporal', 'postgresql/v12/temporal'],
    ['temporal_visibility', 'postgresql/v12/visibility'],
  ] as const) {
    const tool = (...args: string[]): Promise<void> =>
      run({
        name: 'temporal-schema',
        command: sqlTool,
        args: [...server, '--db', database, ...args],
        env: { ...process.env, SQL_PASSWORD: POSTGRES_PWD },
      });
    await tool('setup-schema', '--version', '0.0');
    await tool('update-schema', '--schema-name', schema);
  }
}

/** A server's ports other than the one for clients. */
export interface TemporalPorts {
  frontend: number;
  /** For the services among themselves. */
  others: number[];
}

const OTHER_PORTS = [
  'FRONTEND_MEMBERSHIP_PORT',
  'FRONTEND_HTTP_PORT',
  'MATCHING_GRPC_PORT',
  'MATCHING_MEMBERSHIP_PORT',
  'HISTORY_GRPC_PORT',
  'HISTORY_MEMBERSHIP_PORT',
  'WORKER_GRPC_PORT',
  'WORKER_MEMBERSHIP_PORT',
];
export const OTHER_TEMPORAL_PORTS = OTHER_PORTS.length;

/**
 * How to run all services of a server in one process, with the configuration and defaults of the image.
 * `client`: how a process of the service connects.
 */
export function temporalServer(
  { server, config }: TemporalPrograms,
  folder: string,
  environment: Record<string, string>,
  ports: TemporalPorts,
  client: TemporalConnection,
): Program {
  mkdirSync(folder, { recursive: true });
  copyFileSync(config, join(folder, 'docker.yaml'));
  return {
    name: 'temporal',
    command: server,
    args: ['--root', folder, '--config', '.', '--env', 'docker', '--allow-no-auth', 'start'],
    env: {
      ...environment,
      // The visibility store reads its port from another variable than the default store.
      POSTGRES_PORT: environment.DB_PORT,
      FRONTEND_GRPC_PORT: String(ports.frontend),
      ...Object.fromEntries(OTHER_PORTS.map((name, n) => [name, String(ports.others[n])])),
      LOG_LEVEL: 'warn',
    },
    isReady: () => serves(client, prepareNamespace),
  };
}

/**
 * The search attributes that the image `auto-setup` adds to its namespace. They occupy columns of the
 * visibility store.
 */
const DEMO_ATTRIBUTES = {
  CustomTextField: 1,
  CustomStringField: 1,
  CustomKeywordField: 2,
  CustomIntField: 3,
  CustomDoubleField: 4,
  CustomBoolField: 5,
  CustomDatetimeField: 6,
};

/** Creates the namespace, as the image `auto-setup` does, and waits until it can be used. */
async function prepareNamespace({ workflowService, operatorService }: Connection): Promise<void> {
  const namespace = 'default';
  const known = await workflowService.describeNamespace({ namespace }).then(
    () => true,
    (error: { code?: number }) => {
      const notFound = 5;
      if (error.code === notFound) return false;
      throw error;
    },
  );
  if (!known) {
    const workflowExecutionRetentionPeriod = { seconds: RETENTION_SECONDS as never };
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  }
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  if (!('CustomTextField' in customAttributes))
    await operatorService.addSearchAttributes({ namespace, searchAttributes: DEMO_ATTRIBUTES });
  await workflowService.countWorkflowExecutions({ namespace, query: 'CustomBoolField IS NULL' });
}

async function serves(
  { options }: TemporalConnection,
  work: (connection: Connection) => Promise<void>,
): Promise<boolean> {
  try {
    const connection = await Connection.connect({ ...options, connectTimeout: 1_000 });
    try {
      await work(connection);
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
