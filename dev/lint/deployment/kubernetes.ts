import { FINISH_MS } from '../../../api/drain.js';
import { HEALTH_PATHS } from '../../../api/health.js';
import { MAX_THREADS, THREAD_LIMITS } from '../../../commands/invoices/pdf/drawing.js';
import { webhookTaskQueues } from '../../../contract/events.js';
import { once } from '../../../test/support/once.js';
import { WORKFLOW_THREADS } from '../../../worker/slots.js';
import { differences, edited, unless, Tree, type Rule } from '../rule.js';
import { refusedChanges } from './immutable.js';
import {
  readCompose,
  firstContainer,
  podEnvironment,
  find,
  listPods,
  podProcess,
  render,
  listSecrets,
  sourcePath,
  readVariables,
  type Manifest,
} from './manifests.js';
import { readSchemas } from './schemas.js';
import { defaults, optionalSettings, settingFaults, type Process } from './settings.js';

const FOLDER = 'ops/kubernetes';
const API = `${FOLDER}/api.yaml`;
/**
 * What a process has beside its heaps, in MB, as measured (docs/guides/install.md#memory): Node, the SDK's
 * library, what malloc keeps.
 */
const NATIVE = { api: 90, worker: 120 };
const megabytes = (text: string): number => Number(/^(\d+)M/.exec(text)![1]);
const schemaErrors = once(async () => readSchemas());

/** The heaps of each process and its other memory fit its memory limit. */
function* memoryFaults(tree: Tree, manifests: Manifest[]): Iterable<string> {
  const { services } = readCompose(tree);
  const { maxOldGenerationSizeMb, maxYoungGenerationSizeMb } = THREAD_LIMITS;
  const [, semiSpace] = /^ENTRYPOINT .*--max-semi-space-size=(\d+)/m.exec(tree.read('Dockerfile'))!;
  for (const name of ['api', 'worker'] as const) {
    const pod = find(manifests, 'Deployment', `holdfast-${name}`);
    for (const [where, options, limit] of [
      [
        FOLDER,
        podEnvironment(tree, manifests, pod).NODE_OPTIONS,
        firstContainer(pod).resources.limits.memory,
      ],
      [
        'compose.yaml',
        services[name].environment.NODE_OPTIONS,
        services[name].deploy.resources.limits.memory,
      ],
    ]) {
      const [, heap] = /^--max-old-space-size=(\d+)$/.exec(options!)!;
      // A young generation is three semi-spaces. A process's flags apply to each of its threads without its
      // own limits.
      const perThread = Number(heap) + 3 * Number(semiSpace);
      const heaps = perThread * (name === 'worker' ? 1 + WORKFLOW_THREADS : 1);
      const most = heaps + MAX_THREADS * (maxOldGenerationSizeMb + maxYoungGenerationSizeMb) + NATIVE[name];
      yield* unless(most <= megabytes(limit!), `${where}: ${name} may use ${most} MB of ${limit}`);
    }
  }
}

/** Probes use existing paths and ports, and pods may take as long to stop as the processes do. */
function* deploymentFaults(tree: Tree, manifests: Manifest[]): Iterable<string> {
  for (const name of ['holdfast-api', 'holdfast-worker']) {
    const deployment = find(manifests, 'Deployment', name);
    const container = firstContainer(deployment);
    const ports = new Map(container.ports.map((port) => [port.name, port.containerPort]));
    const { METRICS_PORT } = podEnvironment(tree, manifests, deployment);
    const listened = { http: 8080, metrics: Number(METRICS_PORT) };
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
      if (name === 'holdfast-worker' && probe === 'readinessProbe') continue;
      const { path, port } = container[probe].httpGet;
      yield* unless(
        HEALTH_PATHS.includes(path) && ports.get(port) === listened[port],
        `${FOLDER}: ${probe} of ${name} requests ${port}${path}, which does not exist`,
      );
      // An unavailable database restarts nothing.
      yield* unless((path === '/health') === (probe === 'readinessProbe'), `${FOLDER}: ${probe} of ${name}`);
    }
    const { selector, strategy, template } = deployment.spec;
    const budget = find(manifests, 'PodDisruptionBudget', name);
    yield* differences(`${FOLDER}: the budget of ${name}`, budget.spec.selector, selector);
    yield* differences(`${FOLDER}: labels of ${name}`, template.metadata.labels, selector.matchLabels);
    yield* unless(strategy.rollingUpdate.maxUnavailable === 0, `${FOLDER}: ${name} is replaced at once`);
  }
  const api = find(manifests, 'Deployment', 'holdfast-api').spec.template.spec;
  const grace = api.terminationGracePeriodSeconds;
  const needed = Number(defaults.get('DRAIN_SECONDS')) + FINISH_MS / 1_000;
  yield* unless(grace > needed, `${API}: ${grace} s to stop in ${needed} s`);
  const { stop_grace_period } = readCompose(tree).services.api;
  yield* differences('compose.yaml: stop_grace_period of api', stop_grace_period, `${grace}s`);

  // Neither one missed Postgres query, nor a failover or a database that takes seconds, takes a pod out of
  // service.
  const { periodSeconds, timeoutSeconds = 1, failureThreshold } = api.containers[0].readinessProbe;
  yield* unless(
    failureThreshold >= 3 && periodSeconds * failureThreshold >= 30 && timeoutSeconds >= 5,
    `${API}: readinessProbe gives up too early`,
  );

  const scaled = find(manifests, 'ScaledObject', 'holdfast-worker').spec;
  yield* unless(scaled.minReplicaCount >= 2, `${FOLDER}: workers are scaled to fewer than two`);
  yield* unless(
    find(manifests, 'Deployment', scaled.scaleTargetRef.name) !== undefined,
    `${FOLDER}: ${scaled.scaleTargetRef.name} is scaled, but does not exist`,
  );
  const { TEMPORAL_NAMESPACE, TEMPORAL_ADDRESS } = readVariables(tree, `${FOLDER}/settings.env`);
  const queue = defaults.get('TEMPORAL_TASK_QUEUE')!;
  const read = [TEMPORAL_NAMESPACE, TEMPORAL_ADDRESS];
  yield* differences(
    `${FOLDER}: queues by which workers are scaled`,
    scaled.triggers.map(({ metadata }) => [metadata.taskQueue, metadata.namespace, metadata.endpoint]),
    [queue, ...Object.values(webhookTaskQueues(queue))].map((name) => [name, ...read]),
  );
}

/** Every pod has what it needs, and nothing for others. */
function* podFaults(tree: Tree, manifests: Manifest[]): Iterable<string> {
  const pods = listPods(manifests);
  yield* differences(`${FOLDER}: pods`, pods.map(podProcess), ['api', 'migrate', 'prepare', 'worker']);
  for (const pod of pods) {
    const name = podProcess(pod) as Process;
    const environment = podEnvironment(tree, manifests, pod);
    yield* settingFaults(FOLDER, name, environment);
    yield* settingFaults(FOLDER, name, { ...optionalSettings(tree), ...environment });
    const { args, securityContext: container } = firstContainer(pod);
    yield* unless(tree.has(sourcePath(args)), `${FOLDER}: ${name} starts ${args[0]}, which does not exist`);
    const { automountServiceAccountToken, securityContext, volumes = [] } = pod.spec.template.spec;
    yield* differences(
      `${FOLDER}: volumes of ${name}`,
      volumes.map(({ secret }) => secret.secretName),
      // The migrations call only Postgres.
      name === 'migrate' ? [] : ['holdfast-temporal'],
    );
    yield* differences(
      `${FOLDER}: rights of ${name}`,
      { automountServiceAccountToken, runAsNonRoot: securityContext.runAsNonRoot, ...container },
      {
        automountServiceAccountToken: false,
        runAsNonRoot: true,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    );
  }

  // Prometheus keeps its data, and the database is dumped every day.
  const text = (kind: string, name: string): string => JSON.stringify(find(manifests, kind, name));
  const prometheus = text('StatefulSet', 'holdfast-prometheus');
  const backup = text('CronJob', 'holdfast-backup');
  for (const part of [
    '--storage.tsdb.path=/prometheus',
    '{"mountPath":"/prometheus","name":"data"}',
    /"volumeClaimTemplates":\[\{.*"name":"data"/,
  ])
    yield* unless(prometheus.search(part) >= 0, `ops/prometheus/stateful-set.yaml: ${part} is missing`);
  for (const part of [
    /"schedule":"\d+ \d+ \* \* \*"/,
    '"secretRef":{"name":"holdfast-owner"}',
    '"claimName":"holdfast-backup"',
    '"mountPath":"/backup"',
    '/scripts/backup.sh',
  ])
    yield* unless(backup.search(part) >= 0, `ops/backup/cron-job.yaml: ${part} is missing`);
  yield* unless(
    find(manifests, 'PersistentVolumeClaim', 'holdfast-backup') !== undefined,
    'ops/backup/cron-job.yaml: holdfast-backup is missing',
  );
}

/** A release contains no Secret, and each Secret used by pods is created once by secrets.sh. */
function* secretFaults(tree: Tree, manifests: Manifest[]): Iterable<string> {
  yield* unless(!manifests.some(({ kind }) => kind === 'Secret'), `${FOLDER}: a release has a Secret`);
  const text = JSON.stringify(manifests);
  const used = [...text.matchAll(/"(?:secretRef":\{"name|secretName)":"([^"]+)"/g)].map(([, name]) => name!);
  // The Ingress's Secret has its certificate, which the cluster's own tool renews.
  const created = [...listSecrets(tree).keys(), 'holdfast-temporal', 'holdfast-tls'];
  yield* differences(`${FOLDER}/secrets.sh`, [...new Set(used)], created);
  const [found] = /whsec_|sk_live_|sk_test_|postgres:\/\//.exec(text) ?? [];
  yield* unless(found === undefined, `${FOLDER}: a secret: ${found}`);
}

/** Kustomize's output conforms to the published schemas, and fits the service. */
export const kubernetes: Rule = {
  name: 'Kubernetes manifests',
  async *check(tree) {
    const manifests = await render(tree);
    const listErrors = await schemaErrors();
    yield* unless(manifests.length > 20, `${FOLDER}: there are ${manifests.length} manifests`);
    const errors = manifests.flatMap(listErrors);
    yield* errors;
    // The other rules rely on the schemas.
    if (errors.length > 0) return;
    yield* podFaults(tree, manifests);
    yield* deploymentFaults(tree, manifests);
    yield* memoryFaults(tree, manifests);
    yield* secretFaults(tree, manifests);
  },
  refused: [
    edited(API, 'failureThreshold: 6', 'failuresThreshold: 6'),
    edited(API, 'maxUnavailable: 0', "maxUnavailable: '0'"),
    edited(API, 'apiVersion: apps/v1', 'apiVersion: extensions/v1beta1'),
    edited(API, /failureThreshold: 6$/m, 'failureThreshold: 1'),
    edited(API, '- secretRef: { name: holdfast-api }', '- secretRef: { name: holdfast-worker }'),
    edited(API, /--max-old-space-size=\d+/, '--max-old-space-size=1000'),
    edited(`${FOLDER}/worker.yaml`, 'minReplicaCount: 2', 'minReplicas: 2'),
  ],
};

const KUSTOMIZATION = `${FOLDER}/kustomization.yaml`;
const after = (tree: Tree, edits: Record<string, [from: string | RegExp, to: string][]>): Tree => {
  const files = Object.entries(edits).map(([file, changes]) => [
    file,
    changes.reduce((text, [from, to]) => text.replace(from, to), tree.read(file)),
  ]);
  return new Tree({ ...tree.given, ...Object.fromEntries(files) });
};
/** What a second release changes: its image, and settings, scripts and rules, as any release may. */
const SECOND: Parameters<typeof after>[1] = {
  [KUSTOMIZATION]: [['TAG=release-1', 'TAG=release-2']],
  'ops/kubernetes/settings.env': [['# LOG_LEVEL=info', 'LOG_LEVEL=debug']],
  'ops/backup/backup.sh': [['BACKUP_KEEP:-14', 'BACKUP_KEEP:-7']],
  'ops/prometheus/rules.yaml': [['> 1800', '> 3600']],
};
/** Changes that an API server refuses. */
const REFUSED: Parameters<typeof after>[1] = {
  [API]: [[/app: holdfast-api/g, 'app: api']],
  'ops/backup/cron-job.yaml': [['ReadWriteOnce', 'ReadWriteMany']],
  'ops/prometheus/stateful-set.yaml': [
    ['storage: 20Gi', 'storage: 30Gi'],
    [/(roleRef: \{ apiGroup: \S+ kind: )Role/, '$1ClusterRole'],
    ['clusterIP: None', 'clusterIP: 10.0.0.1'],
  ],
};
/** The name of the ConfigMap with the settings, which are read when a process starts. */
const configMapName = (manifests: Manifest[]): string =>
  firstContainer(find(manifests, 'Deployment', 'holdfast-worker')).envFrom[0]!.configMapRef!.name;

/** A second release changes nothing immutable, and replaces the pods whose image or settings changed. */
export const releases: Rule = {
  name: 'Kubernetes releases',
  async *check(tree) {
    const before = await render(tree);
    const second = await render(after(tree, SECOND));
    for (const change of refusedChanges(before, second)) yield `${FOLDER}: ${change} cannot be changed`;
    for (const [manifests, tag] of [
      [before, 'release-1'],
      [second, 'release-2'],
    ] as const)
      for (const pod of listPods(manifests)) {
        yield* differences(
          `${FOLDER}: the image of ${pod.metadata.name}`,
          firstContainer(pod).image,
          `registry.example.com/holdfast:${tag}`,
        );
        yield* unless(
          pod.kind !== 'Job' || pod.metadata.name.endsWith(tag),
          `${FOLDER}: ${pod.metadata.name} is not one of ${tag}`,
        );
      }
    yield* unless(
      configMapName(before) !== configMapName(second),
      `${FOLDER}: changed settings replace no pod`,
    );

    yield* differences(
      'what an API server refuses to change',
      refusedChanges(before, await render(after(tree, REFUSED))),
      [
        'PersistentVolumeClaim holdfast holdfast-backup: spec.accessModes',
        'Service holdfast holdfast-prometheus: spec.clusterIP',
        'apps Deployment holdfast holdfast-api: spec.selector',
        'apps StatefulSet holdfast holdfast-prometheus: spec.volumeClaimTemplates',
        'rbac.authorization.k8s.io RoleBinding holdfast holdfast-prometheus: roleRef',
      ],
    );
  },
  refused: [
    edited(KUSTOMIZATION, / +# The template of a Job[^]*?index: 2 \}\n/, ''),
    edited(KUSTOMIZATION, 'options: { immutable: true }', 'options: { disableNameSuffixHash: true }'),
  ],
};
