import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import test, { type ExecutionContext } from 'ava';
import { FINISH_MS } from '../../api/drain.js';
import { HEALTH_PATHS } from '../../api/health.js';
import { loadApiConfig, loadDatabaseConfig, loadDeployConfig, loadWorkerConfig } from '../../config.js';
import { SECRETS } from '../../secret-files.js';
import { listSettings } from '../../settings.js';
import { webhookTaskQueues } from '../../contract/webhooks.js';
import { MAX_THREADS, THREAD_LIMITS } from '../../commands/paper/drawing.js';
import { WORKFLOW_THREADS } from '../../worker/slots.js';
import { canRender } from './go-modules.js';
import {
  compose,
  containerOf,
  environmentOf,
  find,
  podsOf,
  processOf,
  read,
  rendered,
  sourceOf,
  variablesOf,
} from './manifests.js';

const testRendered = canRender ? test : test.skip;
const settings = listSettings();
const known = new Set([...settings.map(({ name }) => name), 'NODE_OPTIONS']);

/** How each process reads its settings, and the secrets of others that it does not get. */
const PROCESSES = {
  api: [loadApiConfig, 'SMTP_URL', 'XERO_CLIENT_SECRET', 'STRIPE_SECRET_KEY'],
  worker: [
    loadWorkerConfig,
    'INTERNAL_TOKEN',
    'STRIPE_PLATFORM_WEBHOOK_SECRET',
    'STRIPE_CONNECT_WEBHOOK_SECRET',
  ],
  migrate: [loadDatabaseConfig, ...SECRETS.filter((name) => !name.startsWith('DATABASE'))],
  prepare: [loadDeployConfig, ...SECRETS.filter((name) => name !== 'STRIPE_SECRET_KEY')],
} as const;

/** Values for what an operator fills in, where a name is not enough. */
const FILLED_IN: Record<string, string> = {
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  INTERNAL_TOKEN: 'at least 16 characters',
  SMTP_URL: 'smtp://127.0.0.1',
  DATABASE_URL: 'postgres://postgres/holdfast',
  DATABASE_OWNER_URL: 'postgres://postgres/holdfast',
  WEBHOOK_PROXY_URL: 'http://proxy:4750',
  OPERATOR_EMAILS: 'ops@example.com',
  RECOVER_SINCE: '2026-01-01T00:00:00Z',
  STRIPE_PLATFORM_CHANGED_TO: 'acct_1',
  SECURITY_CONTACT: 'mailto:security@example.com',
  ...Object.fromEntries(
    [
      'ACCOUNTING_SIMULATOR_URL',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'PICTURES_S3_ENDPOINT',
      'STRIPE_API_URL',
      'TEMPORAL_UI_URL',
    ].map((name) => [name, 'https://example.com']),
  ),
};
const defaults = new Map(settings.map((setting) => [setting.name, setting.default]));

/** An environment in which a process starts. Fails if it lacks a setting, or has another process's secret. */
function assertOwnSettings(
  t: ExecutionContext,
  name: keyof typeof PROCESSES,
  environment: Record<string, string | null>,
): void {
  const [load, ...others] = PROCESSES[name];
  for (const other of others) t.false(other in environment, `${name} has ${other}`);
  t.is('DATABASE_OWNER_URL' in environment, name === 'migrate');
  for (const setting of Object.keys(environment)) t.true(known.has(setting), `${setting} is a setting`);
  // Files that are there in the container.
  const ofFiles = /^TEMPORAL_(API_KEY_FILE|API_KEY|TLS.*|CONFIG_FILE|PROFILE)$/;
  const given = Object.entries(environment)
    .filter(([setting]) => !ofFiles.test(setting))
    .map(([setting, value]) => [
      setting,
      FILLED_IN[setting] ??
        String(value ?? defaults.get(setting) ?? 'filled').replace(/\$\{[^}]*\}/g, 'filled'),
    ]);
  t.notThrows(() => load(Object.fromEntries(given)), name);
}

/** Settings of settings.env that are commented out, with their default. */
const optional = (): Record<string, null> =>
  Object.fromEntries(
    [...read('ops/kubernetes/settings.env').matchAll(/^# ([A-Z0-9_]+)=/gm)].map(([, name]) => [name!, null]),
  );

test('every setting is in every way to deploy', async (t) => {
  const names = settings.map(({ name }) => name);
  const ofCompose = new Set([
    ...Object.keys(variablesOf('ops/compose/holdfast.env')),
    ...['api', 'worker', 'migrate'].flatMap((name) => Object.keys(compose.services[name]!.environment)),
  ]);
  t.deepEqual(
    names.filter((name) => !ofCompose.has(name)),
    [],
    'compose.yaml',
  );
  const kubernetes = ['settings.env', 'secrets.sh', 'api.yaml', 'worker.yaml']
    .map((file) => read(`ops/kubernetes/${file}`))
    .join('\n');
  t.deepEqual(
    names.filter((name) => !new RegExp(`\\b${name}\\b`).test(kubernetes)),
    [],
    'ops/kubernetes',
  );
  const commented = Object.keys(optional());
  t.deepEqual(
    commented.filter((name) => !known.has(name)),
    [],
  );
  t.deepEqual(
    commented.map((name) => [
      name,
      /^# \S+?=(.*)$/.exec(
        read('ops/kubernetes/settings.env')
          .split('\n')
          .find((line) => line.startsWith(`# ${name}=`))!,
      )![1],
    ]),
    commented.map((name) => [name, defaults.get(name) ?? '']),
    'with its default',
  );
});

test('a setting that .env has reaches every process of compose.yaml that reads it, and the address of all is that of the proxy', (t) => {
  // What has no value there is taken from .env.
  for (const name of ['api', 'worker'])
    for (const setting of ['RECOVER_SINCE', 'PICTURES_S3_BUCKET', 'OPERATOR_EMAILS', 'SECURITY_CONTACT'])
      t.is(compose.services[name]!.environment[setting], null, `${setting} of ${name}`);
  t.is(compose.services.worker.environment.WEBHOOK_PROXY_URL, null);
  const { HOLDFAST_HOST } = compose.services.proxy!.environment;
  for (const name of ['api', 'worker', 'prepare'])
    t.is(compose.services[name]!.environment.PUBLIC_URL, `https://${HOLDFAST_HOST}`);
  const fixed = Object.keys(variablesOf('ops/compose/holdfast.env'));
  for (const name of Object.keys(PROCESSES))
    for (const setting of Object.keys(compose.services[name]!.environment))
      t.false(fixed.includes(setting), `${setting} is set twice for ${name}`);
});

test('every variable of .env that compose.yaml takes is described', (t) => {
  const taken = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
  const guide = read('docs/guides/deploy.md');
  for (const name of new Set(taken)) t.true(known.has(name) || guide.includes(`\`${name}\``), name);
});

testRendered(
  'every pod has the settings that it needs, none that the service does not know, and no secrets of others',
  async (t) => {
    const manifests = await rendered();
    const pods = podsOf(manifests);
    t.deepEqual(pods.map(processOf).toSorted(), ['api', 'migrate', 'prepare', 'worker']);
    for (const pod of pods) {
      const name = processOf(pod) as keyof typeof PROCESSES;
      const environment = environmentOf(manifests, pod);
      assertOwnSettings(t, name, environment);
      assertOwnSettings(t, name, { ...optional(), ...environment });
      t.true(existsSync(sourceOf(containerOf(pod).args)), containerOf(pod).args[0]);
      const mounted = pod.spec.template.spec.volumes?.map(({ secret }) => secret.secretName) ?? [];
      t.deepEqual(
        mounted,
        name === 'migrate' ? [] : ['holdfast-temporal'],
        `${name}: the migrations call Postgres only`,
      );
    }
  },
);

testRendered(
  'probes ask paths and ports that exist, and pods may take as long as the processes do to stop',
  async (t) => {
    const manifests = await rendered();
    for (const name of ['holdfast-api', 'holdfast-worker']) {
      const deployment = find(manifests, 'Deployment', name);
      const container = containerOf(deployment);
      const ports = new Map(container.ports.map((port) => [port.name, port.containerPort]));
      const environment = environmentOf(manifests, deployment);
      const listened = { http: 8080, metrics: Number(environment.METRICS_PORT) };
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
        if (name === 'holdfast-worker' && probe === 'readinessProbe') continue;
        const { path, port } = container[probe].httpGet;
        t.true(HEALTH_PATHS.includes(path), path);
        t.is(ports.get(port), listened[port]);
        t.is(
          path === '/health',
          probe === 'readinessProbe',
          'a database that is unavailable restarts nothing',
        );
      }
      const budget = find(manifests, 'PodDisruptionBudget', name);
      t.deepEqual(budget.spec.selector, deployment.spec.selector);
      t.deepEqual(deployment.spec.selector.matchLabels, deployment.spec.template.metadata.labels);
      t.is(deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
    }
    const drain = settings.find(({ name }) => name === 'DRAIN_SECONDS')!.default;
    const api = find(manifests, 'Deployment', 'holdfast-api').spec.template.spec
      .terminationGracePeriodSeconds;
    t.true(api > Number(drain) + FINISH_MS / 1_000);
    t.is(compose.services.api.stop_grace_period, `${api}s`);
  },
);

testRendered('one missed query of Postgres takes no API pod out of service', async (t) => {
  const api = find(await rendered(), 'Deployment', 'holdfast-api');
  const { periodSeconds, timeoutSeconds = 1, failureThreshold } = containerOf(api).readinessProbe;
  t.true(failureThreshold >= 3, 'a failure is not enough');
  t.true(periodSeconds * failureThreshold >= 30, 'nor is a failover');
  t.true(timeoutSeconds >= 5, 'nor a database that takes seconds');
});

testRendered('workers are scaled by each of their queues, and never to none', async (t) => {
  const manifests = await rendered();
  const { minReplicaCount, triggers, scaleTargetRef } = find(
    manifests,
    'ScaledObject',
    'holdfast-worker',
  ).spec;
  t.true(minReplicaCount >= 2);
  t.truthy(find(manifests, 'Deployment', scaleTargetRef.name));
  const { TEMPORAL_NAMESPACE, TEMPORAL_ADDRESS } = variablesOf('ops/kubernetes/settings.env');
  const queue = defaults.get('TEMPORAL_TASK_QUEUE')!;
  t.deepEqual(
    triggers.map(({ metadata }) => metadata.taskQueue).toSorted(),
    [queue, ...Object.values(webhookTaskQueues(queue))].toSorted(),
  );
  for (const { metadata } of triggers)
    t.like(metadata, { namespace: TEMPORAL_NAMESPACE, endpoint: TEMPORAL_ADDRESS });
});

/** What a process has beside its heaps, in MB, as measured (docs/operations.md#memory): Node, the SDK's library, what malloc keeps. */
const NATIVE = { api: 90, worker: 120 };
const megabytes = (text: string): number => Number(/^(\d+)M/.exec(text)![1]);

testRendered(
  'the heaps of a process, and what it has beside them, are within the limit of its memory',
  async (t) => {
    const manifests = await rendered();
    const { maxOldGenerationSizeMb, maxYoungGenerationSizeMb } = THREAD_LIMITS;
    const [, semiSpace] = /--max-semi-space-size=(\d+)/.exec(
      read('Dockerfile').match(/^ENTRYPOINT .*$/m)![0],
    )!;
    for (const name of ['api', 'worker'] as const) {
      const pod = find(manifests, 'Deployment', `holdfast-${name}`);
      const { resources } = compose.services[name].deploy;
      for (const [options, limit] of [
        [environmentOf(manifests, pod).NODE_OPTIONS, containerOf(pod).resources.limits.memory],
        [compose.services[name].environment.NODE_OPTIONS, resources.limits.memory],
      ]) {
        const [, heap] = /^--max-old-space-size=(\d+)$/.exec(options!)!;
        // Young generations are three semi-spaces. The flags of a process apply to each of its threads that has no limits of its own.
        const perThread = Number(heap) + 3 * Number(semiSpace);
        const heaps = perThread * (name === 'worker' ? 1 + WORKFLOW_THREADS : 1);
        const drawing = MAX_THREADS * (maxOldGenerationSizeMb + maxYoungGenerationSizeMb);
        const most = heaps + drawing + NATIVE[name];
        t.true(most <= megabytes(limit!), `${name} may use ${most} MB of ${limit}`);
      }
    }
  },
);

testRendered(
  'containers have no capability that they do not need, and ours cannot write or reach the cluster',
  async (t) => {
    for (const pod of podsOf(await rendered())) {
      const { automountServiceAccountToken, securityContext } = pod.spec.template.spec;
      t.is(automountServiceAccountToken, false, pod.metadata.name);
      t.true(securityContext.runAsNonRoot);
      t.like(containerOf(pod).securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    for (const [name, service] of Object.entries(compose.services))
      t.deepEqual(service.cap_drop, ['ALL'], name);
    for (const name of ['api', 'worker', 'migrate', 'prepare'])
      t.like(compose.services[name], { read_only: true, security_opt: ['no-new-privileges:true'] }, name);
  },
);

test('compose.yaml starts processes that exist with settings that exist', (t) => {
  const shared = variablesOf('ops/compose/holdfast.env');
  for (const name of Object.keys(PROCESSES) as (keyof typeof PROCESSES)[]) {
    const { command, environment, depends_on } = compose.services[name]!;
    t.true(existsSync(sourceOf(command)), command[0]);
    const all = { ...shared, ...environment };
    assertOwnSettings(t, name, all);
    for (const other of Object.keys(depends_on)) t.truthy(compose.services[other], other);
  }
  const scraped = parse(read('ops/prometheus/prometheus.yaml')).scrape_configs as {
    dns_sd_configs: [{ names: [string]; port: number }];
  }[];
  for (const { dns_sd_configs } of scraped) {
    const [{ names, port }] = dns_sd_configs;
    t.truthy(compose.services[names[0]]);
    t.true([shared.METRICS_PORT, shared.METRICS_SDK_PORT].includes(String(port)));
  }
  const [, keptByProxy] = /keepalive (\d+)s/.exec(read('ops/compose/Caddyfile'))!;
  const keptByApi = settings.find(({ name }) => name === 'KEEP_ALIVE_SECONDS')!.default;
  t.true(Number(keptByApi) > Number(keptByProxy), 'the proxy is the one that closes an idle connection');
  t.notRegex(read('ops/compose/Caddyfile'), /dynamic a[^]*health_/, 'Caddy does not check dynamic upstreams');
  for (const { volumes = [] } of Object.values(compose.services))
    for (const volume of volumes)
      if (volume.startsWith('./')) t.true(existsSync(volume.split(':')[0]!), volume);
});

test('Temporal has a database role that owns its databases and reaches no other, and so have the processes of the service', (t) => {
  const { environment } = compose.services.temporal!;
  t.like(environment, {
    POSTGRES_USER: 'temporal',
    POSTGRES_PWD: '${TEMPORAL_PASSWORD:?}',
    SKIP_DB_CREATE: true,
  });
  t.is(compose.services.postgres.environment.TEMPORAL_PASSWORD, '${TEMPORAL_PASSWORD:?}');
  const roles = read('ops/compose/create-roles.sh');
  t.regex(roles, /--set temporal_password="\$TEMPORAL_PASSWORD"/);
  t.regex(roles, /^CREATE ROLE temporal LOGIN PASSWORD :'temporal_password';$/m);
  for (const database of ['temporal', 'temporal_visibility'])
    t.regex(roles, new RegExp(`^CREATE DATABASE ${database} OWNER temporal;$`, 'm'));
  for (const database of ['holdfast', 'temporal', 'temporal_visibility'])
    t.regex(roles, new RegExp(`^REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC;$`, 'm'));
  for (const { environment: given = {} } of Object.values(compose.services))
    if (given !== compose.services.postgres.environment)
      t.false(JSON.stringify(given).includes('${POSTGRES_PASSWORD'), 'only Postgres has the superuser');
});

testRendered(
  'Prometheus keeps its data on a volume, and the database is dumped every day onto one, in both ways to deploy',
  async (t) => {
    const manifests = await rendered();
    const text = (kind: string, name: string): string => JSON.stringify(find(manifests, kind, name));
    const data = '/prometheus';
    t.true(compose.services.prometheus!.volumes!.includes(`prometheus:${data}`));
    t.true(compose.services.prometheus!.command.includes(`--storage.tsdb.path=${data}`));
    const prometheus = text('StatefulSet', 'holdfast-prometheus');
    t.true(prometheus.includes(`--storage.tsdb.path=${data}`));
    t.true(prometheus.includes(`{"mountPath":"${data}","name":"data"}`));
    t.regex(prometheus, /"volumeClaimTemplates":\[\{.*"name":"data"/);

    t.true(compose.services.backup!.volumes!.includes('backup:/backup'));
    t.true(compose.services.backup!.volumes!.includes('./ops/backup/backup.sh:/backup.sh:ro'));
    t.is(
      compose.services.backup!.environment.DATABASE_OWNER_URL,
      compose.services.migrate!.environment.DATABASE_OWNER_URL!,
    );
    const backup = text('CronJob', 'holdfast-backup');
    t.regex(backup, /"schedule":"\d+ \d+ \* \* \*"/);
    for (const part of [
      '"secretRef":{"name":"holdfast-owner"}',
      '"claimName":"holdfast-backup"',
      '"mountPath":"/backup"',
      '/scripts/backup.sh',
    ])
      t.true(backup.includes(part), part);
    t.truthy(find(manifests, 'PersistentVolumeClaim', 'holdfast-backup'));
  },
);

test('Postgres accepts the connections of all processes, of those that a release starts beside them, and of Temporal', (t) => {
  const pool = Number(defaults.get('DATABASE_POOL_SIZE')!);
  const processes = (['api', 'worker'] as const).map((name) => compose.services[name].deploy.replicas);
  const ours = processes.reduce((sum, replicas) => sum + 2 * replicas * pool, 0);
  // The image of Temporal runs four services, each with 20 connections to its default store and 10 to that of visibility.
  const temporal = 4 * (20 + 10);
  const [, limit] = /max_connections=(\d+)/.exec(compose.services.postgres.command.join(' '))!;
  t.true(Number(limit) >= ours + temporal, `${limit} for ${ours} and ${temporal}`);
});
