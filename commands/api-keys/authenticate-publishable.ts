import type { Pool } from 'pg';
import { scaledBuckets, toVerdict, type Verdict } from '../../domain/api-keys/limits.js';
import type { Maintenance } from '../../domain/workspaces/settings.js';
import { toBucketState, currentMaintenance } from './authenticate-and-limit.js';

/** What a publishable key permits (docs/rules/credentials.md#publishable-keys). */
export interface Site {
  key_id: string;
  workspace_id: string;
  /** The origins of the websites that may use the key. */
  origins: string[];
  /** Null for all rooms that guests can book. */
  room_ids: string[] | null;
}

/** The key of a request, and whether the limits allow it. */
export interface SiteDecision extends Verdict {
  /** Null if there is no live key. */
  site: Site | null;
  /** The workspace's maintenance until it ends, otherwise null. */
  maintenance: Maintenance | null;
}

/**
 * Finds a publishable key by the SHA-256 of its token, and counts the request against the client's address.
 */
export type AuthenticatePublishable = (request: {
  token: Buffer | null;
  address: string;
}) => Promise<SiteDecision>;

/** A row of `authenticate_publishable`. Rates are in tokens, waits in seconds. */
interface DecisionRow {
  caller: (Site & Record<'maintenance_starts_at' | 'maintenance_ends_at', string | null>) | null;
  allowed: number;
  throttled: boolean;
  own_size: number;
  own_rate: number;
  own_tokens: number;
  own_wait: number;
  total_tokens: number | null;
  total_wait: number | null;
}

const STATEMENT = {
  name: 'authenticate_publishable',
  query_timeout: 5_000,
  text: 'SELECT to_json(a) AS decision FROM authenticate_publishable($1, $2, $3) a',
};

/**
 * Returns a function that authenticates and counts requests with publishable keys in one statement. A request
 * without a live key counts only against its address.
 */
export function createAuthenticatePublishable(pool: Pool, rateLimitScale: number): AuthenticatePublishable {
  const { public_key, public_address, throttled } = scaledBuckets(rateLimitScale);
  const pairs = [public_key, public_key, public_address, throttled, public_key].map(
    ({ size, per_minute }) => `{${size},${per_minute / 60}}`,
  );
  const parameter = `{${pairs.join()}}`;
  return async ({ token, address }) => {
    const values = [token, address, parameter];
    const { rows } = await pool.query<{ decision: DecisionRow }>({ ...STATEMENT, values });
    const { caller, ...row } = rows[0]!.decision;
    const counted = {
      allowed: row.allowed,
      cost: 1,
      throttled: row.throttled,
      own: {
        size: row.own_size,
        per_minute: row.own_rate * 60,
        tokens: row.own_tokens,
        wait_ms: row.own_wait * 1000,
      },
      calendar: null,
      workspace: toBucketState(public_key, row.total_tokens, row.total_wait),
    };
    return {
      site: caller,
      maintenance: currentMaintenance(caller?.maintenance_starts_at, caller?.maintenance_ends_at),
      ...toVerdict(counted, 0),
    };
  };
}
