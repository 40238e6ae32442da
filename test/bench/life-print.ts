import { aim, type Aim } from './print.js';
import { sum } from './temporal-cost.js';
import { SLOW_PROCESSOR, type LifeResults, type PerPiece } from './life.js';

export function printLife(results: LifeResults): void {
  const { per_second, floor_per_second, temporal, statements, bookings, in_flight } = results;
  const cpu = (parts: PerPiece): string => {
    const used = Object.entries(parts).filter(([, ms]) => ms >= 0.5);
    const all = used.reduce((ms, [, part]) => ms + part, 0);
    return `${all.toFixed(0)} ms: ${used.map(([part, ms]) => `${part} ${ms.toFixed(1)}`).join(', ')}`;
  };
  console.log(
    `\nFrom create to paid, mail, event and accounting: ${bookings} bookings, ${in_flight} in flight, ` +
      `${per_second.toFixed(1)}/s; the floor ${floor_per_second.toFixed(1)}/s.`,
  );
  console.log(`  CPU for one: ${cpu(results.cpu_ms)}`);
  console.log(`  CPU of a create alone: ${cpu(results.create_cpu_ms)}`);
  console.log(`  CPU of the floor: ${cpu(results.floor_cpu_ms)}`);
  console.log(`  CPU a second while idle, not counted above: ${cpu(results.idle_cpu_ms)}`);
  console.log(
    `  ${'For one'.padEnd(22)}      runs    events  workflow tasks  activity tasks  billable actions`,
  );
  for (const [type, cost] of Object.entries(temporal))
    console.log(
      `  ${type.padEnd(22)}${[cost.runs, cost.events].map((n) => n.toFixed(2).padStart(10)).join('')}` +
        [cost.workflow_tasks, cost.activity_tasks, cost.billable_actions]
          .map((n) => n.toFixed(2).padStart(16))
          .join(''),
    );
  if (statements)
    console.log(
      `  Statements: ${statements.create.toFixed(1)} for a create, ${statements.paid.toFixed(1)} for a paid booking.`,
    );
  console.log(
    `  Creates with a processor that takes ${SLOW_PROCESSOR.latency_ms} ms, ${SLOW_PROCESSOR.inFlight} in flight: ` +
      `${results.creates_per_second_slow_processor.toFixed(1)}/s.`,
  );
}

/** The runs that belong to one booking. Mail and events share a run per workspace. */
const OWN_RUNS = ['booking', 'verifyPayment', 'invoiceAccounting'];

export function aimsOfLife({ temporal, statements }: LifeResults): Aim[] {
  const own = OWN_RUNS.flatMap((type) => temporal[type] ?? []).reduce(sum);
  return [
    aim('workflow tasks of a paid booking and its invoice', own.workflow_tasks, { atMost: 4 }),
    aim('activity tasks of a paid booking and its invoice', own.activity_tasks, { atMost: 1 }),
    ...(statements
      ? [aim('statements of a paid booking and its invoice', statements.paid, { atMost: 60 })]
      : []),
  ];
}
