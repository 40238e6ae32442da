import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { seed } from '../seed.js';
import { addressesOf, type Addresses } from './addresses.js';
import { runDeployStep, secretsOf } from './deploy-step.js';
import {
  endLeftovers,
  lockHome,
  openHome,
  prepareFolders,
  readJson,
  releaseHome,
  writePrivately,
  type Home,
} from './home.js';
import type { Program, Run } from './part.js';
import { choosePorts } from './ports.js';
import { proxyHeaders } from './proxy.js';
import { preparePostgres } from './postgres.js';
import type { Report } from './report.js';
import { readSecrets } from './secrets.js';
import { serviceEnvironment, SIMULATOR_APP, stripeKey, withServiceRole } from './service-environment.js';
import type { LauncherSettings } from './settings.js';
import { Supervisor } from './supervisor.js';
import { findTemporal, temporalProgram, type TemporalSettings } from './temporal.js';

/** The content of dev.json. */
export interface DevJson extends Addresses {
  apiKey: string;
  workspaceId: string;
  internalToken: string;
  pids: { api: number[]; worker: number[] };
}

export interface Stack {
  home: Home;
  dev: DevJson;
  /** A room of the seeded workspace, for the first booking. */
  roomId: string;
  /** The headers of a request to the API that comes as through a proxy. */
  proxyHeaders: Record<string, string>;
  /** Starts another worker process. Returns its pid. */
  startWorker(): Promise<number>;
}

export interface StackOptions {
  /** Removes the data of earlier runs first. */
  fresh: boolean;
  /** A folder for the data of Postgres and Temporal instead of the home. It is removed when the stack has stopped. */
  databases?: string;
  /** Settings of the service beside those of this process. */
  env?: Record<string, string>;
  /** Flags of Node for API and worker; by default those of the `api` and `worker` scripts. */
  nodeFlags?: string[];
  /** Counts statements, if the stack starts Postgres and it can. */
  countsStatements?: boolean;
  /** Settings of Postgres and of Temporal, if the stack starts them. */
  postgresSettings?: Record<string, string>;
  temporalSettings?: TemporalSettings;
}

/** As in the `api` and `worker` scripts. A small young generation saves 50 MB. */
const LEAN = ['--max-semi-space-size=4'];

const node = (
  name: string,
  script: string,
  env: Record<string, string>,
  flags: string[] = [],
  args: string[] = [],
): Program => ({
  name,
  command: process.execPath,
  args: ['--enable-source-maps', ...flags, join('build', script), ...args],
  env: { ...process.env, ...env },
});

/** Starts all parts, seeds the workspace and writes dev.json. The caller stops `supervisor`. */
export async function startStack(
  settings: LauncherSettings,
  home: Home,
  supervisor: Supervisor,
  report: Report,
  options: StackOptions,
): Promise<Stack> {
  const { nodeFlags = LEAN } = options;
  const ports = await choosePorts(settings, home, options);
  prepareFolders(home, options.fresh);
  writePrivately(home.ports, ports);
  const secrets = readSecrets(home);
  const addresses = addressesOf(settings, ports, secrets.postgresPassword);
  const environment = serviceEnvironment(settings, ports, addresses, secrets, {
    ...process.env,
    ...options.env,
  });
  const forwarded = proxyHeaders(environment);
  const { named } = ports;
  const { baseUrl, processorUrl, accountingUrl } = addresses;
  const traced = Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT);
  const run: Run = (program) => supervisor.run(program);

  await Promise.all([
    settings.databaseUrl === undefined &&
      report.step('Postgres', async () => {
        const program = await preparePostgres({
          folder: home.postgres,
          port: named.POSTGRES_PORT,
          password: secrets.postgresPassword,
          fresh: options.fresh,
          settings: options.postgresSettings,
          countsStatements: options.countsStatements,
          run,
        });
        await supervisor.startBase(program);
      }),
    settings.temporalAddress === undefined &&
      report.step('Temporal', async (say) => {
        const command = await findTemporal(say, run);
        say('');
        const [database, port, uiPort] = [home.temporalDb, named.TEMPORAL_PORT, named.TEMPORAL_UI_PORT];
        const { temporalSettings } = options;
        const program = temporalProgram({ command, database, port, uiPort, settings: temporalSettings });
        await supervisor.startBase(program);
      }),
    processorUrl &&
      report.step('payment processor (simulator)', () =>
        supervisor.startBase(
          node('processor', 'dev/processor/main.js', {
            ...stripeKey(settings),
            PROCESSOR_PORT: String(named.PROCESSOR_PORT),
            PROCESSOR_DATA: home.processor,
            PROCESSOR_WEBHOOK_HEADERS: JSON.stringify(forwarded),
          }),
        ),
      ),
    accountingUrl &&
      report.step('accounting (simulator)', () =>
        supervisor.startBase(
          node('accounting', 'dev/accounting/main.js', {
            ...SIMULATOR_APP,
            ACCOUNTING_ISSUER: environment.XERO_ISSUER!,
            ACCOUNTING_PORT: String(named.ACCOUNTING_PORT),
            ACCOUNTING_DATA: home.accounting,
          }),
        ),
      ),
    report.step('mailbox', () =>
      supervisor.startBase(
        node('mailbox', 'dev/mailbox/main.js', {
          MAIL_PORT: String(named.MAIL_PORT),
          SMTP_PORT: String(named.SMTP_PORT),
          MAIL_DATA: home.mail,
        }),
      ),
    ),
    report.step('workflow bundle', () =>
      run(node('bundle', 'worker/bundle.js', {}, [], ['--if-changed', ...(traced ? ['--traced'] : [])])),
    ),
  ]);

  const [webhooks, service] = await Promise.all([
    report.step('Schedules and webhook endpoints', () =>
      runDeployStep({
        environment,
        processorUrl,
        baseUrl,
        known: secrets.webhooks,
        secretsFile: home.webhookSecrets,
        run: (args, env) => run(node('deploy-prepare', 'deploy/prepare.js', env, [], args)),
      }),
    ),
    report.step('database schema', async () => {
      const roles = await withServiceRole(environment, settings, addresses, secrets);
      await run(node('migrate', 'deploy/migrate.js', roles.migration));
      return roles.service;
    }),
  ]);
  writePrivately(home.secrets, { ...secrets, webhooks });
  Object.assign(service, webhooks && secretsOf(webhooks));
  const startWorker = async (): Promise<number> => {
    const name = numbered('worker', supervisor.pids('worker').length);
    await supervisor.startService(node(name, 'worker/main.js', service, nodeFlags));
    return supervisor.pids('worker').at(-1)!;
  };
  await Promise.all([
    report.step('worker', async () => {
      for (let n = 0; n < settings.workerProcesses; n++) await startWorker();
    }),
    report.step('API', async () => {
      for (const [i, port] of ports.api.entries()) {
        const env = { ...service, PORT: String(port) };
        await supervisor.startService(node(numbered('api', i), 'api/main.js', env, nodeFlags));
      }
    }),
  ]);
  const seeded = await report.step('seeded workspace', () =>
    seed({
      databaseUrl: addresses.databaseUrl,
      baseUrl,
      internalToken: secrets.internalToken,
      accounting: accountingUrl !== null,
      existingApiKey: secrets.apiKey,
      proxyHeaders: forwarded,
    }),
  );
  writePrivately(home.secrets, { ...secrets, webhooks, apiKey: seeded.apiKey });

  const dev: DevJson = {
    ...addresses,
    apiKey: seeded.apiKey,
    workspaceId: seeded.workspaceId,
    internalToken: secrets.internalToken,
    pids: { api: supervisor.pids('api'), worker: supervisor.pids('worker') },
  };
  writePrivately(home.devJson, dev);
  return { home, dev, roomId: seeded.roomId, proxyHeaders: forwarded, startWorker };
}

const numbered = (kind: string, index: number): string => (index === 0 ? kind : `${kind}-${index + 1}`);

/**
 * Runs a stack while `work` runs, and always stops it afterwards. When `interrupted` resolves, stops immediately and
 * returns undefined.
 */
export async function withStack<T>(
  settings: LauncherSettings,
  report: Report,
  options: StackOptions,
  work: (stack: Stack) => Promise<T>,
  interrupted: Promise<void>,
): Promise<T | undefined> {
  const home = openHome(settings.home, options.databases);
  lockHome(home);
  const supervisor = new Supervisor({
    logs: home.logs,
    report,
    onChange: (running) => {
      writePrivately(home.processes, running);
      const dev = readJson<DevJson>(home.devJson);
      if (!dev) return;
      writePrivately(home.devJson, {
        ...dev,
        pids: { api: supervisor.pids('api'), worker: supervisor.pids('worker') },
      });
    },
  });
  const stopped = interrupted.then(() => report.line('  Stopping …'));
  // Unexpected errors, such as a full disk under a log, must not leave children running.
  const crashed = new Promise<never>((_, reject) => process.on('uncaughtException', reject));
  try {
    await endLeftovers(home);
    const run = startStack(settings, home, supervisor, report, options).then(work);
    run.catch(() => undefined);
    return await Promise.race([run, crashed, stopped.then(() => undefined)]);
  } finally {
    await supervisor.stop();
    // Kills what could not be stopped.
    await endLeftovers(home);
    if (options.databases) rmSync(options.databases, { recursive: true, force: true });
    releaseHome(home);
  }
}
