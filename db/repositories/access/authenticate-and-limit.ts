import { setImmediate } from 'node:timers/promises';
import type { Pool } from 'pg';
import { scaledBuckets, verdictOf, type Buckets, type Count, type Verdict } from '../../../domain/limits.js';
import type { Principal } from '../../../domain/policies.js';

/** What is known of a request before anything is done for it. */
export interface RequestCredentials {
  /** SHA-256 of its token, if it has one that can be. */
  token: Buffer | null;
  /** The client's address. */
  address: string;
  /** Whether it counts against its workspace's calendar bucket, too. */
  calendar: boolean;
  /** How many tokens it takes from each bucket. */
  cost: number;
}

/** Who calls, and whether the limits let them in. */
export interface RequestDecision extends Verdict {
  /** Null without a live token. */
  principal: Principal | null;
  /** Whether the key may be used from this address. */
  ip_allowed: boolean;
  /** Until when the workspace's API rests, if it does now. */
  maintenance_until: Date | null;
}

/** Finds who calls, and counts their request (decisions.md, "Credentials" and "Limits"). */
export type AuthenticateAndLimit = (request: RequestCredentials) => Promise<RequestDecision>;

/** Requests that differ in nothing, and how each of them is answered. */
interface Caller extends RequestCredentials {
  waiting: { resolve(admission: RequestDecision): void; reject(error: unknown): void }[];
}

/**
 * One column of JSON: the driver reads it in half the time of a dozen columns. A connection that died without a word
 * holds up those who wait for no longer than the timeout.
 */
const ONE = {
  name: 'admit_one',
  query_timeout: 5_000,
  text: 'SELECT to_json(a) AS admission FROM admit_one($1, $2, $3, $4, $5, $6) a',
};
const ALL = {
  ...ONE,
  name: 'admit_all',
  text: 'SELECT to_json(a) AS admission FROM admit_all($1, $2, $3, $4, $5, $6) a',
};

/** Buckets as the database's functions take them. */
function bucketsParameter({ token, calendar, address, throttled }: Buckets): string {
  const pairs = [token, calendar, address, throttled].map(
    ({ size, per_minute }) => `{${size},${per_minute / 60}}`,
  );
  return `{${pairs.join()}}`;
}

/** SQLSTATE class 22: something about the values. */
const isOfValues = (error: unknown): boolean => String((error as { code?: string })?.code).startsWith('22');

/**
 * Admits requests, by statements that find the live token with its issuer as they are now and take from the buckets what
 * a request costs. Nothing is kept from one to the next: a revoked token is dead in every process at once. A request that
 * comes alone has a statement of its own; all that come while one runs go together in the next, a caller's as one.
 */
export function createAuthenticateAndLimit(pool: Pool, rateLimitScale: number): AuthenticateAndLimit {
  const buckets = scaledBuckets(rateLimitScale);
  const parameter = bucketsParameter(buckets);
  let next = new Map<string, Caller>();
  let isRunning = false;

  /** What the database has counted, as each request is told. */
  function answer({ cost, waiting }: Caller, row: any): void {
    const {
      caller,
      admitted,
      throttled,
      own_size,
      own_rate,
      own_tokens,
      own_wait,
      shared_tokens,
      shared_wait,
    } = row;
    const { ip_allowed = false, maintenance_until = null, ...principal } = caller ?? {};
    const counted: Count = {
      admitted,
      cost,
      throttled,
      own: { size: own_size, per_minute: own_rate * 60, tokens: own_tokens, wait_ms: own_wait * 1000 },
      calendar:
        shared_tokens === null
          ? null
          : { ...buckets.calendar, tokens: shared_tokens, wait_ms: shared_wait * 1000 },
    };
    const known = {
      principal: caller && (principal as Principal),
      ip_allowed,
      maintenance_until: maintenance_until && new Date(maintenance_until),
    };
    waiting.forEach(({ resolve }, n) => resolve({ ...known, ...verdictOf(counted, n) }));
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
      const { rows } = await pool.query({ ...(isOne ? ONE : ALL), values });
      callers.forEach((caller, n) => answer(caller, rows[n].admission));
    } catch (error) {
      // Nothing of it was counted: what one of them sent is no other's fault.
      if (!isOne && isOfValues(error)) for (const caller of callers) await serve([caller]);
      else for (const { waiting } of callers) for (const { reject } of waiting) reject(error);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (next.size > 0) {
      // First what other sockets have brought by now: it goes with them.
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
