import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys, and the challenges that browsers sign with them. */
export class Passkeys1764200032000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE passkeys (
        id text COLLATE "C" PRIMARY KEY,
        profile_id text COLLATE "C" NOT NULL REFERENCES profiles ON DELETE CASCADE,
        name text NOT NULL,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        backed_up boolean NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3)
      );
      COMMENT ON COLUMN passkeys.id IS 'The id of the credential, in base64url.';
      COMMENT ON COLUMN passkeys.counter IS 'Of the last signature; 0 for authenticators that do not count.';
      CREATE INDEX passkeys_by_profile ON passkeys (profile_id);
      CREATE TABLE passkey_challenges (
        digest bytea PRIMARY KEY,
        purpose text NOT NULL CHECK (purpose IN ('sign_in', 'proof', 'register')),
        session_hash bytea,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      COMMENT ON COLUMN passkey_challenges.session_hash IS 'The session that got it; null for a sign-in.';
      CREATE INDEX passkey_challenges_by_time ON passkey_challenges (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE passkey_challenges; DROP TABLE passkeys`);
  }
}
