import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import test, { type ExecutionContext } from 'ava';
import { FINISH_MS } from '../../api/drain.js';
import { HEALTH_PATHS } from '../../api/health.js';
import { loadApiConfig, loadDatabaseConfig, loadDeployConfig, loadWorkerConfig } from '../../config.js';
import { SECRETS } from '../../secret-files.js';
import { listSettings } from '../../settings.js';
import { webhookTaskQueues } from '../../contract/webhooks.js';
import { compose, containerOf, environmentOf, find, pods, read, sourceOf, variablesOf } from './manifests.js';

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

/** Values for what is filled in by an operator. */
const FILLED_IN = {
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  INTERNAL_TOKEN: 'at least 16 characters',
  SMTP_URL: 'smtp://127.0.0.1',
};

/** An environment in which a process starts. Fails if it lacks a setting, or has another process's secret. */
function assertOwnSettings(
  t: ExecutionContext,
  name: keyof typeof PROCESSES,
  environment: Record<string, string>,
): void {
  const [load, ...others] = PROCESSES[name];
  for (const other of others) t.false(other in environment, `${name} has ${other}`);
  t.is('DATABASE_OWNER_URL' in environment, name === 'migrate');
  for (const setting of Object.keys(environment)) t.true(known.has(setting), `${setting} is a setting`);
  // Files that are there in the container.
  const files = Object.keys(environment).filter((setting) =>
    /^TEMPORAL_(API_KEY_FILE|TLS_.*_PATH)$/.test(setting),
  );
  const without = Object.fromEntries(files.map((setting) => [setting, '']));
  const given = Object.entries({ ...environment, ...without }).map(([setting, value]) => [
    setting,
    String(setting in FILLED_IN ? FILLED_IN[setting as keyof typeof FILLED_IN] : value).replace(
      /\$\{[^}]*\}/g,
      'filled',
    ),
  ]);
  t.notThrows(() => load(Object.fromEntries(given)), name);
}

test('every pod has the settings that it needs, none that the service does not know, and no secrets of others', (t) => {
  t.deepEqual(pods.map(({ metadata }) => metadata.name).toSorted(), [
    'holdfast-api',
    'holdfast-migrate',
    'holdfast-prepare',
    'holdfast-worker',
  ]);
  for (const pod of pods) {
    const name = pod.metadata.name.replace('holdfast-', '') as keyof typeof PROCESSES;
    assertOwnSettings(t, name, environmentOf(pod));
    t.true(existsSync(sourceOf(containerOf(pod).args)), containerOf(pod).args[0]);
    const mounted = pod.spec.template.spec.volumes?.map(({ secret }) => secret.secretName) ?? [];
    t.deepEqual(
      mounted,
      name === 'migrate' ? [] : ['holdfast-temporal'],
      `${name}: the migrations call Postgres only`,
    );
  }
});

test('probes ask paths and ports that exist, and pods may take as long as the processes do to stop', (t) => {
  for (const name of ['holdfast-api', 'holdfast-worker']) {
    const deployment = find('Deployment', name);
    const container = containerOf(deployment);
    const ports = new Map(container.ports.map((port) => [port.name, port.containerPort]));
    const environment = environmentOf(deployment);
    const listened = { http: 8080, metrics: Number(environment.METRICS_PORT) };
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
      if (name === 'holdfast-worker' && probe === 'readinessProbe') continue;
      const { path, port } = container[probe].httpGet;
      t.true(HEALTH_PATHS.includes(path), path);
      t.is(ports.get(port), listened[port]);
      t.is(path === '/health', probe === 'readinessProbe', 'a database that is unavailable restarts nothing');
    }
    const budget = find('PodDisruptionBudget', name);
    t.deepEqual(budget.spec.selector, deployment.spec.selector);
    t.deepEqual(deployment.spec.selector.matchLabels, deployment.spec.template.metadata.labels);
    t.is(deployment.spec.strategy.rollingUpdate.maxUnavailable, 0);
  }
  const drain = settings.find(({ name }) => name === 'DRAIN_SECONDS')!.default;
  const api = find('Deployment', 'holdfast-api').spec.template.spec.terminationGracePeriodSeconds;
  t.true(api > Number(drain) + FINISH_MS / 1_000);
  t.is(compose.services.api.stop_grace_period, `${api}s`);
});

test('workers are scaled by queues that exist, and never to none', (t) => {
  const { minReplicaCount, triggers, scaleTargetRef } = find('ScaledObject', 'holdfast-worker').spec;
  t.true(minReplicaCount >= 2);
  t.truthy(find('Deployment', scaleTargetRef.name));
  const { TEMPORAL_NAMESPACE, TEMPORAL_ADDRESS } = find('ConfigMap', 'holdfast').data;
  const queues = ['holdfast', ...Object.values(webhookTaskQueues('holdfast'))];
  for (const { metadata } of triggers) {
    t.true(queues.includes(metadata.taskQueue), metadata.taskQueue);
    t.like(metadata, { namespace: TEMPORAL_NAMESPACE, endpoint: TEMPORAL_ADDRESS });
  }
});

test('containers have no capability that they do not need, and ours cannot write or reach the cluster', (t) => {
  for (const pod of pods) {
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
});

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

test('Postgres accepts the connections of all processes, of those that a release starts beside them, and of Temporal', (t) => {
  const pool = Number(/poolSize: (\d+)/.exec(read('db/open-at-start.ts'))![1]);
  const processes = (['api', 'worker'] as const).map((name) => compose.services[name].deploy.replicas);
  const ours = processes.reduce((sum, replicas) => sum + 2 * replicas * pool, 0);
  // The image of Temporal runs four services, each with 20 connections to its default store and 10 to that of visibility.
  const temporal = 4 * (20 + 10);
  const [, limit] = /max_connections=(\d+)/.exec(compose.services.postgres.command.join(' '))!;
  t.true(Number(limit) >= ours + temporal, `${limit} for ${ours} and ${temporal}`);
});
