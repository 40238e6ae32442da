import { parse, parseAllDocuments } from 'yaml';
import type { Tree } from '../rule.js';

interface Rule {
  source_labels: string[];
  regex?: string;
  action?: 'keep';
  target_label?: string;
  replacement?: string;
}
interface ScrapeJob {
  job_name: string;
  dns_sd_configs?: { names: [string]; port: number }[];
  kubernetes_sd_configs?: { role: string }[];
  relabel_configs?: Rule[];
}
interface Deployment {
  kind: string;
  spec: {
    template: {
      metadata: { labels: { app: string } };
      spec: { containers: { ports: { name: string; containerPort: number }[] }[] };
    };
  };
}

/** The ports of the pods: each is a target that Prometheus discovers. */
export const containerPorts = (tree: Tree): { app: string; name: string; port: number }[] =>
  ['api', 'worker']
    .flatMap((file) => parseAllDocuments(tree.read(`ops/kubernetes/${file}.yaml`)).map((each) => each.toJS()))
    .filter(({ kind }: Deployment) => kind === 'Deployment')
    .flatMap(({ spec: { template } }: Deployment) =>
      template.spec.containers.flatMap(({ ports }) =>
        ports.map(({ name, containerPort }) => ({
          app: template.metadata.labels.app,
          name,
          port: containerPort,
        })),
      ),
    );

/** The labels of a target after relabelling, as Prometheus does it; null if it is dropped. */
function relabelled(labels: Record<string, string>, rules: Rule[]): Record<string, string> | null {
  const result = { ...labels };
  for (const {
    source_labels,
    regex = '(.*)',
    action = 'replace',
    target_label,
    replacement = '$1',
  } of rules) {
    const value = source_labels.map((name) => result[name] ?? '').join(';');
    const match = new RegExp(`^(?:${regex})$`).exec(value);
    if (action === 'keep' && !match) return null;
    if (action === 'replace' && match)
      result[target_label!] = replacement.replace(/\$(\d)/g, (_, n: string) => match[Number(n)] ?? '');
  }
  return result;
}

/** The ports that a scrape configuration reads, by the `job` label of their targets. */
export function scrapedJobs(tree: Tree, file: string): Record<string, number[]> {
  const { scrape_configs } = parse(tree.read(file)) as { scrape_configs: ScrapeJob[] };
  const found = scrape_configs.flatMap((job) => {
    if (job.dns_sd_configs) return job.dns_sd_configs.map(({ port }) => ({ job: job.job_name, port }));
    return containerPorts(tree).flatMap(({ app, name, port }) => {
      const discovered = {
        job: job.job_name,
        __meta_kubernetes_pod_label_app: app,
        __meta_kubernetes_pod_container_port_name: name,
        __meta_kubernetes_pod_name: `${app}-1`,
      };
      const labels = relabelled(discovered, job.relabel_configs ?? []);
      return labels ? [{ job: labels.job!, port }] : [];
    });
  });
  const jobs: Record<string, number[]> = {};
  for (const { job, port } of found) (jobs[job] ??= []).push(port);
  return jobs;
}
