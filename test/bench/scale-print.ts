import { printLife } from './life-print.js';
import type { JobResult, ScaleResults } from './scale.js';

const count = (value: number): string => Math.round(value).toLocaleString('en');
const sumOf = (parts: Record<string, number>): number =>
  Object.entries(parts).reduce((sum, [name, value]) => (isMeasured(name) ? sum + value : sum), 0);
/** Simulators and load generators are no part of the service. */
const isMeasured = (name: string): boolean => /^(api|worker|temporal|postgres)/.test(name);
const partsOf = (parts: Record<string, number>, digits: number): string =>
  Object.entries(parts)
    .filter(([name, value]) => isMeasured(name) && value > 0)
    .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
    .join(', ');

function printJob({
  job,
  seconds,
  seconds_to_end,
  statements,
  cpu_seconds,
  worker_mb,
  summary,
  slowest,
}: JobResult): void {
  const memory = worker_mb.map((mb) => mb.toFixed(0)).join(' → ');
  console.log(
    `  ${job.padEnd(22)}${seconds.toFixed(1).padStart(8)} s, ${seconds_to_end.toFixed(1).padStart(5)} s to the end${count(statements).padStart(10)} statements   ` +
      `CPU ${sumOf(cpu_seconds).toFixed(1)} s: ${partsOf(cpu_seconds, 1)}; worker ${memory} MB`,
  );
  console.log(`    ${JSON.stringify(summary)}`);
  for (const { statement, calls, ms } of slowest.slice(0, 5))
    console.log(
      `    ${count(ms).padStart(7)} ms in ${count(calls).padStart(7)} calls  ${statement.slice(0, 110)}`,
    );
}

export function printJobs(jobs: JobResult[]): void {
  console.log('\nJobs over all workspaces');
  for (const job of jobs) printJob(job);
}

export function printScale(results: ScaleResults): void {
  const { past, open, load_average, database_mb, temporal_mb, memory, throughput, rooms, jobs } = results;
  console.log(
    `\nWith ${count(past)} past and ${count(open)} open bookings: database ${count(database_mb)} MB, Temporal ` +
      `${count(temporal_mb)} MB, load average at the end ${load_average.toFixed(1)}`,
  );
  console.log('  Resident MB         fresh      past      open');
  for (const kind of ['api', 'worker'] as const)
    console.log(
      `  ${kind.padEnd(16)}${[memory.fresh, memory.past, memory.open].map((each) => each[kind].toFixed(0).padStart(9)).join(' ')}`,
    );
  for (const each of throughput) {
    const { workers, creates_per_second, paid_per_second, create_cpu_ms, paid_cpu_ms } = each;
    console.log(
      `  ${workers} worker${workers > 1 ? 's' : ' '}: ${creates_per_second.toFixed(1)} creates/s at ` +
        `${sumOf(create_cpu_ms).toFixed(0)} ms of CPU, ${paid_per_second.toFixed(1)} paid/s at ${sumOf(paid_cpu_ms).toFixed(0)} ms`,
    );
    console.log(`    create: ${partsOf(create_cpu_ms, 1)}; paid: ${partsOf(paid_cpu_ms, 1)}`);
  }
  for (const { rooms: n, creates_per_second, reservations_per_second } of rooms)
    console.log(
      `  ${n} room${n > 1 ? 's' : ' '}: ${creates_per_second.toFixed(1)} creates/s; ` +
        `${reservations_per_second.toFixed(0)} transactions/s under the lock alone`,
    );
  printJobs(jobs);
  printLife(results.life);
}
