import { isDeepStrictEqual } from 'node:util';
import type { Manifest } from './manifests.js';

/**
 * The fields of an existing object that an API server refuses to change, by kind: the listed fields, or all
 * of `spec` except some.
 */
const IMMUTABLE: Record<string, { fields?: string[]; specBut?: string[] }> = {
  Job: {
    specBut: [
      'activeDeadlineSeconds',
      'backoffLimit',
      'completions',
      'parallelism',
      'suspend',
      'ttlSecondsAfterFinished',
    ],
  },
  Deployment: { fields: ['spec.selector'] },
  DaemonSet: { fields: ['spec.selector'] },
  ReplicaSet: { fields: ['spec.selector'] },
  StatefulSet: {
    specBut: [
      'replicas',
      'ordinals',
      'template',
      'updateStrategy',
      'revisionHistoryLimit',
      'persistentVolumeClaimRetentionPolicy',
      'minReadySeconds',
    ],
  },
  Service: { fields: ['spec.clusterIP', 'spec.clusterIPs'] },
  PersistentVolumeClaim: { specBut: ['resources', 'volumeAttributesClassName'] },
  Secret: { fields: ['type'] },
  RoleBinding: { fields: ['roleRef'] },
  ClusterRoleBinding: { fields: ['roleRef'] },
};
/** For a ConfigMap or Secret that is marked as immutable. */
const CONTENT = ['immutable', 'data', 'binaryData', 'stringData'];

const manifestKey = ({ apiVersion, kind, metadata }: Manifest): string =>
  [apiVersion.split('/').at(-2) ?? '', kind, metadata.namespace ?? '', metadata.name].join(' ').trim();

const at = (manifest: Manifest, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], manifest);

/** The fields of a manifest that its next version must not change. */
function findChangedFields(manifest: Manifest, next: Manifest): string[] {
  const { fields = [], specBut } = IMMUTABLE[manifest.kind] ?? {};
  const keys = new Set([manifest, next].flatMap(({ spec = {} }) => Object.keys(spec)));
  const ofSpec = specBut ? [...keys].filter((key) => !specBut.includes(key)).map((key) => `spec.${key}`) : [];
  return [...fields, ...ofSpec, ...(at(manifest, 'immutable') === true ? CONTENT : [])];
}

/** Changes in a following release that an API server would refuse, as `<object>: <field>`. */
export function refusedChanges(before: Manifest[], after: Manifest[]): string[] {
  const known = new Map(before.map((manifest) => [manifestKey(manifest), manifest]));
  return after.flatMap((next) => {
    const manifest = known.get(manifestKey(next));
    if (!manifest) return [];
    return findChangedFields(manifest, next)
      .filter((field) => !isDeepStrictEqual(at(manifest, field), at(next, field)))
      .map((field) => `${manifestKey(next)}: ${field}`);
  });
}
