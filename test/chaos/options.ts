import { parseArgs } from 'node:util';

/**
 * Guarantees that a run can break, to show that it finds out:
 * - `exclusion`: nothing keeps slots apart, neither the constraint nor the lock of the room;
 * - `locks`: rows are not locked;
 * - `outbox`: one event in five is lost, as if it were written outside its transaction.
 */
export const SABOTAGES = ['exclusion', 'locks', 'outbox'] as const;
export type Sabotage = (typeof SABOTAGES)[number];

const DEFAULT_SECONDS = 1_800;

export interface Options {
  seed: number;
  seconds: number;
  broken?: Sabotage;
  /** The processor delivers no webhook in the whole run. */
  withoutWebhooks: boolean;
}

function wholeNumber(name: string, given: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new Error(`--${name} is "${given}": give it a whole number.`);
}

/** Reads the options of `npm run chaos`. Throws if one is invalid. */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seconds: { type: 'string' },
      break: { type: 'string' },
      'without-webhooks': { type: 'boolean' },
    },
  });
  const broken = values.break as Sabotage | undefined;
  if (broken !== undefined && !SABOTAGES.includes(broken))
    throw new Error(`--break is "${broken}": give it one of ${SABOTAGES.join(', ')}.`);
  return {
    seed: wholeNumber('seed', values.seed ?? String(Math.floor(Math.random() * 1e9))),
    seconds: wholeNumber('seconds', values.seconds ?? String(DEFAULT_SECONDS)),
    broken,
    withoutWebhooks: values['without-webhooks'] ?? false,
  };
}
