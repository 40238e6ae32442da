import { randomBytes } from 'node:crypto';
import { seed } from '../seed.js';
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
import type { Program } from './part.js';
import { reservePorts, type WantedPort } from './ports.js';
import { preparePostgres } from './postgres.js';
import type { Report } from './report.js';
import type { LauncherSettings, PortName } from './settings.js';
import { Supervisor } from './supervisor.js';
import { findTemporal, temporalProgram } from './temporal.js';

/** What dev.json holds (contract: "`.holdfast/dev.json`"). */
export interface DevJson {
  baseUrl: string;
  baseUrls: string[];
  apiKey: string;
  workspaceId: string;
  internalToken: string;
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  temporalUiUrl: string | null;
  processorUrl: string | null;
  accountingUrl: string | null;
  mailUrl: string | null;
  pids: { api: number[]; worker: number[] };
}

interface Secrets {
  postgresPassword: string;
  internalToken: string;
  platformWebhookSecret: string;
  connectWebhookSecret: string;
  encryptionKey: string;
  apiKey?: string;
}

export interface Stack {
  home: Home;
  dev: DevJson;
  /** A room of the seeded workspace, for the first booking. */
  roomId: string;
}

const SIMULATOR_KEY = 'sk_test_holdfast';
const SIMULATOR_APP = { XERO_CLIENT_ID: 'holdfast', XERO_CLIENT_SECRET: 'holdfast-simulator' };
/** As in the `api` and `worker` scripts: a small young generation keeps the process near 170 MB instead of 220, at no cost in speed. */
const LEAN = ['--max-semi-space-size=4'];

const node = (name: string, script: string, env: Record<string, string>, flags: string[] = []): Program => ({
  name,
  command: process.execPath,
  args: [...flags, '--import', 'tsx', script],
  env: { ...process.env, ...env },
});

function readSecrets(home: Home): Secrets {
  const random = (): string => randomBytes(24).toString('hex');
  return {
    postgresPassword: random(),
    internalToken: random(),
    platformWebhookSecret: `whsec_${random()}`,
    connectWebhookSecret: `whsec_${random()}`,
    encryptionKey: randomBytes(32).toString('base64'),
    // A home of an older version lacks what is new.
    ...readJson<Secrets>(home.secrets),
  };
}

/** Ports in the order of their names; each further API process has the next one after PORT. */
async function choosePorts(
  settings: LauncherSettings,
): Promise<{ named: Record<PortName, number>; api: number[] }> {
  const names = Object.keys(settings.ports) as PortName[];
  const wanted: WantedPort[] = names.map((variable) => ({ variable, port: settings.ports[variable] }));
  for (let n = 1; n < settings.apiProcesses; n++) {
    wanted.push({ variable: 'PORT', port: settings.ports.PORT && settings.ports.PORT + n });
  }
  const chosen = await reservePorts(wanted);
  const named = Object.fromEntries(names.map((name, i) => [name, chosen[i]])) as Record<PortName, number>;
  return { named, api: [named.PORT, ...chosen.slice(names.length)] };
}

/** Starts every part in order, seeds the workspace and writes dev.json. The caller stops `supervisor`. */
export async function startStack(
  settings: LauncherSettings,
  home: Home,
  supervisor: Supervisor,
  report: Report,
  options: { fresh: boolean },
): Promise<Stack> {
  const { named, api: apiPorts } = await choosePorts(settings);
  prepareFolders(home, options.fresh);
  const secrets = readSecrets(home);
  writePrivately(home.secrets, secrets);
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  const baseUrl = at(named.PORT);

  let databaseUrl = settings.databaseUrl;
  let temporalAddress = settings.temporalAddress;
  const processorUrl = settings.stripeSecretKey ? null : at(named.PROCESSOR_PORT);
  const ownTemporal = temporalAddress === undefined;
  const accountingUrl = settings.xeroClientId ? null : at(named.ACCOUNTING_PORT);
  const mailUrl = settings.smtpUrl ? null : at(named.MAIL_PORT);
  const stripe = {
    STRIPE_SECRET_KEY: settings.stripeSecretKey ?? SIMULATOR_KEY,
    STRIPE_PLATFORM_WEBHOOK_SECRET:
      process.env.STRIPE_PLATFORM_WEBHOOK_SECRET || secrets.platformWebhookSecret,
    STRIPE_CONNECT_WEBHOOK_SECRET: process.env.STRIPE_CONNECT_WEBHOOK_SECRET || secrets.connectWebhookSecret,
  };

  // Xero's own client comes with the environment, as do its addresses.
  const xero = accountingUrl
    ? { ...SIMULATOR_APP, XERO_ISSUER: accountingUrl, XERO_API_URL: accountingUrl }
    : {};

  await Promise.all([
    databaseUrl === undefined &&
      report.step('Postgres', async () => {
        const { program, url } = await preparePostgres({
          folder: home.postgres,
          port: named.POSTGRES_PORT,
          password: secrets.postgresPassword,
          fresh: options.fresh,
        });
        await supervisor.startBase(program);
        databaseUrl = url;
      }),
    ownTemporal &&
      report.step('Temporal', async (say) => {
        const command = await findTemporal(say);
        say('');
        temporalAddress = `127.0.0.1:${named.TEMPORAL_PORT}`;
        const [database, port, uiPort] = [home.temporalDb, named.TEMPORAL_PORT, named.TEMPORAL_UI_PORT];
        await supervisor.startBase(temporalProgram({ command, database, port, uiPort }));
      }),
    processorUrl &&
      report.step('payment processor (simulator)', () =>
        supervisor.startBase(
          node('processor', 'dev/processor/main.ts', {
            ...stripe,
            PROCESSOR_PORT: String(named.PROCESSOR_PORT),
            PROCESSOR_DATA: home.processor,
            PROCESSOR_WEBHOOK_URL: `${baseUrl}/webhooks/processor`,
          }),
        ),
      ),
    accountingUrl &&
      report.step('accounting (simulator)', () =>
        supervisor.startBase(
          node('accounting', 'dev/accounting/main.ts', {
            ...SIMULATOR_APP,
            ACCOUNTING_PORT: String(named.ACCOUNTING_PORT),
            ACCOUNTING_DATA: home.accounting,
          }),
        ),
      ),
    mailUrl &&
      report.step('mailbox', () =>
        supervisor.startBase(
          node('mailbox', 'dev/mailbox/main.ts', {
            MAIL_PORT: String(named.MAIL_PORT),
            SMTP_PORT: String(named.SMTP_PORT),
            MAIL_DATA: home.mail,
          }),
        ),
      ),
    report.step('workflow bundle', () => supervisor.run(node('bundle', 'worker/bundle.ts', {}))),
  ]);

  const temporalUiUrl = ownTemporal ? at(named.TEMPORAL_UI_PORT) : process.env.TEMPORAL_UI_URL || null;
  const service = {
    ALLOW_HTTP: 'true',
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    ...process.env,
    ...stripe,
    ...xero,
    DATABASE_URL: databaseUrl!,
    TEMPORAL_ADDRESS: temporalAddress!,
    TEMPORAL_NAMESPACE: settings.temporalNamespace,
    TEMPORAL_UI_URL: temporalUiUrl ?? '',
    INTERNAL_TOKEN: secrets.internalToken,
    ENCRYPTION_KEY: process.env.ENCRYPTION_KEY || secrets.encryptionKey,
    STRIPE_API_URL: processorUrl ?? '',
    SMTP_URL: settings.smtpUrl ?? `smtp://127.0.0.1:${named.SMTP_PORT}`,
    HOST: '127.0.0.1',
    PUBLIC_URL: process.env.PUBLIC_URL || baseUrl,
  };
  await report.step('database schema', () => supervisor.run(node('migrate', 'db/migrate.ts', service)));
  const workers = Array.from({ length: settings.workerProcesses }, (_, i) => numbered('worker', i));
  await Promise.all([
    report.step('worker', async () => {
      for (const name of workers) await supervisor.startService(node(name, 'worker/main.ts', service, LEAN));
    }),
    report.step('API', async () => {
      for (const [i, port] of apiPorts.entries()) {
        const env = { ...service, PORT: String(port) };
        await supervisor.startService(node(numbered('api', i), 'api/main.ts', env, LEAN));
      }
    }),
  ]);
  const seeded = await report.step('seeded workspace', () =>
    seed({
      databaseUrl: databaseUrl!,
      baseUrl,
      internalToken: secrets.internalToken,
      accounting: accountingUrl !== null,
      existingApiKey: secrets.apiKey,
    }),
  );
  writePrivately(home.secrets, { ...secrets, apiKey: seeded.apiKey });

  const dev: DevJson = {
    baseUrl,
    baseUrls: apiPorts.map(at),
    apiKey: seeded.apiKey,
    workspaceId: seeded.workspaceId,
    internalToken: secrets.internalToken,
    databaseUrl: databaseUrl!,
    temporalAddress: temporalAddress!,
    temporalNamespace: settings.temporalNamespace,
    temporalUiUrl,
    processorUrl,
    accountingUrl,
    mailUrl,
    pids: { api: supervisor.pids('api'), worker: supervisor.pids('worker') },
  };
  writePrivately(home.devJson, dev);
  return { home, dev, roomId: seeded.roomId };
}

const numbered = (kind: string, index: number): string => (index === 0 ? kind : `${kind}-${index + 1}`);

/**
 * Runs a stack on a home for as long as `work` takes, and stops all of it afterwards, whatever happened.
 * `interrupted` settles when the person at the terminal wants it to end.
 */
export async function withStack<T>(
  settings: LauncherSettings,
  report: Report,
  options: { fresh: boolean },
  work: (stack: Stack) => Promise<T>,
  interrupted: Promise<void>,
): Promise<T | undefined> {
  const home = openHome(settings.home);
  lockHome(home);
  await endLeftovers(home);
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
  try {
    const run = startStack(settings, home, supervisor, report, options).then(work);
    run.catch(() => undefined);
    return await Promise.race([run, interrupted.then(() => undefined)]);
  } finally {
    await supervisor.stop();
    releaseHome(home);
  }
}
