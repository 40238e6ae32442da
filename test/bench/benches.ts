import { measureBulk } from './members.js';
import { aimsOfMemory, measureMemory, printMemory } from './memory.js';
import { longestMeanwhile, measureMigrations, printMigrations } from './migrations.js';
import { aim, printBulk, type Aim } from './print.js';
import { aimsOfPages, measurePages, printPages } from './pages.js';
import { measureReconciliation } from './reconciliation.js';
import { aimsOfReads, measureReads, printReads } from './reads.js';
import { aimsOfRequests, measureRequests, printRequests } from './requests.js';
import { measureJobs, measureScale } from './scale.js';
import { printJobs, printScale } from './scale-print.js';
import { measureSubscriptions } from './subscriptions.js';
import type { Bench } from './context.js';

export async function benchReads({ stack: { dev }, options, report, figures }: Bench): Promise<Aim[]> {
  const results = await report.step('availability and list', (say) =>
    measureReads(dev, options.rounds, options.seconds, say),
  );
  figures.reads = results;
  printReads(results);
  return aimsOfReads(results);
}

export async function benchPages({ stack: { dev }, options, report, figures }: Bench): Promise<Aim[]> {
  const results = await report.step('pages of the dashboard', (say) =>
    measurePages(dev, options.seconds, say),
  );
  figures.pages = results;
  printPages(results);
  return aimsOfPages(results);
}

export async function benchMembers({ stack: { dev }, options, report, figures }: Bench): Promise<Aim[]> {
  const results = await report.step('members in bulk', () => measureBulk(dev, options.rounds));
  figures.members = results;
  printBulk(results);
  return [aim('a bulk of 1,000 creates to 1,000 plain inserts', results.ratio, { atMost: 4 })];
}

export async function benchSubscriptions({ stack: { dev }, report, figures }: Bench): Promise<Aim[]> {
  const results = await report.step('subscription invoices', () => measureSubscriptions(dev));
  figures.subscriptions = results;
  const { seconds_many, seconds_few, growth, worker_mb_before, worker_mb_after } = results;
  console.log(
    `\nSubscription invoices: 1,000 in ${seconds_few.toFixed(1)} s, 5,000 in ${seconds_many.toFixed(1)} s; ` +
      `the worker had ${worker_mb_before.toFixed(0)} MB before and ${worker_mb_after.toFixed(0)} MB after.`,
  );
  return [aim('5,000 subscription invoices to five times 1,000', growth, { atMost: 1.3 })];
}

export async function benchRequests({ stack: { dev }, options, report, figures }: Bench): Promise<Aim[]> {
  const results = await report.step('authentication and limits', () =>
    measureRequests(dev, options.rounds, options.seconds),
  );
  figures.requests = results;
  printRequests(results);
  return aimsOfRequests(results);
}

export async function benchReconciliation({ stack: { dev }, report, figures }: Bench): Promise<Aim[]> {
  const results = await report.step('a reconciliation', () => measureReconciliation(dev));
  figures.reconciliation = results;
  const { invoices, notes, seconds, calls, requests, differences } = results;
  console.log(
    `\nA reconciliation of ${invoices} invoices and ${notes} credit notes: ${seconds.toFixed(1)} s, ${calls} calls to the ` +
      `accounting system, ${requests} requests to the API, ${differences} differences.`,
  );
  return [
    aim('invoices and credit notes for each call', (invoices + notes) / calls, { atLeast: 90 }),
    aim('differences', differences, { atMost: 0 }),
  ];
}

export async function benchMigrations({ stack: { dev }, report, figures }: Bench): Promise<Aim[]> {
  const results = await report.step('migrations', (say) => measureMigrations(dev.databaseUrl, say));
  figures.migrations = results;
  printMigrations(results);
  return [
    aim('ms that a statement took at most while a table was changed', longestMeanwhile(results), {
      atMost: 1_000,
    }),
  ];
}

/** Open bookings, of which the worker keeps nothing each. */
const OPEN = 5_000;

export async function benchMemory({ stack, options, report, figures }: Bench): Promise<Aim[]> {
  const results = await report.step('memory', (say) => measureMemory(stack, options.open || OPEN, say));
  figures.memory = results;
  printMemory(results);
  return aimsOfMemory(results);
}

export async function benchScale({ stack, options, report, figures }: Bench): Promise<void> {
  const results = await report.step('many bookings', (say) => measureScale(stack, options, say));
  figures.scale = results;
  printScale(results);
}

export async function benchJobs({ stack, options, report, figures }: Bench): Promise<void> {
  const jobs = await report.step('scheduled jobs', (say) => measureJobs(stack, options, say));
  figures.jobs = jobs;
  printJobs(jobs);
}
