import type { BulkResults } from './members.js';
import type { Line, Results } from './rounds.js';
import type { WebhookResults } from './webhooks.js';

const number = (value: number, digits = 1): string => value.toFixed(digits);

function row(name: string, line: Line): string {
  const cells = [
    name.padEnd(22),
    String(line.in_flight).padStart(9),
    number(line.per_second).padStart(10),
    number(line.p50_ms).padStart(10),
    number(line.p99_ms).padStart(10),
    String(line.done).padStart(8),
  ];
  return `  ${cells.join('')}`;
}

/** CPU time of one operation, by process. */
function cpuRow(name: string, { cpu_ms }: Line): string {
  const parts = Object.entries(cpu_ms).filter(([, ms]) => ms >= 0.1);
  const total = parts.reduce((sum, [, ms]) => sum + ms, 0);
  return `  ${name.padEnd(22)}${number(total)} ms: ${parts.map(([part, ms]) => `${part} ${number(ms)}`).join(', ')}`;
}

export function printResults(title: string, results: Results): void {
  const kinds = {
    bookings: 'bookings',
    floor: 'floor (bare update)',
    reservations: 'inserts, constraint',
  } as const;
  const lines = (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) =>
    results[kind].map((line) => row(kinds[kind], line)),
  );
  console.log(`\n${title}\n  ${''.padEnd(22)}in flight     per s    p50 ms    p99 ms    done`);
  console.log(lines.join('\n'));
  console.log('  CPU for one:');
  for (const kind of ['bookings', 'floor'] as const) {
    for (const line of results[kind]) console.log(cpuRow(`  ${kind} at ${line.in_flight}`, line));
  }
}

export function printWebhooks(results: WebhookResults): void {
  const { events, delivered_per_second, bare_per_second, actions_per_event, actions_alone } = results;
  const [delivered, bare] = [delivered_per_second, bare_per_second].map((rate) => rate.toFixed(0));
  console.log(`  ${events} events to one receiver: ${delivered}/s; signed POSTs in a bare loop: ${bare}/s.`);
  console.log(
    `  Temporal actions an event: ${actions_per_event.toFixed(4)}, of one that comes alone ${actions_alone}.`,
  );
}

/** A result compared with its target. */
export interface Aim {
  what: string;
  value: number;
  aim: number;
  atMost: boolean;
  met: boolean;
}

export function aim(what: string, value: number, bound: { atLeast: number } | { atMost: number }): Aim {
  const atMost = 'atMost' in bound;
  const goal = atMost ? bound.atMost : bound.atLeast;
  return { what, value, aim: goal, atMost, met: atMost ? value <= goal : value >= goal };
}

export function printAims(aims: Aim[]): void {
  console.log('\nAims');
  for (const { what, value, aim, atMost, met } of aims) {
    const bound = `${atMost ? 'at most' : 'at least'} ${aim}`;
    console.log(`  ${met ? '✔' : '✘'} ${what.padEnd(52)}${number(value, 2).padStart(8)}   ${bound}`);
  }
}

export function printBulk(results: BulkResults): void {
  const { creates, bulk_seconds, with_invites_seconds, plain_seconds, ratio } = results;
  const count = creates.toLocaleString('en');
  console.log(
    `\n  ${count} members in one call: ${number(bulk_seconds)} s, with invites ${number(with_invites_seconds)} s; ` +
      `${count} plain inserts ${number(plain_seconds)} s, so ${number(ratio)} times as long.`,
  );
}
