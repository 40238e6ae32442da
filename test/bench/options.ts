import { parseArgs } from 'node:util';
import type { Job } from '../../contract/jobs.js';

/**
 * What can be measured separately. `bookings` includes `webhooks`; `prices` and the last five rows are measured
 * only if asked for.
 */
const ROWS = [
  'bookings',
  'life',
  'webhooks',
  'reads',
  'pages',
  'prices',
  'members',
  'subscriptions',
  'requests',
  'reconciliation',
  'migrations',
  'scale',
  'jobs',
  'memory',
] as const;
type Row = (typeof ROWS)[number];

export interface Options {
  /** Default: all. */
  only?: Row;
  rounds: number;
  /** Seconds of each measurement with one in flight; with many it is twice as long. */
  seconds: number;
  /** Open bookings on the server during the second half; 0 skips it. For `memory`: 5,000 by default, after twice as many that are cancelled. */
  open: number;
  /** Seconds after which to stop opening bookings. */
  openSeconds: number;
  /** For `scale` and `jobs`: bookings that are over. */
  past: number;
  /** For `jobs`: only this one. */
  job?: Job;
}

const LIMITS = { rounds: 50, seconds: 60, open: 20_000, 'open-seconds': 3_600, past: 1_000_000 } as const;
const DEFAULTS = { rounds: '5', seconds: '2.5', open: '0', 'open-seconds': '900', past: '1000000' };

/** Parses the command line: `npm run bench -- --open=5000 --rounds=3`, `npm run bench -- --only reads`. */
export function readOptions(args: string[]): Options {
  const string = { type: 'string' } as const;
  const names = ['rounds', 'seconds', 'open', 'open-seconds', 'past', 'only', 'job'] as const;
  const options = Object.fromEntries(names.map((name) => [name, string])) as Record<
    (typeof names)[number],
    typeof string
  >;
  const { values } = parseArgs({ args, options });
  const number = (name: keyof typeof LIMITS): number => {
    const value = Number(values[name] ?? DEFAULTS[name]);
    if (value >= 0 && value <= LIMITS[name]) return value;
    throw new Error(`--${name} is "${values[name]}": give it a number from 0 to ${LIMITS[name]}.`);
  };
  const only = ROWS.find((row) => row === values.only);
  if (values.only !== only) throw new Error(`--only is "${values.only}": give it one of ${ROWS.join(', ')}.`);
  return {
    only,
    rounds: Math.max(1, Math.floor(number('rounds'))),
    seconds: number('seconds'),
    open: Math.floor(number('open')),
    openSeconds: number('open-seconds'),
    past: Math.floor(number('past')),
    job: values.job as Job | undefined,
  };
}
