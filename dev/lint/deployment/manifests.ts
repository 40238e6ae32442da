import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Tree } from '../rule.js';
import { findKustomize } from './go-modules.js';

interface Container {
  image: string;
  args: string[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  resources: { limits: { memory: string } };
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  securityContext: object;
}
interface Probe {
  httpGet: { path: string; port: 'http' | 'metrics' };
  periodSeconds: number;
  timeoutSeconds?: number;
  failureThreshold: number;
}
interface Labels {
  matchLabels: object;
}

/** The parts of a Kubernetes manifest that the rules read. Which parts it has depends on its kind. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data: Record<string, string>;
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
        volumes?: { secret: { secretName: string } }[];
        serviceAccountName?: string;
      };
    };
    minReplicaCount: number;
    triggers: { metadata: { taskQueue: string; namespace: string; endpoint: string } }[];
    scaleTargetRef: { name: string };
  };
}
interface Compose {
  services: Record<string, ComposeService> & Record<'api' | 'worker' | 'postgres', ComposeService>;
  secrets: Record<string, { file: string }>;
}
interface ComposeService {
  command: string[];
  environment: Record<string, string | null>;
  depends_on: object;
  stop_grace_period: string;
  deploy: { replicas: number; resources: { limits: { memory: string } } };
  volumes?: string[];
  secrets?: string[];
  cap_drop?: string[];
  read_only?: boolean;
  security_opt?: string[];
}

export const readCompose = (tree: Tree): Compose =>
  parse(tree.read('compose.yaml'), { merge: true }) as Compose;

export const readVariables = (tree: Tree, file: string): Record<string, string> =>
  Object.fromEntries(
    [...tree.read(file).matchAll(/^([A-Z_0-9]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );

/** Kustomize's output for the manifests. */
export async function render(tree: Tree): Promise<Manifest[]> {
  const kustomize = await findKustomize();
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    cpSync('ops', join(folder, 'ops'), { recursive: true });
    for (const [file, text] of Object.entries(tree.given ?? {}))
      if (file.startsWith('ops/')) writeFileSync(join(folder, file), text);
    const output = execFileSync(kustomize, ['build', join(folder, 'ops', 'kubernetes')], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return parseAllDocuments(output).map((document) => document.toJS() as Manifest);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const find = (manifests: Manifest[], kind: string, name: string): Manifest =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name)!;
/** The pods of the service itself. */
export const listPods = (manifests: Manifest[]): Manifest[] =>
  manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
export const firstContainer = (manifest: Manifest): Container => manifest.spec.template.spec.containers[0];
/** The process that a pod runs. */
export const podProcess = (pod: Manifest): string => /^holdfast-(\w+)/.exec(pod.metadata.name)![1]!;

/** The variables in each Secret that `secrets.sh` creates. */
export const listSecrets = (tree: Tree): Map<string, string[]> =>
  new Map(
    [...tree.read('ops/kubernetes/secrets.sh').matchAll(/^secret (\S+) (.*)$/gm)].map(
      ([, name, variables]) => [name!, variables!.replaceAll('?', '').split(' ')],
    ),
  );

/** The environment of a pod, from its config maps and secrets. */
export function podEnvironment(tree: Tree, manifests: Manifest[], pod: Manifest): Record<string, string> {
  const { envFrom, env = [] } = firstContainer(pod);
  const shared = envFrom.flatMap((from) =>
    from.configMapRef
      ? Object.entries(find(manifests, 'ConfigMap', from.configMapRef.name).data)
      : listSecrets(tree)
          .get(from.secretRef!.name)!
          .map((variable): [string, string] => [variable, '${filled}']),
  );
  return { ...Object.fromEntries(shared), ...Object.fromEntries(env.map((e) => [e.name, e.value])) };
}

/** The source of the entry point that a container runs. */
export const sourcePath = (args: string[]): string => args[0]!.replace(/^build\/(.*)\.js$/, '$1.ts');
