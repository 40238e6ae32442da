import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How people sign in: links by mail, sessions of browsers, authenticators with their recovery codes. */
export class SignIn1763810000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of TABLES) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const table of ['recovery_codes', 'second_factors', 'sessions', 'sign_in_links'])
      await query.query(`DROP TABLE ${table}`);
  }
}

// A person is one across workspaces, so these rows belong to a profile; they go when it goes.
const TABLES = [
  // One row per link that was asked for, also for an address that nobody has: profile_id is null then, so that asking
  // costs and counts the same. sealed_token is what the mail is written from; it is emptied once the mail is out.
  `CREATE TABLE sign_in_links (
    id text COLLATE "C" PRIMARY KEY,
    email text NOT NULL,
    profile_id text COLLATE "C" REFERENCES profiles ON DELETE CASCADE,
    token_hash bytea NOT NULL UNIQUE,
    sealed_token bytea,
    return_to text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3)
  )`,
  `CREATE INDEX sign_in_links_of ON sign_in_links (email, created_at)`,
  `CREATE INDEX sign_in_links_old ON sign_in_links (created_at)`,

  // A browser that has come by a link. second_factor_at is set once it has shown a code, too; return_to is where the
  // person wanted to go before they were asked to sign in.
  `CREATE TABLE sessions (
    id_hash bytea PRIMARY KEY,
    profile_id text COLLATE "C" NOT NULL REFERENCES profiles ON DELETE CASCADE,
    second_factor_at timestamptz(3),
    return_to text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX sessions_of ON sessions (profile_id)`,
  `CREATE INDEX sessions_ended ON sessions (expires_at)`,

  // pending_secret is an authenticator that is being set up; secret is the one that counts. last_step is the time
  // step of the last code that was taken: a code works once.
  `CREATE TABLE second_factors (
    profile_id text COLLATE "C" PRIMARY KEY REFERENCES profiles ON DELETE CASCADE,
    secret bytea,
    pending_secret bytea,
    last_step bigint NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz(3),
    confirmed_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE recovery_codes (
    profile_id text COLLATE "C" NOT NULL REFERENCES profiles ON DELETE CASCADE,
    code_hash bytea NOT NULL,
    used_at timestamptz(3),
    PRIMARY KEY (profile_id, code_hash)
  )`,
];
