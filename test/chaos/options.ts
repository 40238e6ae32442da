import { parseArgs } from 'node:util';

/**
 * Guarantees that a run can break, to show that it detects this:
 * - `exclusion`: slots may overlap: neither the constraints nor the room lock prevents it;
 * - `locks`: rows are not locked;
 * - `outbox`: one event in five is lost, as if it were written outside its transaction;
 * - `keys`: no two calls to the processor have the same idempotency key, and look-ups of
 *   earlier ones find nothing;
 * - `fence`: money moves on an account although facts of it may be missing;
 * - `reading`: events read from the processor's list count as handled, but are not;
 * - `transitions`: no transaction checks the state of what it changes, nor whether the booked time is over;
 * - `attempts`: an attempt to pay an invoice does not see unfinished earlier ones;
 * - `lines`: refunds of changes and cancellations are credited in proportion, as if they
 *   had no lines;
 * - `exchange`: a change exchanges no lines in addition to its payment or refund;
 * - `caps`: moves do not limit later refunds.
 */
const SABOTAGES = [
  'exclusion',
  'locks',
  'outbox',
  'keys',
  'fence',
  'reading',
  'transitions',
  'attempts',
  'lines',
  'exchange',
  'caps',
] as const;
export type Sabotage = (typeof SABOTAGES)[number];

/**
 * Losses that a run can suffer:
 * - `commits`: each crash of Postgres loses the last seconds, as a failover to a replica does;
 * - `backup`: at the end, the database is replaced by a backup from the middle of the
 *   run, with an empty Temporal;
 * - `unannounced`: at the end, the database is silently replaced by an older state of it, as by a failover or
 *   a restore: `--gap=SECONDS` older, under running processes or with new ones (`--workers`),
 *   with the runs or without (`--temporal`).
 */
const LOSSES = ['commits', 'backup', 'unannounced'] as const;
export type Loss = (typeof LOSSES)[number];

/** What happens to the processes and to Temporal when the database silently loses something. */
const WORKERS = ['running', 'restarted'] as const;
const TEMPORALS = ['kept', 'emptied'] as const;

const DEFAULT_SECONDS = 1_800;
const DEFAULT_GAP_SECONDS = 2;

export interface Options {
  seed: number;
  seconds: number;
  broken?: Sabotage;
  loses?: Loss;
  /** How much older the replacing database is, in seconds, and what else is lost then. */
  gap: number;
  workers: (typeof WORKERS)[number];
  temporal: (typeof TEMPORALS)[number];
  /** No workspace is connected to the accounting system. */
  withoutBooks: boolean;
  /** The processor delivers no webhook in the whole run. */
  withoutWebhooks: boolean;
  /** Nothing fails, so more happens in the same time. */
  withoutFaults: boolean;
}

function wholeNumber(name: string, given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new Error(`--${name} is "${given}": give it a whole number.`);
}

function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  given: string | undefined,
): Value | undefined {
  if (given === undefined || (values as readonly string[]).includes(given)) return given as Value | undefined;
  throw new Error(`--${name} is "${given}": give it one of ${values.join(', ')}.`);
}

/** Parses the options of `npm run chaos`. Throws if one is invalid. */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seconds: { type: 'string' },
      break: { type: 'string' },
      lose: { type: 'string' },
      gap: { type: 'string' },
      workers: { type: 'string' },
      temporal: { type: 'string' },
      'without-books': { type: 'boolean' },
      'without-webhooks': { type: 'boolean' },
      'without-faults': { type: 'boolean' },
    },
  });
  return {
    seed: wholeNumber('seed', values.seed ?? String(Math.floor(Math.random() * 1e9))),
    seconds: wholeNumber('seconds', values.seconds ?? String(DEFAULT_SECONDS)),
    broken: oneOf('break', SABOTAGES, values.break),
    loses: oneOf('lose', LOSSES, values.lose),
    gap: wholeNumber('gap', values.gap ?? String(DEFAULT_GAP_SECONDS)),
    workers: oneOf('workers', WORKERS, values.workers) ?? 'running',
    temporal: oneOf('temporal', TEMPORALS, values.temporal) ?? 'kept',
    withoutBooks: values['without-books'] ?? false,
    withoutWebhooks: values['without-webhooks'] ?? false,
    withoutFaults: values['without-faults'] ?? false,
  };
}
