import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The secret of an authenticator that is being set up belongs to one session, and mail can be about a person's account
 * (docs/rules/credentials.md#second-factor). Authenticators that were never confirmed are removed.
 */
export class EnrolmentInSession1764205000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions ADD pending_secret bytea, ADD pending_secret_at timestamptz(3)`);
    await runner.query(
      `COMMENT ON COLUMN sessions.pending_secret IS
         'The secret of an authenticator that is being set up in this session, encrypted.'`,
    );
    await runner.query(`DELETE FROM second_factors WHERE secret IS NULL`);
    await runner.query(`ALTER TABLE second_factors DROP pending_secret`);
    await runner.query(
      `ALTER TABLE mails ADD profile_id text COLLATE "C" REFERENCES profiles ON DELETE CASCADE,
         DROP CONSTRAINT mails_workspace_or_link,
         ADD CONSTRAINT mails_workspace_or_person CHECK (num_nonnulls(workspace_id, sign_in_link_id, profile_id) = 1)`,
    );
    await runner.query(`COMMENT ON COLUMN mails.profile_id IS 'For mail about a person''s account.'`);
    await runner.query(`CREATE INDEX mails_by_profile ON mails (profile_id) WHERE profile_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM mails WHERE profile_id IS NOT NULL`);
    await runner.query(
      `ALTER TABLE mails DROP CONSTRAINT mails_workspace_or_person, DROP profile_id,
         ADD CONSTRAINT mails_workspace_or_link CHECK ((workspace_id IS NULL) = (sign_in_link_id IS NOT NULL))`,
    );
    await runner.query(`ALTER TABLE second_factors ADD pending_secret bytea`);
    await runner.query(
      `COMMENT ON COLUMN second_factors.pending_secret IS 'The secret of an authenticator that is being set up.'`,
    );
    await runner.query(`ALTER TABLE sessions DROP pending_secret, DROP pending_secret_at`);
  }
}
