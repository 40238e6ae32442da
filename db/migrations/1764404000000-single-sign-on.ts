import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identity providers of workspaces, the logins that began there, and sessions that are for one workspace. */
export class SingleSignOn1764404000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sign_in_names (
        name text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        left_at timestamptz(3)
      );
      CREATE UNIQUE INDEX sign_in_names_current ON sign_in_names (workspace_id) WHERE left_at IS NULL;
      COMMENT ON COLUMN sign_in_names.left_at IS 'Null for the current name of the workspace.';

      CREATE TABLE sso_connections (
        workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
        name text NOT NULL,
        provider jsonb NOT NULL,
        client_secret bytea,
        enabled boolean NOT NULL DEFAULT false,
        required text NOT NULL DEFAULT 'none' CHECK (required IN ('none', 'staff', 'everyone')),
        trust_second_factor boolean NOT NULL DEFAULT false,
        provision jsonb,
        tested_at timestamptz(3) NOT NULL DEFAULT now(),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CHECK (enabled OR required = 'none')
      );

      CREATE TABLE sso_candidates (
        workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
        id text COLLATE "C" NOT NULL UNIQUE,
        name text NOT NULL,
        provider jsonb NOT NULL,
        client_secret bytea,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      COMMENT ON TABLE sso_candidates IS 'Settings that take the place of a connection''s once a test has passed.';

      CREATE TABLE sso_service_keys (
        workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
        key bytea NOT NULL,
        certificate text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );

      CREATE TABLE sso_subjects (
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        member_id text COLLATE "C" PRIMARY KEY REFERENCES members,
        subject text COLLATE "C" NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        UNIQUE (workspace_id, subject)
      );

      CREATE TABLE sso_logins (
        id text COLLATE "C" PRIMARY KEY,
        state_hash bytea NOT NULL UNIQUE,
        browser_hash bytea NOT NULL,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        purpose text NOT NULL CHECK (purpose IN ('sign_in', 'proof', 'test')),
        session_hash bytea,
        candidate_id text COLLATE "C",
        secrets bytea NOT NULL,
        return_to text NOT NULL,
        answer bytea,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        used_at timestamptz(3)
      );
      CREATE INDEX sso_logins_by_age ON sso_logins (created_at);
      COMMENT ON COLUMN sso_logins.answer IS 'What the provider''s form has sent, encrypted, until the browser that began the login shows its cookie.';

      ALTER TABLE sessions
        ADD COLUMN workspace_id text COLLATE "C",
        ADD COLUMN provider_subject text COLLATE "C",
        ADD COLUMN provider_proof_at timestamptz(3);
      COMMENT ON COLUMN sessions.workspace_id IS 'The workspace whose provider the person has signed in with. The session opens no other.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions DROP COLUMN workspace_id, DROP COLUMN provider_subject, DROP COLUMN provider_proof_at`);
    await runner.query(
      `DROP TABLE sso_logins, sso_subjects, sso_service_keys, sso_candidates, sso_connections, sign_in_names`,
    );
  }
}
