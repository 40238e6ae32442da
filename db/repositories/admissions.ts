import type { Pool } from 'pg';
import { scaledBuckets, verdictOf, type Buckets, type Count, type Verdict } from '../../domain/limits.js';
import type { Principal } from '../../domain/policies.js';

/** What is known of a request before anything is done for it. */
export interface AdmissionRequest {
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
export interface Admission extends Verdict {
  /** Null without a live token. */
  principal: Principal | null;
  /** Whether the key may be used from this address. */
  ip_allowed: boolean;
  /** Until when the workspace's API rests, if it does now. */
  maintenance_until: Date | null;
}

/** Finds who calls, and counts their request (decisions.md, "Credentials" and "Limits"). */
export type Admit = (request: AdmissionRequest) => Promise<Admission>;

interface Waiting {
  resolve(admission: Admission): void;
  reject(error: unknown): void;
}

/** One column of JSON: the driver reads it in half the time of eighteen columns. */
const STATEMENT = {
  name: 'admit',
  text: 'SELECT to_json(a) AS admission FROM admit($1, $2, $3, $4, $5, $6) a',
};

/** Buckets as the database function `admit` takes them. */
function bucketsParameter({ token, calendar, address, throttled }: Buckets): string {
  const pairs = [token, calendar, address, throttled].map(
    ({ size, per_minute }) => `{${size},${per_minute / 60}}`,
  );
  return `{${pairs.join()}}`;
}

/**
 * Admits requests, by one statement each that finds the live token with its issuer as they are now and takes from the
 * buckets what the request costs. Nothing is kept from one to the next: a revoked token is dead in every process at
 * once. Requests of one caller that come while a statement about that caller runs go together in the next, so that they
 * don't queue for the same rows.
 */
export function createAdmit(pool: Pool, rateLimitScale: number): Admit {
  const buckets = scaledBuckets(rateLimitScale);
  const parameter = bucketsParameter(buckets);
  /** Callers about whom a statement runs, and who else has come meanwhile. */
  const queues = new Map<string, Waiting[]>();

  async function count(request: AdmissionRequest, requests: number) {
    const { token, address, calendar, cost } = request;
    const values = [token, address, calendar, cost, requests, parameter];
    const { rows } = await pool.query({ ...STATEMENT, values });
    const { ip_allowed, maintenance_until, admitted, throttled, ...row } = rows[0].admission;
    const { own_size, own_rate, own_tokens, own_wait, shared_tokens, shared_wait, ...principal } = row;
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
      principal: principal.key_id === null ? null : (principal as Principal),
      ip_allowed: ip_allowed === true,
      maintenance_until: maintenance_until && new Date(maintenance_until),
    };
    return (n: number): Admission => ({ ...known, ...verdictOf(counted, n) });
  }

  async function serve(caller: string, request: AdmissionRequest, waiting: Waiting[]): Promise<void> {
    try {
      const nth = await count(request, waiting.length);
      waiting.forEach(({ resolve }, n) => resolve(nth(n)));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
    const next = queues.get(caller)!;
    queues.delete(caller);
    if (next.length > 0) start(caller, request, next);
  }

  function start(caller: string, request: AdmissionRequest, waiting: Waiting[]): void {
    queues.set(caller, []);
    void serve(caller, request, waiting);
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const { token, address, calendar, cost } = request;
      const caller = `${token?.toString('base64')} ${address} ${calendar} ${cost}`;
      const queue = queues.get(caller);
      if (queue) queue.push({ resolve, reject });
      else start(caller, request, [{ resolve, reject }]);
    });
}
