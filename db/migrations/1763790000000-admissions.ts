import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key's tokens apart from the key, so that it can have two while it rotates; the buckets of the rate limits. */
export class Admissions1763790000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await query.query(statement);
  }
}

const STATEMENTS = [
  // ends_at is null for the token that a key goes by, and the end of its grace for the one before.
  `CREATE TABLE api_tokens (
    hash bytea PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    key_id text COLLATE "C" NOT NULL REFERENCES api_keys,
    fingerprint text NOT NULL,
    prefix text NOT NULL,
    rotation_id text COLLATE "C",
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    ends_at timestamptz(3),
    last_used_at timestamptz(3)
  )`,
  `CREATE INDEX api_tokens_of_key ON api_tokens (key_id)`,
  `CREATE UNIQUE INDEX api_tokens_current ON api_tokens (key_id) WHERE ends_at IS NULL`,
  `INSERT INTO api_tokens (hash, workspace_id, key_id, fingerprint, prefix, created_at)
   SELECT token_hash, workspace_id, id, fingerprint, key_prefix, created_at FROM api_keys`,
  `ALTER TABLE api_keys DROP token_hash, DROP fingerprint, DROP key_prefix,
    ADD ip_allowlist cidr[] NOT NULL DEFAULT '{}'`,
  `CREATE INDEX api_keys_page ON api_keys (workspace_id, created_at DESC, id DESC)`,

  // One row for each key, workspace and address that was seen. Unlogged: written at every request, without WAL or a
  // flush, and after a crash of the database they are all full. Room is left in the pages, so that an update stays in
  // its page and touches no index.
  // refusals: for each 429 that asked to wait more than a second, the time in which another request is an offence.
  `CREATE UNLOGGED TABLE rate_buckets (
    id text COLLATE "C" PRIMARY KEY,
    tokens float8 NOT NULL,
    at timestamptz NOT NULL,
    refusals tstzrange[] NOT NULL DEFAULT '{}',
    offended_at timestamptz,
    throttled_until timestamptz
  ) WITH (fillfactor = 40)`,

  // A bucket, locked until the transaction ends; one that isn't there yet is made, full. Now and then whoever makes one
  // takes those away that have long been full again, but none that somebody holds: it never waits.
  `CREATE FUNCTION lock_bucket(bucket text, size float8) RETURNS rate_buckets LANGUAGE plpgsql AS $$
  DECLARE
    held rate_buckets;
  BEGIN
    LOOP
      SELECT * INTO held FROM rate_buckets WHERE id = bucket FOR NO KEY UPDATE;
      IF FOUND THEN RETURN held; END IF;
      INSERT INTO rate_buckets (id, tokens, at) VALUES (bucket, size, clock_timestamp()) ON CONFLICT DO NOTHING;
      IF random() < 0.001 THEN
        DELETE FROM rate_buckets WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM rate_buckets WHERE at < now() - interval '1 hour' FOR UPDATE SKIP LOCKED));
      END IF;
    END LOOP;
  END $$`,

  // The one statement of a request: who calls, and whether the limits let them in (decisions.md, "Credentials" and
  // "Limits"). buckets: token, calendar, address, throttled; of each its size and how many come back a second.
  // A caller without a good token, or from outside of its key's allowlist, counts against their address. Everyone locks
  // their own bucket first and then the workspace's, so nobody waits in a circle.
  `CREATE FUNCTION admit(
    token bytea, address inet, calendar boolean, cost float8, buckets float8[],
    OUT key_id text, OUT workspace_id text, OUT member_id text, OUT profile_id text, OUT role text,
    OUT resources text[], OUT actions text[], OUT ip_allowlist text[], OUT ip_allowed boolean,
    OUT admitted boolean, OUT size float8, OUT remaining float8, OUT full_after float8, OUT retry_after float8
  ) LANGUAGE plpgsql AS $$
  DECLARE
    moment CONSTANT timestamptz := clock_timestamp();
    last_used timestamptz;
    own rate_buckets;
    own_size float8;
    own_rate float8;
    own_wait float8;
    shared rate_buckets;
    shared_size CONSTANT float8 := buckets[2][1];
    shared_rate CONSTANT float8 := buckets[2][2];
    shared_wait float8 := 0;
    throttled boolean;
    offence tstzrange;
  BEGIN
    IF token IS NOT NULL THEN
      SELECT k.id, k.workspace_id, k.member_id, m.profile_id, m.role, k.resources, k.actions, k.ip_allowlist::text[],
             k.ip_allowlist = '{}' OR address <<= ANY (k.ip_allowlist), t.last_used_at
      INTO key_id, workspace_id, member_id, profile_id, role, resources, actions, ip_allowlist, ip_allowed, last_used
      FROM api_tokens t JOIN api_keys k ON k.id = t.key_id JOIN members m ON m.id = k.member_id
      WHERE t.hash = token AND (t.ends_at IS NULL OR t.ends_at > moment)
        AND k.revoked_at IS NULL AND k.expires_at > moment AND m.status <> 'archived';
    END IF;

    IF ip_allowed THEN
      own_size := buckets[1][1];
      own_rate := buckets[1][2];
      own := lock_bucket(key_id, own_size);
      IF calendar THEN
        shared := lock_bucket(workspace_id, shared_size);
      END IF;
      IF last_used IS NULL OR last_used < date_trunc('minute', moment) THEN
        UPDATE api_tokens t SET last_used_at = moment
        WHERE t.hash = token AND (t.last_used_at IS NULL OR t.last_used_at < date_trunc('minute', moment));
      END IF;
    ELSE
      own_size := buckets[3][1];
      own_rate := buckets[3][2];
      own := lock_bucket(
        network(set_masklen(address, CASE family(address) WHEN 4 THEN 32 ELSE 64 END))::text, own_size);
    END IF;

    IF own.refusals <> '{}' THEN
      offence := (SELECT r FROM unnest(own.refusals) r WHERE r @> moment ORDER BY r LIMIT 1);
      own.refusals := ARRAY(
        SELECT r FROM unnest(own.refusals) r WHERE upper(r) > moment AND r IS DISTINCT FROM offence);
      IF offence IS NOT NULL THEN
        IF own.offended_at > moment - interval '10 minutes' THEN
          own.throttled_until := moment + interval '10 minutes';
        END IF;
        own.offended_at := moment;
      END IF;
    END IF;
    throttled := coalesce(own.throttled_until > moment, false);
    IF throttled THEN
      own_size := least(own_size, buckets[4][1]);
      own_rate := least(own_rate, buckets[4][2]);
    END IF;

    -- A moment may be earlier than another request's that had the lock before: time never runs back, so that the sum of
    -- what comes back is exact. What costs more than a bucket holds needs a full one, and leaves it in debt.
    own.tokens := least(own_size, own.tokens + own_rate * greatest(0, extract(epoch FROM moment - own.at)));
    own.at := greatest(own.at, moment);
    own_wait := greatest(0, least(cost, own_size) - own.tokens - 1e-6) / own_rate;
    IF shared.id IS NOT NULL THEN
      shared.tokens := least(
        shared_size, shared.tokens + shared_rate * greatest(0, extract(epoch FROM moment - shared.at)));
      shared.at := greatest(shared.at, moment);
      shared_wait := greatest(0, least(cost, shared_size) - shared.tokens - 1e-6) / shared_rate;
    END IF;
    retry_after := greatest(own_wait, shared_wait);
    admitted := retry_after = 0;
    IF admitted THEN
      own.tokens := own.tokens - cost;
      shared.tokens := shared.tokens - cost;
    ELSIF retry_after > 1 AND cardinality(own.refusals) < 10 THEN
      own.refusals := own.refusals
        || tstzrange(moment + interval '1 second', moment + retry_after * interval '1 second');
    END IF;

    UPDATE rate_buckets b SET tokens = own.tokens, at = own.at, refusals = own.refusals,
      offended_at = own.offended_at, throttled_until = own.throttled_until
    WHERE b.id = own.id;
    IF admitted AND shared.id IS NOT NULL THEN
      UPDATE rate_buckets b SET tokens = shared.tokens, at = shared.at WHERE b.id = shared.id;
    END IF;

    IF shared.id IS NOT NULL AND NOT throttled AND (admitted OR shared_wait > own_wait) THEN
      size := shared_size;
      remaining := shared.tokens;
      full_after := (shared_size - shared.tokens) / shared_rate;
    ELSE
      size := own_size;
      remaining := CASE WHEN throttled THEN least(own.tokens, shared.tokens) ELSE own.tokens END;
      full_after := (own_size - own.tokens) / own_rate;
    END IF;
  END $$`,
];

const REVERSE = [
  `DROP FUNCTION admit`,
  `DROP FUNCTION lock_bucket`,
  `DROP TABLE rate_buckets`,
  `DROP INDEX api_keys_page`,
  `ALTER TABLE api_keys DROP ip_allowlist, ADD token_hash bytea UNIQUE, ADD fingerprint text, ADD key_prefix text`,
  `UPDATE api_keys k SET token_hash = t.hash, fingerprint = t.fingerprint, key_prefix = t.prefix
   FROM api_tokens t WHERE t.key_id = k.id AND t.ends_at IS NULL`,
  `ALTER TABLE api_keys ALTER token_hash SET NOT NULL, ALTER fingerprint SET NOT NULL, ALTER key_prefix SET NOT NULL`,
  `DROP TABLE api_tokens`,
];
