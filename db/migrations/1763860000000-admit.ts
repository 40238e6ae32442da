import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The one statement that finds who calls and counts their requests. */
export class Admit1763860000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    // A database that was made before this migration was has their first forms.
    await query.query(`DROP FUNCTION IF EXISTS admit, lock_bucket`);
    for (const statement of FUNCTIONS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`DROP FUNCTION admit, lock_bucket`);
  }
}

const FUNCTIONS = [
  // A bucket, locked until the transaction ends; one that isn't there yet is made, full. Now and then whoever makes one
  // takes those away that have long been full again, but none that somebody holds: it never waits.
  `CREATE FUNCTION lock_bucket(bucket text) RETURNS rate_buckets LANGUAGE plpgsql AS $$
  DECLARE
    held rate_buckets;
  BEGIN
    LOOP
      SELECT * INTO held FROM rate_buckets WHERE id = bucket FOR NO KEY UPDATE;
      IF FOUND THEN RETURN held; END IF;
      INSERT INTO rate_buckets (id, tokens, at) VALUES (bucket, 'Infinity', now()) ON CONFLICT DO NOTHING;
      IF random() < 0.001 THEN
        DELETE FROM rate_buckets WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM rate_buckets WHERE at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED));
      END IF;
    END LOOP;
  END $$`,

  // Who calls, and how many of their requests the limits let in (decisions.md, "Credentials" and "Limits"). Each costs
  // the same. buckets: token, calendar, address, throttled; of each its size and how many come back a second.
  // A caller without a good token, or from outside of its key's allowlist, counts against their address. Everyone locks
  // their own bucket first and then the workspace's, so nobody waits in a circle.
  `CREATE FUNCTION admit(
    token bytea, address inet, calendar boolean, cost float8, requests integer, buckets float8[],
    OUT key_id text, OUT key_created_at timestamptz, OUT workspace_id text, OUT member_id text, OUT profile_id text, OUT role text,
    OUT resources text[], OUT actions text[], OUT ip_allowlist text[], OUT ip_allowed boolean,
    OUT maintenance_until timestamptz, OUT admitted integer, OUT throttled boolean,
    OUT own_size float8, OUT own_rate float8, OUT own_tokens float8, OUT own_wait float8,
    OUT shared_tokens float8, OUT shared_wait float8
  ) LANGUAGE plpgsql AS $$
  DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
    last_used timestamptz;
    own rate_buckets;
    shared rate_buckets;
    shared_size CONSTANT float8 := buckets[2][1];
    shared_rate CONSTANT float8 := buckets[2][2];
    offences integer;
    -- Sums of fractions fall short by a hair.
    hair CONSTANT float8 := 1e-6;
  BEGIN
    IF token IS NOT NULL THEN
      SELECT k.id, k.created_at, k.workspace_id, k.member_id, m.profile_id, m.role, k.resources, k.actions, k.ip_allowlist::text[],
             k.ip_allowlist = '{}' OR address <<= ANY (k.ip_allowlist), t.last_used_at,
             CASE WHEN w.maintenance_starts_at <= moment AND moment < w.maintenance_ends_at
                  THEN w.maintenance_ends_at END
      INTO key_id, key_created_at, workspace_id, member_id, profile_id, role, resources, actions, ip_allowlist,
           ip_allowed, last_used, maintenance_until
      FROM api_tokens t JOIN api_keys k ON k.id = t.key_id JOIN members m ON m.id = k.member_id
           JOIN workspaces w ON w.id = k.workspace_id
      WHERE t.hash = token AND (t.ends_at IS NULL OR t.ends_at > moment)
        AND k.revoked_at IS NULL AND k.expires_at > moment AND m.status NOT IN ('archived', 'deleted');
    END IF;

    IF ip_allowed THEN
      own := lock_bucket(key_id);
      own_size := buckets[1][1];
      own_rate := buckets[1][2];
      IF calendar THEN
        shared := lock_bucket(workspace_id);
      END IF;
      IF last_used IS NULL OR last_used < date_trunc('minute', moment) THEN
        UPDATE api_tokens t SET last_used_at = moment
        WHERE t.hash = token AND (t.last_used_at IS NULL OR t.last_used_at < date_trunc('minute', moment));
      END IF;
    ELSE
      -- One client of IPv6 has a whole /64.
      own := lock_bucket(network(set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 64 END))::text);
      own_size := buckets[3][1];
      own_rate := buckets[3][2];
    END IF;

    IF own.refusals <> '{}' THEN
      offences := least(requests, (SELECT count(*) FROM unnest(own.refusals) r WHERE r @> moment));
      own.refusals := ARRAY(
        SELECT r FROM unnest(own.refusals) r WHERE upper(r) > moment ORDER BY r @> moment DESC, r OFFSET offences);
      IF offences > 1 OR offences = 1 AND own.offended_at > moment - interval '10 minutes' THEN
        own.throttled_until := moment + interval '10 minutes';
      END IF;
      IF offences > 0 THEN
        own.offended_at := moment;
      END IF;
    END IF;
    throttled := coalesce(own.throttled_until > moment, false);
    IF throttled THEN
      own_size := least(own_size, buckets[4][1]);
      own_rate := least(own_rate, buckets[4][2]);
    END IF;

    -- A moment may be earlier than another's who had the lock before: time never runs back, so that the sum of what
    -- comes back is exact. What costs more than a bucket holds needs a full one, and leaves it in debt.
    own.tokens := least(own_size, own.tokens + own_rate * greatest(0, extract(epoch FROM moment - own.at)));
    own.at := greatest(own.at, moment);
    admitted := CASE WHEN own.tokens + hair < least(cost, own_size) THEN 0
                     ELSE least(requests, greatest(1, floor((own.tokens + hair) / cost))) END;
    IF shared.id IS NOT NULL THEN
      shared.tokens := least(
        shared_size, shared.tokens + shared_rate * greatest(0, extract(epoch FROM moment - shared.at)));
      shared.at := greatest(shared.at, moment);
      admitted := CASE WHEN shared.tokens + hair < least(cost, shared_size) THEN 0
                       ELSE least(admitted, greatest(1, floor((shared.tokens + hair) / cost))) END;
      shared.tokens := shared.tokens - admitted * cost;
      shared_wait := greatest(0, least(cost, shared_size) - shared.tokens - hair) / shared_rate;
      UPDATE rate_buckets b SET tokens = shared.tokens, at = shared.at WHERE b.id = shared.id;
    END IF;
    own.tokens := own.tokens - admitted * cost;
    own_wait := greatest(0, least(cost, own_size) - own.tokens - hair) / own_rate;
    IF admitted < requests AND greatest(own_wait, shared_wait) > 1 AND cardinality(own.refusals) < 10 THEN
      own.refusals := own.refusals || array_fill(
        tstzrange(moment + interval '1 second', moment + greatest(own_wait, shared_wait) * interval '1 second'),
        ARRAY[least(requests - admitted, 10 - cardinality(own.refusals))]);
    END IF;
    UPDATE rate_buckets b SET tokens = own.tokens, at = own.at, refusals = own.refusals,
      offended_at = own.offended_at, throttled_until = own.throttled_until
    WHERE b.id = own.id;
    own_tokens := own.tokens;
    shared_tokens := shared.tokens;
  END $$`,
];
