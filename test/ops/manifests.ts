import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const read = (path: string): string => readFileSync(path, 'utf8');

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
        volumes?: { secret: { secretName: string } }[];
      };
    };
    minReplicaCount: number;
    triggers: { metadata: { taskQueue: string } }[];
    scaleTargetRef: { name: string };
  };
}
interface Compose {
  services: Record<string, ComposeService> & Record<'api' | 'worker' | 'postgres', ComposeService>;
  secrets: Record<string, { file: string }>;
}
interface ComposeService {
  command: string[];
  environment: Record<string, string>;
  depends_on: object;
  stop_grace_period: string;
  deploy: { replicas: number };
  volumes?: string[];
  secrets?: string[];
  cap_drop?: string[];
  read_only?: boolean;
  security_opt?: string[];
}

const kubernetes = readdirSync('ops/kubernetes').flatMap((file) => {
  const documents = parseAllDocuments(read(join('ops/kubernetes', file)));
  return documents.map((document) => document.toJS() as Manifest);
});
export const find = (kind: string, name: string): Manifest =>
  kubernetes.find((each) => each.kind === kind && each.metadata.name === name)!;
export const compose = parse(read('compose.yaml'), { merge: true }) as Compose;

export const variablesOf = (file: string): Record<string, string> =>
  Object.fromEntries(
    [...read(file).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );

export const pods = kubernetes.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
export const containerOf = (manifest: Manifest): Container => manifest.spec.template.spec.containers[0];

/** The environment of a pod, from its config maps and secrets. */
export function environmentOf(manifest: Manifest): Record<string, string> {
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

/** The source of the entry point that a container runs. */
export const sourceOf = (args: string[]): string => args[0]!.replace(/^build\/(.*)\.js$/, '$1.ts');
