import { mkdirSync, writeFileSync } from 'node:fs';
import { sentenceFor } from '../../dev/launcher/problem.js';
import { createReport } from '../../dev/launcher/report.js';
import { readSettings, type PortName } from '../../dev/launcher/settings.js';
import { withStack, type Stack } from '../../dev/launcher/stack.js';
import { readOptions } from './options.js';
import { printAims, type Aim } from './print.js';
import {
  benchJobs,
  benchMembers,
  benchMemory,
  benchMigrations,
  benchPages,
  benchReads,
  benchReconciliation,
  benchRequests,
  benchScale,
  benchSubscriptions,
} from './benches.js';
import { benchBookings, benchLife, benchPrices, benchWebhooks } from './booking-benches.js';

/**
 * `npm run bench`: the cost of a booking, measured against that of Temporal alone on the same machine at the same time.
 * It starts its own stack with fresh data, because old workflows affect a server.
 */
const ENVIRONMENT = { HOLDFAST_HOME: '.holdfast-bench', RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'warn' };

for (const [name, value] of Object.entries(ENVIRONMENT)) process.env[name] = value;
const options = readOptions(process.argv.slice(2));
// All open bookings are old enough for self-heal.
if (options.only === 'scale' || options.only === 'jobs') process.env.SELF_HEAL_AFTER_SECONDS = '1';
const report = createReport(process.stdout);

async function bench(stack: Stack): Promise<void> {
  const aims: Aim[] = [];
  const figures: Record<string, unknown> = {};
  const context = { stack, options, report, figures };
  const { only } = options;
  figures.temporal = `${stack.dev.temporalAddress}, namespace ${stack.dev.temporalNamespace}`;
  console.log(`\nTemporal: ${figures.temporal}`);
  if (!only || only === 'bookings') aims.push(...(await benchBookings(context)));
  if (!only || only === 'life') aims.push(...(await benchLife(context)));
  if (only === 'webhooks') aims.push(...(await benchWebhooks(context)));
  if (!only || only === 'reads') aims.push(...(await benchReads(context)));
  if (only === 'prices') aims.push(...(await benchPrices(context)));
  if (!only || only === 'pages') aims.push(...(await benchPages(context)));
  if (!only || only === 'members') aims.push(...(await benchMembers(context)));
  if (!only || only === 'subscriptions') aims.push(...(await benchSubscriptions(context)));
  if (!only || only === 'requests') aims.push(...(await benchRequests(context)));
  if (only === 'reconciliation') aims.push(...(await benchReconciliation(context)));
  if (only === 'migrations') aims.push(...(await benchMigrations(context)));
  if (only === 'memory') aims.push(...(await benchMemory(context)));
  if (only === 'scale') await benchScale(context);
  if (only === 'jobs') await benchJobs(context);
  printAims(aims);
  mkdirSync('build', { recursive: true });
  const json = { at: new Date().toISOString(), options, ...figures, aims };
  writeFileSync('build/bench.json', `${JSON.stringify(json, null, 2)}\n`);
  console.log('\nAll figures: build/bench.json');
}

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
});
try {
  const settings = readSettings();
  const ports = Object.fromEntries(Object.keys(settings.ports).map((name) => [name, 0])) as Record<
    PortName,
    number
  >;
  // The targets are for one process of each.
  const own = { ...settings, ports, apiProcesses: 1, workerProcesses: 1 };
  await withStack(own, report, { fresh: true, countsStatements: true }, bench, interrupted);
} catch (error) {
  console.error(sentenceFor(error));
  process.exitCode = 1;
}
report.close();
process.exit();
