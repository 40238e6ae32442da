import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Registry } from 'prom-client';
import { parse } from 'yaml';
import { watchBacklog } from '../../../ops/metrics/backlog.js';
import { createHttpMetrics } from '../../../ops/metrics/http.js';
import { createRegistry } from '../../../ops/metrics/registry.js';
import { createStepMetrics } from '../../../ops/metrics/steps.js';
import { listAnchors } from '../citations.js';
import { differences, edited, unless, type Rule } from '../rule.js';
import { containerPorts, scrapedJobs } from './scraped.js';

const RULES = 'ops/prometheus/rules.yaml';
const DASHBOARD = 'ops/grafana/dashboard.json';
const RUNBOOK = 'docs/guides/runbook.md';
const MONITOR = 'docs/guides/monitor.md';

interface Alert {
  alert: string;
  expr: string;
  annotations: { runbook: string };
}

/** The metrics that a query reads, without histogram suffixes. */
const queriedMetrics = (query: string): string[] =>
  [...query.matchAll(/\b(holdfast|temporal|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );

/** The labels of a process's metrics, by name, as its entry point creates them. */
function labelsIn(create: (registry: Registry) => unknown): Map<string, string[]> {
  const registry = createRegistry({ totalCount: 0, idleCount: 0, waitingCount: 0 });
  create(registry);
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; labelNames?: string[] }[];
  return new Map(metrics.map(({ name, labelNames = [] }) => [name, labelNames]));
}

/**
 * The SDK's native library. Most of its metrics appear only once something happens, so their names are looked
 * up there.
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

/**
 * Alerts and dashboard read only metrics that are exported, scraped and described, and each alert has its
 * section in the runbook.
 */
export const metrics: Rule = {
  name: 'metrics and alerts',
  *check(tree) {
    const { groups } = parse(tree.read(RULES)) as { groups: { rules: Alert[] }[] };
    const alerts = groups.flatMap(({ rules }) => rules);
    yield* differences(
      `${RULES}: sections of the runbook`,
      alerts.map(({ annotations }) => annotations.runbook),
      listAnchors(tree.read(RUNBOOK))
        .filter((anchor) => anchor.startsWith('alert-'))
        .map((anchor) => `${RUNBOOK}#${anchor}`),
    );
    for (const { alert, annotations } of alerts)
      yield* unless(
        annotations.runbook.endsWith(`#alert-${alert.toLowerCase()}`),
        `${tree.at(RULES, alert)}: ${annotations.runbook} is not about ${alert}`,
      );

    const { panels } = JSON.parse(tree.read(DASHBOARD)) as { panels: { targets?: { expr: string }[] }[] };
    const queries = [...alerts, ...panels.flatMap(({ targets = [] }) => targets)].map(({ expr }) => expr);
    const core = coreLibrary();
    const api = labelsIn(createHttpMetrics);
    const worker = labelsIn((registry) => {
      createStepMetrics(registry);
      watchBacklog(registry, () => Promise.reject(new Error('not read')));
    });
    const own = new Map([...api, ...worker]);
    const isExported = (name: string): boolean =>
      name.startsWith('temporal_')
        ? core.includes(name.replace(/^temporal_/, '').replace(/_seconds$/, ''))
        : own.has(name);
    const names = new Set(queries.flatMap(queriedMetrics));
    yield* unless(names.size > 20, `${RULES}: few metrics are read`);
    for (const name of names)
      yield* unless(isExported(name), `${RULES} or ${DASHBOARD}: nothing exports ${name}`);
    for (const value of ['NonDeterminismError', 'GrpcMessageTooLarge', 'RESOURCE_EXHAUSTED'])
      yield* unless(core.includes(value), `${RULES}: the SDK has no ${value}`);
    for (const [, name, labels] of queries.flatMap((query) => [...query.matchAll(/\b(\w+)\{([^}]*)\}/g)]))
      for (const [, label] of labels!.matchAll(/(\w+)\s*[=!]/g)) {
        const known = name!.startsWith('temporal_')
          ? core.includes(label!)
          : own.get(queriedMetrics(name!)[0] ?? name!)?.includes(label!);
        yield* unless(
          known || label === 'job' || label === 'instance',
          `${RULES} or ${DASHBOARD}: ${name} has no label ${label}`,
        );
      }

    // Each process has its own registry, and the SDK's metrics have their own port.
    const exportingJobs = (name: string): string[] =>
      [
        name.startsWith('temporal_') && 'holdfast-worker-sdk',
        api.has(name) && 'holdfast-api',
        worker.has(name) && 'holdfast-worker',
      ].filter((job) => job !== false);
    yield* differences('ops/kubernetes: ports', containerPorts(tree), [
      { app: 'holdfast-api', name: 'http', port: 8080 },
      { app: 'holdfast-api', name: 'metrics', port: 9464 },
      { app: 'holdfast-worker', name: 'metrics', port: 9464 },
      { app: 'holdfast-worker', name: 'sdk-metrics', port: 9465 },
    ]);
    const named = queries.flatMap((query) => [...query.matchAll(/job=~?"([^"]*)"/g)].map(([, job]) => job!));
    for (const file of ['ops/prometheus/prometheus.yaml', 'ops/prometheus/kubernetes.yaml']) {
      const jobs = scrapedJobs(tree, file);
      yield* differences(`${file}: jobs`, jobs, {
        'holdfast-api': [9464],
        'holdfast-worker': [9464],
        'holdfast-worker-sdk': [9465],
      });
      for (const name of names)
        yield* unless(
          exportingJobs(name).some((job) => job in jobs),
          `${file}: ${name} is not scraped`,
        );
      for (const pattern of named)
        yield* unless(
          Object.keys(jobs).some((job) => new RegExp(`^(?:${pattern})$`).test(job)),
          `${file}: no job is ${pattern}`,
        );
    }

    const described = [...tree.read(MONITOR).matchAll(/^\| `(holdfast_\w+)` \|([^|]*)\|/gm)];
    yield* differences(
      `${MONITOR}: metrics and their labels`,
      described.map(([, name, cell]) => [name, [...cell!.matchAll(/`(\w+)`/g)].map(([, label]) => label)]),
      [...own].filter(([name]) => name.startsWith('holdfast_')),
    );
  },
  refused: [
    edited(RULES, /\btemporal_\w+/, 'temporal_no_such_metric'),
    edited(RULES, 'job=~"holdfast-.*"', 'job=~"another"'),
    edited(MONITOR, '| `holdfast_bookings` |', '| `holdfast_rooms` |'),
    edited(DASHBOARD, /holdfast_\w+/, 'holdfast_no_such_metric'),
  ],
};
