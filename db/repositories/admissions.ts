import type { Pool } from 'pg';
import type { Bucket } from '../../domain/limits.js';
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
export interface Admission {
  /** Null without a live token. */
  principal: Principal | null;
  /** Whether the key may be used from this address. */
  ip_allowed: boolean;
  admitted: boolean;
  /** The bucket that the answer's headers speak of: its size, what is left in it, and when it will be full again. */
  size: number;
  remaining: number;
  full_after_ms: number;
  /** How long until the request can be let in; 0 if it was. */
  retry_after_ms: number;
}

type Buckets = Record<'token' | 'calendar' | 'address' | 'throttled', Bucket>;

/** Buckets as the database function `admit` takes them. */
export function bucketsParameter({ token, calendar, address, throttled }: Buckets): string {
  const pairs = [token, calendar, address, throttled].map(
    ({ size, per_minute }) => `{${size},${per_minute / 60}}`,
  );
  return `{${pairs.join()}}`;
}

const STATEMENT = { name: 'admit', text: 'SELECT * FROM admit($1, $2, $3, $4, $5)' };

/**
 * Finds the live token behind a hash with its issuer as they are now, and takes what the request costs from its
 * buckets, or nothing if one of them refuses (decisions.md, "Credentials" and "Limits"). One statement that nothing is
 * cached of: a revoked token is dead in every process at once.
 */
export async function admit(pool: Pool, request: AdmissionRequest, buckets: string): Promise<Admission> {
  const { token, address, calendar, cost } = request;
  const { rows } = await pool.query({ ...STATEMENT, values: [token, address, calendar, cost, buckets] });
  const { ip_allowed, admitted, size, remaining, full_after, retry_after, ...principal } = rows[0];
  return {
    principal: principal.key_id === null ? null : (principal as Principal),
    ip_allowed: ip_allowed === true,
    admitted,
    size,
    remaining: Math.max(0, Math.floor(remaining + 1e-6)),
    full_after_ms: full_after * 1000,
    retry_after_ms: Math.ceil(retry_after * 1000),
  };
}
