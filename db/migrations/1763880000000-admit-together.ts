import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Admit1763860000000 } from './1763860000000-admit.js';

/** One statement for one caller, and one for all who wait: what both do alike is written once, in the parts below. */
export class AdmitTogether1763880000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`DROP FUNCTION admit, lock_bucket`);
    for (const statement of FUNCTIONS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`DROP FUNCTION admit_all, admit_one, lock_bucket`);
    await new Admit1763860000000().up(query);
  }
}

// Who calls (null without a live token), and how many of their requests the limits let in; decisions.md, "Credentials" and
// "Limits". buckets: token, calendar, address, throttled; of each its size and how many come back a second.
const ADMISSION = `
  caller json, admitted integer, throttled boolean, own_size float8, own_rate float8, own_tokens float8, own_wait float8,
  shared_tokens float8, shared_wait float8`;

// The live token with its issuer, as they are now.
const CALLER = `
  SELECT k.id AS key_id, k.created_at AS key_created_at, k.workspace_id, k.member_id, m.profile_id, m.role,
         k.resources, k.actions, k.ip_allowlist::text[],
         k.ip_allowlist = '{}' OR address <<= ANY (k.ip_allowlist) AS ip_allowed,
         CASE WHEN w.maintenance_starts_at <= moment AND moment < w.maintenance_ends_at
              THEN w.maintenance_ends_at END AS maintenance_until,
         t.last_used_at IS NULL OR t.last_used_at < date_trunc('minute', moment) AS is_first_use
  FROM api_tokens t JOIN api_keys k ON k.id = t.key_id JOIN members m ON m.id = k.member_id
       JOIN workspaces w ON w.id = k.workspace_id
  WHERE t.hash = token AND (t.ends_at IS NULL OR t.ends_at > moment)
    AND k.revoked_at IS NULL AND k.expires_at > moment AND m.status NOT IN ('archived', 'deleted')`;

// One client of IPv6 has a whole /64.
const OF_ADDRESS = `network(set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 64 END))::text`;

const VARIABLES = `
    moment CONSTANT timestamptz := clock_timestamp();
    is_first_use boolean;
    own rate_buckets;
    shared rate_buckets;
    shared_size CONSTANT float8 := buckets[2][1];
    shared_rate CONSTANT float8 := buckets[2][2];
    offences integer;
    -- Sums of fractions fall short by a hair.
    hair CONSTANT float8 := 1e-6;`;

// Takes from own, and from shared unless it is null, what a caller's requests cost, and remembers whom it refused.
const COUNT = `
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
      shared_tokens := shared.tokens;
      shared_wait := greatest(0, least(cost, shared_size) - shared.tokens - hair) / shared_rate;
    END IF;
    own.tokens := own.tokens - admitted * cost;
    own_tokens := own.tokens;
    own_wait := greatest(0, least(cost, own_size) - own.tokens - hair) / own_rate;
    IF admitted < requests AND greatest(own_wait, shared_wait) > 1 AND cardinality(own.refusals) < 10 THEN
      own.refusals := own.refusals || array_fill(
        tstzrange(moment + interval '1 second', moment + greatest(own_wait, shared_wait) * interval '1 second'),
        ARRAY[least(requests - admitted, 10 - cardinality(own.refusals))]);
    END IF;`;

const FUNCTIONS = [
  // A bucket, locked until the transaction ends; one that isn't there yet is made, full.
  `CREATE FUNCTION lock_bucket(bucket text) RETURNS rate_buckets LANGUAGE plpgsql AS $$
  DECLARE
    held rate_buckets;
  BEGIN
    LOOP
      SELECT * INTO held FROM rate_buckets WHERE id = bucket FOR NO KEY UPDATE;
      IF FOUND THEN RETURN held; END IF;
      INSERT INTO rate_buckets (id, tokens, at) VALUES (bucket, 'Infinity', now()) ON CONFLICT DO NOTHING;
    END LOOP;
  END $$`,

  // The requests of one caller, each of the same cost. A caller without a good token, or from outside of its key's
  // allowlist, counts against their address. Everyone, here and in admit_all, locks buckets in the order of their ids, so
  // that nobody waits in a circle: a key's and an address's come before every workspace's.
  `CREATE FUNCTION admit_one(
    token bytea, address inet, calendar boolean, cost float8, requests integer, buckets float8[]
  ) RETURNS TABLE (${ADMISSION}) LANGUAGE plpgsql AS $$
  DECLARE${VARIABLES}
    key text;
    workspace text;
    ip_allowed boolean;
  BEGIN
    IF token IS NOT NULL THEN
      SELECT row_to_json(k), k.key_id, k.workspace_id, k.ip_allowed, k.is_first_use
      INTO caller, key, workspace, ip_allowed, is_first_use
      FROM (${CALLER}) k;
    END IF;
    IF ip_allowed THEN
      own := lock_bucket(key);
      own_size := buckets[1][1];
      own_rate := buckets[1][2];
      IF calendar THEN
        shared := lock_bucket(workspace);
      END IF;
      IF is_first_use THEN
        UPDATE api_tokens t SET last_used_at = moment
        WHERE t.hash = token AND (t.last_used_at IS NULL OR t.last_used_at < date_trunc('minute', moment));
      END IF;
    ELSE
      own := lock_bucket(${OF_ADDRESS});
      own_size := buckets[3][1];
      own_rate := buckets[3][2];
    END IF;
    ${COUNT}
    UPDATE rate_buckets b SET tokens = own.tokens, at = own.at, refusals = own.refusals,
      offended_at = own.offended_at, throttled_until = own.throttled_until
    WHERE b.id = own.id;
    IF shared.id IS NOT NULL THEN
      UPDATE rate_buckets b SET tokens = shared.tokens, at = shared.at WHERE b.id = shared.id;
    END IF;
    RETURN NEXT;
    -- Now and then, those that have long been full again are taken away, but none that somebody holds: it never waits.
    IF random() < 0.0001 THEN
      DELETE FROM rate_buckets WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM rate_buckets WHERE at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED));
    END IF;
  END $$`,

  // The same for many callers, whose rows come in their order. What a statement costs by itself is paid once for all: each
  // caller adds a quarter of what one alone costs. Planned for the callers at hand, each time, it would cost far more.
  `CREATE FUNCTION admit_all(
    tokens bytea[], addresses inet[], calendars boolean[], costs float8[], counts integer[], buckets float8[]
  ) RETURNS TABLE (${ADMISSION}) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
  DECLARE${VARIABLES}
    callers json[];
    own_ids text[];
    shared_ids text[];
    known boolean[];
    ids text[];
    held rate_buckets[];
    own_at integer;
    shared_at integer;
    kind integer;
    cost float8;
    requests integer;
  BEGIN
    SELECT array_agg(row_to_json(k) ORDER BY n),
           array_agg(CASE WHEN k.ip_allowed THEN k.key_id ELSE ${OF_ADDRESS} END ORDER BY n),
           array_agg(CASE WHEN k.ip_allowed AND calendar THEN k.workspace_id END ORDER BY n),
           array_agg(k.ip_allowed ORDER BY n), bool_or(k.ip_allowed AND k.is_first_use)
    INTO callers, own_ids, shared_ids, known, is_first_use
    FROM unnest(tokens, addresses, calendars) WITH ORDINALITY c (token, address, calendar, n)
         LEFT JOIN LATERAL (${CALLER}) k ON true;

    -- Makes those that aren't there yet, and locks the others: ON CONFLICT does, also where it updates nothing.
    INSERT INTO rate_buckets AS b (id, tokens, at)
    SELECT DISTINCT id COLLATE "C", 'Infinity'::float8, moment FROM unnest(own_ids || shared_ids) id
    WHERE id IS NOT NULL ORDER BY id COLLATE "C"
    ON CONFLICT (id) DO UPDATE SET at = b.at WHERE false;
    SELECT array_agg(b.id), array_agg(b) INTO ids, held FROM rate_buckets b WHERE b.id = ANY (own_ids || shared_ids);

    -- A token that is being rotated at this moment is left to its next request: nobody waits for it.
    IF is_first_use THEN
      UPDATE api_tokens t SET last_used_at = moment WHERE t.hash = ANY (ARRAY(
        SELECT u.hash FROM unnest(tokens, known) c (token, known) JOIN api_tokens u ON u.hash = c.token
        WHERE c.known AND (u.last_used_at IS NULL OR u.last_used_at < date_trunc('minute', moment))
        FOR NO KEY UPDATE OF u SKIP LOCKED));
    END IF;

    FOR i IN 1 .. cardinality(tokens) LOOP
      caller := callers[i];
      cost := costs[i];
      requests := counts[i];
      own_at := array_position(ids, own_ids[i]);
      own := held[own_at];
      kind := CASE WHEN known[i] THEN 1 ELSE 3 END;
      own_size := buckets[kind][1];
      own_rate := buckets[kind][2];
      shared_at := array_position(ids, shared_ids[i]);
      shared := held[shared_at];
      shared_tokens := NULL;
      shared_wait := NULL;
      ${COUNT}
      held[own_at] := own;
      IF shared_at IS NOT NULL THEN
        held[shared_at] := shared;
      END IF;
      RETURN NEXT;
    END LOOP;
    UPDATE rate_buckets b SET tokens = h.tokens, at = h.at, refusals = h.refusals,
      offended_at = h.offended_at, throttled_until = h.throttled_until
    FROM unnest(held) h WHERE b.id = h.id;
  END $$`,
];
