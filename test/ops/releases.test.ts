import test from 'ava';
import { once } from '../support/once.js';
import { canRender } from './go-modules.js';
import { refusedChanges } from './immutable.js';
import {
  containerOf,
  find,
  podsOf,
  read,
  render,
  rendered,
  secrets,
  type Edits,
  type Manifest,
} from './manifests.js';
import { readSchemas } from './schemas.js';

const testRendered = canRender ? test : test.skip;

const replace = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
const nextTag = replace('TAG=release-1', 'TAG=release-2');

/** What a second release changes: its image, and settings, scripts and rules, as any release may. */
const SECOND: Edits = {
  'kubernetes/kustomization.yaml': nextTag,
  'kubernetes/settings.env': replace('# LOG_LEVEL=info', 'LOG_LEVEL=debug'),
  'backup/backup.sh': replace('BACKUP_KEEP:-14', 'BACKUP_KEEP:-7'),
  'prometheus/rules.yaml': replace('> 1800', '> 3600'),
};
const second = once(() => render(SECOND));
const schemaErrors = once(async () => readSchemas());

/** The name of the ConfigMap with the settings. */
const configOf = (manifests: Manifest[]): string =>
  containerOf(find(manifests, 'Deployment', 'holdfast-worker')).envFrom[0]!.configMapRef!.name;

const edited = <T>(manifest: Manifest, change: (copy: T) => void): Manifest => {
  const copy = structuredClone(manifest);
  change(copy as T);
  return copy;
};

testRendered(
  'both releases conform to the published schemas of Kubernetes and of the autoscaler',
  async (t) => {
    const errorsOf = await schemaErrors();
    for (const manifests of [await rendered(), await second()]) {
      t.true(manifests.length > 20);
      t.deepEqual(manifests.flatMap(errorsOf), []);
    }
  },
);

testRendered('a field that is misspelt, missing or of another type is found', async (t) => {
  const errorsOf = await schemaErrors();
  const manifests = await rendered();
  const api = find(manifests, 'Deployment', 'holdfast-api');
  const scaled = find(manifests, 'ScaledObject', 'holdfast-worker');
  type Api = { spec: { template: { spec: { containers: Record<string, object>[] } }; selector?: object } };
  t.deepEqual(
    [
      edited<Api>(api, ({ spec }) =>
        Object.assign(spec.template.spec.containers[0]!.readinessProbe!, { failuresThreshold: 3 }),
      ),
      edited<Api>(api, ({ spec }) => delete spec.selector),
      edited<Api>(api, ({ spec }) => Object.assign(spec, { replicas: '2' })),
      edited<{ spec: object }>(scaled, ({ spec }) => Object.assign(spec, { minReplicas: 2 })),
      edited<Manifest>(api, (copy) => (copy.apiVersion = 'extensions/v1beta1')),
    ].flatMap(errorsOf),
    [
      'apps/v1 Deployment holdfast-api: /spec/template/spec/containers/0/readinessProbe must NOT have additional properties failuresThreshold',
      "apps/v1 Deployment holdfast-api: /spec must have required property 'selector'",
      'apps/v1 Deployment holdfast-api: /spec/replicas must be integer',
      'keda.sh/v1alpha1 ScaledObject holdfast-worker: /spec must NOT have additional properties minReplicas',
      'extensions/v1beta1 Deployment: no schema',
    ],
  );
});

testRendered('the second release changes nothing that cannot be changed', async (t) => {
  const [before, after] = [await rendered(), await second()];
  t.deepEqual(refusedChanges(before, after), []);
  for (const name of ['migrate', 'prepare'])
    for (const [manifests, tag] of [
      [before, 'release-1'],
      [after, 'release-2'],
    ] as const)
      t.truthy(find(manifests, 'Job', `holdfast-${name}-${tag}`), name);
  for (const pod of podsOf(after))
    t.is(containerOf(pod).image, 'registry.example.com/holdfast:release-2', pod.metadata.name);
  // Settings are read at the start of a process.
  t.not(configOf(before), configOf(after), 'pods with changed settings are replaced');
});

testRendered('what an API server refuses to change is found', async (t) => {
  // As before each release had Jobs of its own.
  const withFixedNames = replace(/ +# The template of a Job[^]*?index: 2 \}\n/, '');
  const first = await render({ 'kubernetes/kustomization.yaml': withFixedNames });
  const fixed = await render({ 'kubernetes/kustomization.yaml': (text) => withFixedNames(nextTag(text)) });
  t.deepEqual(refusedChanges(first, fixed), [
    'batch Job holdfast holdfast-migrate-release: spec.template',
    'batch Job holdfast holdfast-prepare-release: spec.template',
  ]);

  // As if the name of the settings had no digest.
  const settings = find(await rendered(), 'ConfigMap', configOf(await rendered()));
  t.deepEqual(refusedChanges([settings], [{ ...settings, data: {} }]), [
    `ConfigMap holdfast ${settings.metadata.name}: data`,
  ]);

  const changes = {
    'kubernetes/api.yaml': replace(/app: holdfast-api/g, 'app: api'),
    'backup/cron-job.yaml': replace('ReadWriteOnce', 'ReadWriteMany'),
    'prometheus/stateful-set.yaml': (text: string) =>
      text
        .replace('storage: 20Gi', 'storage: 30Gi')
        .replace(
          'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role',
          'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole',
        )
        .replace('clusterIP: None', 'clusterIP: 10.0.0.1'),
  };
  t.deepEqual(refusedChanges(await rendered(), await render(changes)).toSorted(), [
    'PersistentVolumeClaim holdfast holdfast-backup: spec.accessModes',
    'Service holdfast holdfast-prometheus: spec.clusterIP',
    'apps Deployment holdfast holdfast-api: spec.selector',
    'apps StatefulSet holdfast holdfast-prometheus: spec.volumeClaimTemplates',
    'rbac.authorization.k8s.io RoleBinding holdfast holdfast-prometheus: roleRef',
  ]);
});

testRendered('no release has a Secret, and each that pods use is created by secrets.sh, once', async (t) => {
  for (const manifests of [await rendered(), await second()]) {
    t.deepEqual(
      manifests.filter(({ kind }) => kind === 'Secret'),
      [],
    );
    const text = JSON.stringify(manifests);
    const used = [...text.matchAll(/"secretRef":\{"name":"([^"]+)"|"secretName":"([^"]+)"/g)].map(
      ([, ref, volume]) => ref ?? volume!,
    );
    const created = [...secrets.keys(), 'holdfast-temporal'];
    // That of the Ingress has its certificate, which the cluster's own tool renews.
    t.deepEqual([...new Set(used)].toSorted(), [...created, 'holdfast-tls'].toSorted());
    t.notRegex(text, /whsec_|sk_live_|sk_test_|postgres:\/\//, 'nor a secret anywhere else');
  }
  t.regex(read('ops/kubernetes/secrets.sh'), /create secret generic/);
});
