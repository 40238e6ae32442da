import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { DevJson } from '../../dev/launcher/stack.js';
import { runDeployStep, secretVariables } from '../../dev/launcher/deploy-step.js';
import { prepareFolders, writePrivately, type Home } from '../../dev/launcher/home.js';
import type { Run } from '../../dev/launcher/part.js';
import { reservePorts } from '../../dev/launcher/ports.js';
import { preparePostgres } from '../../dev/launcher/postgres.js';
import type { Report } from '../../dev/launcher/report.js';
import { SIMULATOR_APP } from '../../dev/launcher/service-environment.js';
import type { Supervisor } from '../../dev/launcher/supervisor.js';
import { startLoadBalancer, type LoadBalancer } from '../support/load-balancer.js';
import { readTemporalConnection } from '../../config/temporal-connection.js';
import { matchesPath, readDeployment, type Deployment } from './deployment.js';
import { at, node, PORTS_OF_A_PROCESS, serviceProcesses, type ServiceProcess } from './service-processes.js';
import {
  createTemporalSchema,
  findTemporalServer,
  OTHER_TEMPORAL_PORTS,
  temporalServer,
} from './temporal-server.js';

/**
 * The certificate of `localhost`, from a private authority whose certificate is `ca.pem`; for this command
 * only.
 */
export const CERTIFICATES = join('test', 'topology', 'certificates');
export const TLS = {
  key: readFileSync(join(CERTIFICATES, 'server.key')),
  cert: readFileSync(join(CERTIFICATES, 'server.pem')),
};

const POSTGRES_USER = 'holdfast';

export interface Topology {
  deployment: Deployment;
  balancer: LoadBalancer;
  apis: ServiceProcess[];
  workers: ServiceProcess[];
  temporal: { start(): Promise<void>; kill(): Promise<string> };
  /** The superuser's URL of the service's database. */
  databaseUrl: string;
  dev: DevJson;
  /** Runs an entry point of the service with the settings of a service in compose.yaml. */
  runJob(name: string, service: string, command?: string[]): Promise<void>;
}

/**
 * Starts what compose.yaml describes as processes of this machine, with its settings. The differences are
 * what one machine without containers cannot have: addresses and ports of the parts, and the outside world,
 * which is simulated.
 */
export async function startTopology(home: Home, supervisor: Supervisor, report: Report): Promise<Topology> {
  const random = (): string => randomBytes(24).toString('hex');
  prepareFolders(home, true);
  const [postgres, frontend, proxy, processor, accounting, mail, smtp, ...rest] = (await reservePorts(
    Array.from({ length: 7 + OTHER_TEMPORAL_PORTS + 4 * PORTS_OF_A_PROCESS }, () => ({
      variable: 'PORT',
      port: 0,
    })),
  )) as [number, number, number, number, number, number, number, ...number[]];
  const others = rest.splice(0, OTHER_TEMPORAL_PORTS);
  const publicUrl = `https://localhost:${proxy}`;

  // What an operator puts into .env.
  const secrets: Record<string, string> = {
    POSTGRES_PASSWORD: random(),
    OWNER_PASSWORD: random(),
    SERVICE_PASSWORD: random(),
    TEMPORAL_PASSWORD: random(),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    INTERNAL_TOKEN: random(),
    STRIPE_SECRET_KEY: 'sk_test_holdfast',
    STRIPE_PLATFORM_WEBHOOK_SECRET: 'not registered yet',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'not registered yet',
    ...SIMULATOR_APP,
    SMTP_URL: `smtp://127.0.0.1:${smtp}`,
    MAIL_FROM: 'Holdfast <no-reply@example.com>',
  };
  const certificates = resolve(home.path, 'certificates');
  const oneMachine = (environment: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value
          .replace('postgres:5432', `127.0.0.1:${postgres}`)
          .replace('temporal:7233', `127.0.0.1:${frontend}`)
          .replace('/run/secrets/temporal-ca.pem', join(certificates, 'ca.pem'))
          .replace('/run/secrets', certificates)
          .replace('/etc/temporal/holdfast.yaml', resolve('ops/compose/temporal.yaml')),
      ]),
    );
  const outside = {
    PUBLIC_URL: publicUrl,
    STRIPE_API_URL: at(processor),
    XERO_ISSUER: at(accounting),
    XERO_API_URL: at(accounting),
    ACCOUNTING_SIMULATOR_URL: at(accounting),
    // The receiver of outgoing webhooks is on this machine. It has TLS.
    ALLOW_PRIVATE_WEBHOOKS: 'true',
  };
  const system = {
    PATH: process.env.PATH!,
    NODE_ENV: 'production',
    // No public authority has signed anything here.
    NODE_EXTRA_CA_CERTS: join(CERTIFICATES, 'ca.pem'),
  };
  const run: Run = (program) => supervisor.run(program);
  let deployment = readDeployment(secrets);
  const serviceEnvironment = (service: string): Record<string, string> => ({
    ...system,
    ...oneMachine(deployment.services[service]!.environment),
    ...outside,
  });

  const superuser = (database: string): string =>
    `postgres://${POSTGRES_USER}:${secrets.POSTGRES_PASSWORD}@127.0.0.1:${postgres}/${database}`;
  await report.step('Postgres', async () => {
    const program = await preparePostgres({
      folder: home.postgres,
      port: postgres,
      password: secrets.POSTGRES_PASSWORD!,
      fresh: true,
      run,
    });
    const limit = program.args.findIndex((argument) => argument.startsWith('max_connections='));
    // The image's value, unless compose.yaml sets another.
    program.args[limit] =
      deployment.services.postgres!.command?.find((argument) => argument.startsWith('max_connections=')) ??
      'max_connections=100';
    await supervisor.startBase({ ...program, isReady: () => accepts(superuser('postgres')) });
    await execute(superuser('postgres'), deployment.roles);
  });
  const temporalEnvironment = {
    ...oneMachine(deployment.services.temporal!.environment),
    DB_PORT: String(postgres),
    POSTGRES_SEEDS: '127.0.0.1',
  };
  const temporal = await report.step('Temporal on Postgres', async (say) => {
    const programs = await findTemporalServer(deployment.services.temporal!.image, say, run);
    say('');
    await run({ name: 'certificates', command: 'sh', args: ['ops/compose/certificates.sh', certificates] });
    await createTemporalSchema(programs, temporalEnvironment, run);
    const folder = join(home.path, 'temporal');
    const client = readTemporalConnection(serviceEnvironment('api'));
    const program = temporalServer(programs, folder, temporalEnvironment, { frontend, others }, client);
    await supervisor.startBase(program);
    return program;
  });
  await report.step('simulators, mailbox', () =>
    Promise.all(
      [
        node('processor', ['build/dev/processor/main.js'], {
          STRIPE_SECRET_KEY: secrets.STRIPE_SECRET_KEY!,
          PROCESSOR_PORT: String(processor),
          PROCESSOR_DATA: home.processor,
        }),
        node('accounting', ['build/dev/accounting/main.js'], {
          ...SIMULATOR_APP,
          ACCOUNTING_ISSUER: at(accounting),
          ACCOUNTING_PORT: String(accounting),
          ACCOUNTING_DATA: home.accounting,
        }),
        node('mailbox', ['build/dev/mailbox/main.js'], {
          MAIL_PORT: String(mail),
          SMTP_PORT: String(smtp),
          MAIL_DATA: home.mail,
        }),
      ].map((program) => supervisor.startBase({ ...program, env: { ...system, ...program.env } })),
    ),
  );
  const runJob = (name: string, service: string, command?: string[]): Promise<void> =>
    run(node(name, command ?? deployment.services[service]!.command, serviceEnvironment(service)));
  await run(node('bundle', ['build/worker/bundle.js', '--if-changed'], { ...system }));

  await report.step('deploy step', async () => {
    // Once, where the public address is known: the registrations at the processor,
    // whose secrets go into .env.
    const registered = await runDeployStep({
      environment: serviceEnvironment('prepare'),
      processorUrl: at(processor),
      baseUrl: publicUrl,
      known: undefined,
      secretsFile: home.webhookSecrets,
      run: (args, env) => run(node('register', ['build/deploy/prepare.js', ...args], env)),
    });
    Object.assign(secrets, secretVariables(registered!));
    deployment = readDeployment(secrets);
    await runJob('migrate', 'migrate');
    await runJob('prepare', 'prepare');
    await runJob('check', 'prepare', ['build/deploy/check.js']);
  });

  const listProcesses = (kind: 'api' | 'worker'): ServiceProcess[] => {
    const service = deployment.services[kind]!;
    const ports = rest.splice(0, PORTS_OF_A_PROCESS * service.deploy!.replicas);
    return serviceProcesses({ kind, service, ports, env: serviceEnvironment(kind), supervisor });
  };
  const [workers, apis] = [listProcesses('worker'), listProcesses('api')];
  await report.step('two workers, two API processes', () =>
    Promise.all([...workers, ...apis].map((each) => each.start())),
  );
  const balancer = await startLoadBalancer(
    apis.map(({ url }) => url),
    {
      tls: TLS,
      port: proxy,
      checkEveryMs: deployment.refreshMs,
      isInternal: (path) => matchesPath(deployment.proxy.internal, path),
    },
  );
  const dev: DevJson = {
    baseUrl: publicUrl,
    baseUrls: apis.map(({ url }) => url),
    internalUrl: apis[0]!.internalUrl,
    databaseUrl: superuser('holdfast'),
    temporalAddress: `127.0.0.1:${frontend}`,
    temporalNamespace: 'default',
    temporalUiUrl: null,
    processorUrl: at(processor),
    accountingUrl: at(accounting),
    mailUrl: at(mail),
    apiKey: '',
    workspaceId: '',
    internalToken: secrets.INTERNAL_TOKEN!,
    pids: { api: [], worker: [] },
  };
  writePrivately(home.devJson, dev);
  return {
    deployment,
    balancer,
    apis,
    workers,
    temporal: {
      start: () => supervisor.startBase(temporal),
      kill: () => supervisor.stopPart(temporal.name, 0),
    },
    databaseUrl: dev.databaseUrl,
    dev,
    runJob,
  };
}

async function execute(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const accepts = (url: string): Promise<boolean> =>
  execute(url, ['SELECT']).then(
    () => true,
    () => false,
  );
