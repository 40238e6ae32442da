import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import test from 'ava';
import { containerPorts, scrapedJobs } from './scraped.js';
import { anchorsOf } from '../dev/citations.js';
import { watchBacklog } from '../../ops/metrics/backlog.js';
import { createHttpMetrics } from '../../ops/metrics/http.js';
import { createRegistry } from '../../ops/metrics/registry.js';
import { createStepMetrics } from '../../ops/metrics/steps.js';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const rules = (
  parse(readFileSync('ops/prometheus/rules.yaml', 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);

const dashboard = JSON.parse(readFileSync('ops/grafana/dashboard.json', 'utf8')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const queries = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];

/** The metrics that a query reads, without the suffixes of histograms. */
const metricsOf = (query: string): string[] =>
  [...query.matchAll(/\b(holdfast|temporal|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );

/** The names of all metrics of API and worker, and the number of labels of each. */
async function ownMetrics(): Promise<Map<string, string[]>> {
  const registry = createRegistry({ totalCount: 0, idleCount: 0, waitingCount: 0 });
  createHttpMetrics(registry);
  createStepMetrics(registry);
  watchBacklog(registry, () => Promise.reject(new Error('not read')));
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; labelNames?: string[] }[];
  return new Map(metrics.map(({ name, labelNames = [] }) => [name, labelNames]));
}

/** The job that scrapes a metric, of those that the alerts name: the registry of a process has its own, and the SDK's are apart. */
const jobsOf = (name: string, own: { api: Set<string>; worker: Set<string> }): string[] =>
  [
    name.startsWith('temporal_') && 'holdfast-worker-sdk',
    own.api.has(name) && 'holdfast-api',
    own.worker.has(name) && 'holdfast-worker',
  ].filter((job) => job !== false);

/**
 * The SDK's native library: most of its metrics appear only once something happens, so their names are looked up there.
 */
function coreLibrary(): Buffer {
  const { resolve } = createRequire(import.meta.url);
  const folder = join(dirname(resolve('@temporalio/core-bridge/package.json')), 'releases');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return readFileSync(
    join(
      folder,
      files.find((file) => file.endsWith('.node'))!,
    ),
  );
}

test('every alert has its section in the runbook, and every such section its alert', (t) => {
  const cited = rules.map(({ annotations }) => annotations.runbook.replace('docs/operations.md#', ''));
  const sections = anchorsOf(readFileSync('docs/operations.md', 'utf8')).filter((anchor) =>
    anchor.startsWith('alert-'),
  );
  t.deepEqual(cited.toSorted(), sections.toSorted());
  for (const { alert, annotations } of rules)
    t.is(annotations.runbook.split('#')[1], `alert-${alert.toLowerCase()}`);
});

test('alerts and dashboard read metrics that the service or the SDK exports', async (t) => {
  const own = await ownMetrics();
  const core = coreLibrary();
  const isExported = (name: string): boolean =>
    name.startsWith('temporal_')
      ? core.includes(name.replace(/^temporal_/, '').replace(/_seconds$/, ''))
      : own.has(name);
  const names = new Set(queries.flatMap(metricsOf));
  t.true(names.size > 20);
  t.deepEqual(
    [...names].filter((name) => !isExported(name)),
    [],
  );
  t.false(isExported('temporal_no_such_metric'));
  for (const value of ['NonDeterminismError', 'GrpcMessageTooLarge', 'RESOURCE_EXHAUSTED'])
    t.true(core.includes(value), value);
});

/** The metrics of each process, as their entry points create them. */
async function metricsByProcess(): Promise<{ api: Set<string>; worker: Set<string> }> {
  const names = (registry: Registry) =>
    new Set((registry.getMetricsAsArray() as unknown as { name: string }[]).map(({ name }) => name));
  const api = createRegistry({ totalCount: 0, idleCount: 0, waitingCount: 0 });
  createHttpMetrics(api);
  const worker = createRegistry({ totalCount: 0, idleCount: 0, waitingCount: 0 });
  createStepMetrics(worker);
  watchBacklog(worker, () => Promise.reject(new Error('not read')));
  return { api: names(api), worker: names(worker) };
}

for (const [way, file] of [
  ['compose.yaml', 'ops/prometheus/prometheus.yaml'],
  ['Kubernetes', 'ops/prometheus/kubernetes.yaml'],
] as const)
  test(`Prometheus scrapes every metric of the alerts and the dashboard, and the jobs that they name: ${way}`, async (t) => {
    const jobs = scrapedJobs(file);
    t.deepEqual(jobs, {
      'holdfast-api': [9464],
      'holdfast-worker': [9464],
      'holdfast-worker-sdk': [9465],
    });
    const own = await metricsByProcess();
    for (const name of new Set(queries.flatMap(metricsOf)))
      t.true(
        jobsOf(name, own).some((job) => job in jobs),
        `${name} is not scraped`,
      );
    const named = queries.flatMap((query) => [...query.matchAll(/job=~?"([^"]*)"/g)].map(([, job]) => job!));
    t.true(named.length > 0);
    for (const pattern of named)
      t.true(
        Object.keys(jobs).some((job) => new RegExp(`^(?:${pattern})$`).test(job)),
        `no job is ${pattern}`,
      );
  });

test('a worker has its own metrics and those of the SDK on ports of their own, whose names Prometheus looks for', (t) => {
  t.deepEqual(containerPorts(), [
    { app: 'holdfast-api', name: 'http', port: 8080 },
    { app: 'holdfast-api', name: 'metrics', port: 9464 },
    { app: 'holdfast-worker', name: 'metrics', port: 9464 },
    { app: 'holdfast-worker', name: 'sdk-metrics', port: 9465 },
  ]);
});

test('alerts and dashboard select by labels that the metrics have', async (t) => {
  const own = await ownMetrics();
  const core = coreLibrary();
  const selected = queries.flatMap((query) =>
    [...query.matchAll(/\b(\w+)\{([^}]*)\}/g)].flatMap(([, name, labels]) =>
      [...labels!.matchAll(/(\w+)\s*[=!]/g)].map(
        ([, label]) => [metricsOf(name!)[0] ?? name!, label!] as const,
      ),
    ),
  );
  t.true(selected.length > 5);
  for (const [name, label] of selected) {
    if (label === 'job' || label === 'instance') continue;
    const known = name.startsWith('temporal_') ? core.includes(label) : own.get(name)?.includes(label);
    t.true(known, `${name} has no label ${label}`);
  }
});

test('every metric of the service is described, and no other', async (t) => {
  const own = await ownMetrics();
  const described = readFileSync('docs/operations.md', 'utf8').matchAll(/^\| `(holdfast_\w+)` \|([^|]*)\|/gm);
  const labels = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  t.deepEqual(
    [...described].map(([, name, cell]) => [name, labels(cell!)]).toSorted(),
    [...own].filter(([name]) => name.startsWith('holdfast_')).toSorted(),
  );
});

test('a backlog that cannot be read keeps its last values and is counted', async (t) => {
  const registry = new Registry();
  let now = 0;
  let pending: number | null = 3;
  const refresh = watchBacklog(
    registry,
    async () => {
      if (pending === null) throw new Error('away');
      return new Proxy({}, { get: (_, name) => (name === 'failing_jobs' ? [] : pending) }) as never;
    },
    () => now,
  );
  const value = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]?.value;
  await refresh();
  t.is(await value('holdfast_bookings'), 3);
  pending = null;
  await refresh();
  t.is(await value('holdfast_backlog_read_failures_total'), 0, 'it was read a moment ago');
  now += 10_000;
  await refresh();
  t.is(await value('holdfast_bookings'), 3);
  t.is(await value('holdfast_backlog_read_failures_total'), 1);
});

test('activities are counted by what they achieved', async (t) => {
  const registry = new Registry();
  const steps = createStepMetrics(registry);
  const settle = (source: string | null, already: boolean) =>
    steps.succeeded('settleReport', { report: { source } }, { outcome: { kind: 'confirmed', already } });
  settle('scheduler_self_heal', false);
  settle('platform_webhook', true);
  settle(null, false);
  steps.succeeded('expireBooking', {}, { status: 'expired' });
  steps.succeeded('expireBooking', {}, { status: 'confirmed' });
  steps.succeeded('releaseAbandoned', {}, { released: 2, failed: [], last: null });
  steps.failed(new Error('not one of ours'));
  const text = await registry.metrics();
  t.regex(text, /holdfast_booking_outcomes_total\{outcome="confirmed"\} 2\n/);
  t.regex(text, /holdfast_booking_outcomes_total\{outcome="expired"\} 1\n/);
  t.regex(text, /holdfast_self_heal_finds_total\{kind="payment"\} 1\n/);
  t.regex(text, /holdfast_self_heal_finds_total\{kind="slot"\} 2\n/);
  t.notRegex(text, /holdfast_outside_call_failures_total\{/);
});
