import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import {
  scaledBuckets,
  toVerdict,
  type Bucket,
  type Buckets,
  type BucketState,
  type Count,
  type Verdict,
} from '../../domain/api-keys/limits.js';
import type { Principal } from '../../domain/policies.js';
import type { Maintenance } from '../../domain/workspaces/settings.js';

/** What is known about a request before anything else is done for it. */
export interface RequestCredentials {
  /** The SHA-256 of its token; null if it has no well-formed token. */
  token: Buffer | null;
  address: string;
  /** True if the request also counts against its workspace's calendar bucket. */
  calendar: boolean;
  /** The number of tokens it takes from each bucket. */
  cost: number;
}

/** The caller, and whether the limits allow the request. */
export interface RequestDecision extends Verdict {
  /** Null if there is no live token. */
  principal: Principal | null;
  /** True if the key may be used from this address. */
  ip_allowed: boolean;
  /** The workspace's maintenance until it ends, otherwise null. */
  maintenance: Maintenance | null;
}

/**
 * Authenticates a request and counts it (docs/rules/credentials.md#tokens, docs/rules/api.md#rate-limits).
 */
export type AuthenticateAndLimit = (request: RequestCredentials) => Promise<RequestDecision>;

/** Identical requests, with the promises that wait for the decision. */
interface Caller extends RequestCredentials {
  waiting: { resolve(decision: RequestDecision): void; reject(error: unknown): void }[];
}

/**
 * A row of `authenticate_one` and `authenticate_all`; see db/functions/. Rates are in tokens, waits in
 * seconds.
 */
interface DecisionRow {
  caller:
    | (Principal &
        Record<'maintenance_starts_at' | 'maintenance_ends_at', string | null> & { ip_allowed: boolean })
    | null;
  allowed: number;
  throttled: boolean;
  own_size: number;
  own_rate: number;
  own_tokens: number;
  own_wait: number;
  shared_tokens: number | null;
  shared_wait: number | null;
  total_tokens: number | null;
  total_wait: number | null;
}

/**
 * Returns one JSON column, which the driver parses in half the time of a dozen columns. The timeout limits
 * how long requests wait for a connection that was silently lost.
 */
const ONE = {
  name: 'authenticate_one',
  query_timeout: 5_000,
  text: 'SELECT to_json(a) AS decision FROM authenticate_one($1, $2, $3, $4, $5, $6) a',
};
const ALL = {
  ...ONE,
  name: 'authenticate_all',
  text: 'SELECT to_json(a) AS decision FROM authenticate_all($1, $2, $3, $4, $5, $6) a',
};

/** Writes buckets in the form that the SQL functions expect. */
function bucketsParameter({ token, calendar, address, throttled, workspace }: Buckets): string {
  const pairs = [token, calendar, address, throttled, workspace].map(
    ({ size, per_minute }) => `{${size},${per_minute / 60}}`,
  );
  return `{${pairs.join()}}`;
}

/** Returns a bucket's state; null if it was not counted. The wait is in seconds. */
export function toBucketState(
  bucket: Bucket,
  tokens: number | null,
  wait: number | null,
): BucketState | null {
  return tokens === null ? null : { ...bucket, tokens, wait_ms: wait! * 1000 };
}

/**
 * Returns maintenance that has not ended, otherwise null. Times are ISO 8601, null or absent if none is set.
 */
export function currentMaintenance(
  startsAt: string | null | undefined,
  endsAt: string | null | undefined,
): Maintenance | null {
  if (!startsAt || !endsAt || Date.parse(endsAt) <= Date.now()) return null;
  return { starts_at: new Date(startsAt), ends_at: new Date(endsAt) };
}

/** True for SQLSTATE class 22 (data exception): one of the values is invalid. */
const isDataException = (error: unknown): boolean =>
  String((error as { code?: string })?.code).startsWith('22');

/**
 * Returns a function that authenticates and counts requests. A single statement reads the live token with its
 * member and takes the cost of the request from the buckets. Nothing is cached, so every process refuses a
 * revoked token immediately. A single request has its own statement. All requests that arrive while a
 * statement runs share the next one, and identical requests are counted together.
 */
export function createAuthenticateAndLimit(pool: Pool, rateLimitScale: number): AuthenticateAndLimit {
  const buckets = scaledBuckets(rateLimitScale);
  const parameter = bucketsParameter(buckets);
  let next = new Map<string, Caller>();
  let isRunning = false;

  /** Resolves the requests of one caller from their row. */
  function decide({ cost, waiting }: Caller, row: DecisionRow): void {
    const { caller, allowed, throttled, own_size, own_rate, own_tokens, own_wait } = row;
    const { shared_tokens, shared_wait, total_tokens, total_wait } = row;
    const { ip_allowed = false, maintenance_starts_at, maintenance_ends_at, ...principal } = caller ?? {};
    const counted: Count = {
      allowed,
      cost,
      throttled,
      own: { size: own_size, per_minute: own_rate * 60, tokens: own_tokens, wait_ms: own_wait * 1000 },
      calendar: toBucketState(buckets.calendar, shared_tokens, shared_wait),
      workspace: toBucketState(buckets.workspace, total_tokens, total_wait),
    };
    const known = {
      principal: caller && (principal as Principal),
      ip_allowed,
      maintenance: currentMaintenance(maintenance_starts_at, maintenance_ends_at),
    };
    waiting.forEach(({ resolve }, n) => resolve({ ...known, ...toVerdict(counted, n) }));
  }

  async function serve(callers: Caller[]): Promise<void> {
    const columns = [
      callers.map(({ token }) => token),
      callers.map(({ address }) => address),
      callers.map(({ calendar }) => calendar),
      callers.map(({ cost }) => cost),
      callers.map(({ waiting }) => waiting.length),
    ];
    const isOne = callers.length === 1;
    const values = [...(isOne ? columns.map(([value]) => value) : columns), parameter];
    try {
      const { rows } = await pool.query<{ decision: DecisionRow }>({ ...(isOne ? ONE : ALL), values });
      callers.forEach((caller, n) => decide(caller, rows[n]!.decision));
    } catch (error) {
      // Nothing was counted. One caller's invalid value must not fail the others.
      if (!isOne && isDataException(error)) for (const caller of callers) await serve([caller]);
      else for (const { waiting } of callers) for (const { reject } of waiting) reject(error);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (next.size > 0) {
      // Lets requests that are ready on other sockets join the statement.
      await setImmediate();
      const callers = [...next.values()];
      next = new Map();
      await serve(callers);
    }
    isRunning = false;
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const { token, address, calendar, cost } = request;
      const key = `${token?.toString('latin1')} ${address} ${calendar} ${cost}`;
      const caller = next.get(key);
      if (caller) caller.waiting.push({ resolve, reject });
      else next.set(key, { ...request, waiting: [{ resolve, reject }] });
      if (!isRunning) void run();
    });
}
