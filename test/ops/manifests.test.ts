import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import test, { type ExecutionContext } from 'ava';
import { FINISH_MS } from '../../api/drain.js';
import { HEALTH_PATHS } from '../../api/health.js';
import { loadApiConfig, loadDatabaseConfig, loadDeployConfig, loadWorkerConfig } from '../../config.js';
import { SECRETS } from '../../secret-files.js';
import { listSettings } from '../../settings.js';
import { webhookTaskQueues } from '../../contract/webhooks.js';

const read = (path: string): string => readFileSync(path, 'utf8');

interface Container {
  args: string[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  securityContext: object;
}
interface Probe {
  httpGet: { path: string; port: 'http' | 'metrics' };
}
interface Labels {
  matchLabels: object;
}

/** What the tests read of a Kubernetes manifest; which parts it has depends on its kind. */
interface Manifest {
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
  stringData: Record<string, string>;
  spec: {
    selector: Labels;
    strategy: { rollingUpdate: { maxUnavailable: number } };
    template: {
      metadata: { labels: object };
      spec: {
        containers: [Container];
        terminationGracePeriodSeconds: number;
        automountServiceAccountToken?: boolean;
        securityContext: { runAsNonRoot?: boolean };
      };
    };
    minReplicaCount: number;
    triggers: { metadata: { taskQueue: string } }[];
    scaleTargetRef: { name: string };
  };
}
interface Compose {
  services: Record<string, ComposeService> & Record<'api' | 'worker' | 'postgres', ComposeService>;
}
interface ComposeService {
  command: string[];
  environment: Record<string, string>;
  depends_on: object;
  stop_grace_period: string;
  deploy: { replicas: number };
  volumes?: string[];
  cap_drop?: string[];
  read_only?: boolean;
  security_opt?: string[];
}

const kubernetes = readdirSync('ops/kubernetes').flatMap((file) => {
  const documents = parseAllDocuments(read(join('ops/kubernetes', file)));
  return documents.map((document) => document.toJS() as Manifest);
});
const find = (kind: string, name: string): Manifest =>
  kubernetes.find((each) => each.kind === kind && each.metadata.name === name)!;
const compose = parse(read('compose.yaml'), { merge: true }) as Compose;

const settings = listSettings();
const known = new Set([...settings.map(({ name }) => name), 'NODE_OPTIONS']);

/** How each process reads its settings, and the secrets of others that it does not get. */
const PROCESSES = {
  api: [loadApiConfig, 'SMTP_URL', 'XERO_CLIENT_SECRET'],
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
  const given = Object.entries({ ...environment, TEMPORAL_API_KEY_FILE: '' }).map(([setting, value]) => [
    setting,
    String(setting in FILLED_IN ? FILLED_IN[setting as keyof typeof FILLED_IN] : value).replace(
      /\$\{[^}]*\}/g,
      'filled',
    ),
  ]);
  t.notThrows(() => load(Object.fromEntries(given)), name);
}

const variablesOf = (file: string): Record<string, string> =>
  Object.fromEntries(
    [...read(file).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );

const pods = kubernetes.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
const containerOf = (manifest: Manifest): Container => manifest.spec.template.spec.containers[0];

/** The environment of a pod, from its config maps and secrets. */
function environmentOf(manifest: Manifest): Record<string, string> {
  const { envFrom, env = [] } = containerOf(manifest);
  const shared = envFrom.flatMap((from) =>
    Object.entries(
      from.configMapRef
        ? find('ConfigMap', from.configMapRef.name).data
        : find('Secret', from.secretRef!.name).stringData,
    ),
  );
  return {
    ...Object.fromEntries(shared),
    ...Object.fromEntries(env.map((e) => [e.name, e.value])),
  };
}

/** The entry point that a container runs must be one of the service. */
const sourceOf = (args: string[]): string => args[0]!.replace(/^build\/(.*)\.js$/, '$1.ts');

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

test('Postgres accepts the connections of all processes, of those that a release starts beside them, and of Temporal', (t) => {
  const pool = Number(/poolSize: (\d+)/.exec(read('db/open-at-start.ts'))![1]);
  const processes = (['api', 'worker'] as const).map((name) => compose.services[name].deploy.replicas);
  const ours = processes.reduce((sum, replicas) => sum + 2 * replicas * pool, 0);
  // The image of Temporal runs four services, each with 20 connections to its default store and 10 to that of visibility.
  const temporal = 4 * (20 + 10);
  const [, limit] = /max_connections=(\d+)/.exec(compose.services.postgres.command.join(' '))!;
  t.true(Number(limit) >= ours + temporal, `${limit} for ${ours} and ${temporal}`);
});

test('the image runs Node 24 without root, from files that exist, and ignores no source', (t) => {
  const dockerfile = read('Dockerfile');
  for (const [, image] of dockerfile.matchAll(/^FROM (\S+)/gm)) t.is(image, 'node:24-slim');
  t.regex(dockerfile, /^USER node$/m);
  const [, command] = /^CMD \["(.*)"\]$/m.exec(dockerfile)!;
  t.true(existsSync(sourceOf([command!])));
  const ignored = read('.dockerignore').trim().split('\n');
  const built = /const SERVICE = \[([^\]]*)\]/.exec(read('dev/build.mjs'))![1]!;
  for (const [, folder] of built.matchAll(/'(\w+)'/g)) t.false(ignored.includes(folder!), folder);
  for (const needed of ['dev', 'package.json', 'package-lock.json', 'tsconfig.json'])
    t.false(ignored.includes(needed), needed);
  const flags = /^ENTRYPOINT \["node", (.*)\]$/m.exec(dockerfile)![1]!.replaceAll(/[",]/g, '');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  t.is(scripts.api, `exec node ${flags} build/api/main.js`);
});
