import type { MigrationInterface, QueryRunner } from 'typeorm';

/** OAuth: clients, what the authorization server keeps, and the keys that stand for what a person granted. */
export class Oauth1763840000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await query.query(statement);
  }
}

const STATEMENTS = [
  // secret_hash is null for a public client.
  `CREATE TABLE oauth_clients (
    id text COLLATE "C" PRIMARY KEY,
    workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
    name text NOT NULL,
    redirect_uris text[] NOT NULL,
    secret_hash bytea,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX oauth_clients_page ON oauth_clients (workspace_id, created_at, id)`,

  // What a person granted to a client is a key of theirs, and access tokens are its tokens: so the API knows one kind
  // of credential. resources holds whole scopes then, and actions nothing; a refresh that asks for less has a key of
  // its own. A revoked one stays, so that no token can be issued for the grant any more.
  `ALTER TABLE api_keys
    ADD oauth_client_id text COLLATE "C" REFERENCES oauth_clients ON DELETE SET NULL,
    ADD oauth_grant_id text COLLATE "C"`,
  `CREATE UNIQUE INDEX api_keys_grant ON api_keys (oauth_grant_id, resources) WHERE oauth_grant_id IS NOT NULL`,
  `CREATE INDEX api_keys_of_client ON api_keys (oauth_client_id) WHERE oauth_client_id IS NOT NULL`,

  // Codes, refresh tokens, grants and authorizations under way, by the digest of what the client or browser holds.
  `CREATE TABLE oauth_artifacts (
    model text NOT NULL,
    id_hash bytea NOT NULL,
    client_id text COLLATE "C" REFERENCES oauth_clients ON DELETE CASCADE,
    grant_id text COLLATE "C",
    payload jsonb NOT NULL,
    consumed_at timestamptz(3),
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (model, id_hash)
  )`,
  `CREATE INDEX oauth_artifacts_of_grant ON oauth_artifacts (grant_id) WHERE grant_id IS NOT NULL`,
  `CREATE INDEX oauth_artifacts_over ON oauth_artifacts (expires_at)`,
];

const REVERSE = [
  `DROP TABLE oauth_artifacts`,
  `DELETE FROM api_tokens t USING api_keys k WHERE k.id = t.key_id AND k.oauth_grant_id IS NOT NULL`,
  `DELETE FROM api_keys WHERE oauth_grant_id IS NOT NULL`,
  `ALTER TABLE api_keys DROP oauth_grant_id, DROP oauth_client_id`,
  `DROP TABLE oauth_clients`,
];
