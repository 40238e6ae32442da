import { parseArgs } from 'node:util';
import type { Report } from '../../dev/launcher/report.js';
import type { Stack } from '../../dev/launcher/stack.js';

export interface Options {
  rounds: number;
  /** Seconds of each measurement with one request in flight; with many it is twice as long. */
  seconds: number;
  /** Open bookings for measuring memory, after twice as many that are cancelled. */
  open: number;
}

/** What each measurement is given. */
export interface Bench {
  stack: Stack;
  options: Options;
  report: Report;
  /** What `build/bench.json` will contain. */
  figures: Record<string, unknown>;
}

const LIMITS: Record<keyof Options, { usual: number; most: number }> = {
  rounds: { usual: 5, most: 50 },
  seconds: { usual: 2.5, most: 60 },
  open: { usual: 5_000, most: 20_000 },
};

/**
 * Parses the command line: `npm run bench -- --rounds=3 --only reads`. `only` is one of the names, or
 * undefined for all. Throws for another name and for an out-of-range number.
 */
export function readOptions<Name extends string>(
  args: string[],
  names: Name[],
): { only?: Name; options: Options } {
  const string = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: { only: string, rounds: string, seconds: string, open: string },
  });
  const number = (name: keyof Options): number => {
    const value = Number(values[name] ?? LIMITS[name].usual);
    if (value > 0 && value <= LIMITS[name].most) return value;
    throw new Error(`--${name} is "${values[name]}": give it a number of at most ${LIMITS[name].most}.`);
  };
  const only = names.find((name) => name === values.only);
  if (values.only !== only)
    throw new Error(`--only is "${values.only}": give it one of ${names.join(', ')}.`);
  const [rounds, open] = [number('rounds'), number('open')].map(Math.ceil) as [number, number];
  return { only, options: { rounds, seconds: number('seconds'), open } };
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
    console.log(`  ${met ? '✔' : '✘'} ${what.padEnd(52)}${value.toFixed(2).padStart(8)}   ${bound}`);
  }
}
