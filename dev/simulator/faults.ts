import { setTimeout as sleep } from 'node:timers/promises';
import joi from 'joi';
import type { Context } from 'koa';
import { changeSettings, replaceSettings, settingsFor } from './settings.js';
import type { Table } from './table.js';

/** An injected failure of calls. */
export interface Failure {
  method?: string;
  /** A path, or a prefix that ends in `*`. */
  path: string;
  /** HTTP status of the response; 0 closes the connection without one. */
  status: number;
  /** How many calls fail. */
  times: number;
  /** Performs the call and then fails, as if the response were lost. */
  after_effect: boolean;
  /** The error code in the response, if the service has codes. */
  code?: string;
}

/** The faults that every simulator has. */
export interface CommonFaults {
  latency_ms: number;
  fail: Failure[];
}

/** The fields of a request that sets the faults. */
export const COMMON_FAULTS = {
  latency_ms: joi.number().integer().min(0).default(0),
  fail: joi
    .array()
    .items(
      joi.object({
        method: joi.string().empty(null),
        path: joi.string().pattern(/^\//).required(),
        status: joi.number().integer().allow(0).min(400).max(599).required(),
        times: joi.number().integer().min(1).default(1),
        after_effect: joi.boolean().default(false),
        code: joi.string().empty(null),
      }),
    )
    .default([]),
};

/**
 * Replaces the faults of one account, or without an account all faults. A request with only the account
 * clears its faults: `given` is the request without defaults.
 */
export function setFaults<F extends CommonFaults>(
  settings: Table<{ faults?: F }>,
  account: string | undefined,
  faults: F,
  given: object,
): F {
  const isCleared = Object.keys(given).length === 1;
  if (account === undefined) replaceSettings(settings, { faults });
  else changeSettings(settings, account, { faults: isCleared ? undefined : faults });
  return faults;
}

/** Runs an account's call with the injected latency and failure. `fail` makes a failure's response. */
export async function withFaults<F extends CommonFaults, R>(
  settings: Table<{ faults?: F }>,
  account: string | null,
  { method, path }: Context,
  run: () => R,
  fail: (failure: Failure) => R,
): Promise<R> {
  const latency = settingsFor(settings, 'faults', account).faults?.latency_ms ?? 0;
  if (latency > 0) await sleep(latency);
  const failure = takeFailure(settings, account, method, path);
  if (!failure) return run();
  if (failure.after_effect) run();
  return fail(failure);
}

/** Returns the failure for a call, and counts it. */
function takeFailure<F extends CommonFaults>(
  settings: Table<{ faults?: F }>,
  account: string | null,
  method: string,
  path: string,
): Failure | undefined {
  const { scope, faults } = settingsFor(settings, 'faults', account);
  const failure = faults?.fail.find((each) => matches(each, method, path));
  if (!faults || !failure) return undefined;
  const fail = faults.fail
    .map((each) => (each === failure ? { ...each, times: each.times - 1 } : each))
    .filter(({ times }) => times > 0);
  changeSettings(settings, scope, { faults: { ...faults, fail } });
  return failure;
}

function matches(failure: Failure, method: string, path: string): boolean {
  if (failure.method && failure.method.toUpperCase() !== method) return false;
  return failure.path.endsWith('*') ? path.startsWith(failure.path.slice(0, -1)) : path === failure.path;
}
