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
];

const REVERSE = [
  `DROP TABLE rate_buckets`,
  `DROP INDEX api_keys_page`,
  `ALTER TABLE api_keys DROP ip_allowlist, ADD token_hash bytea UNIQUE, ADD fingerprint text, ADD key_prefix text`,
  `UPDATE api_keys k SET token_hash = t.hash, fingerprint = t.fingerprint, key_prefix = t.prefix
   FROM api_tokens t WHERE t.key_id = k.id AND t.ends_at IS NULL`,
  `ALTER TABLE api_keys ALTER token_hash SET NOT NULL, ALTER fingerprint SET NOT NULL, ALTER key_prefix SET NOT NULL`,
  `DROP TABLE api_tokens`,
];
