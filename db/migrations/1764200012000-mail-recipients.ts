import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The digest of an address in ASCII, as the service makes it. */
const DIGEST = `sha256(convert_to(workspace_id || E'\\n' || lower(email), 'UTF8'))`;

/**
 * Which addresses each workspace has mailed. Members, guests and billing addresses of today are known: a workspace that
 * mails many of them does not wait.
 */
export class MailRecipients1764200012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_recipients (
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        digest bytea NOT NULL,
        first_mailed_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, digest)
      );
      COMMENT ON COLUMN mail_recipients.digest IS
        'SHA-256 of the workspace''s id and the canonical address, separated by a line break.';
      CREATE INDEX mail_recipients_by_time ON mail_recipients (workspace_id, first_mailed_at)`);
    await runner.query(`
      INSERT INTO mail_recipients (workspace_id, digest, first_mailed_at)
      SELECT workspace_id, ${DIGEST}, now() - interval '2 days' FROM (
        SELECT workspace_id, email FROM members WHERE email IS NOT NULL AND status <> 'invited'
        UNION SELECT workspace_id, billing_email FROM companies WHERE billing_email IS NOT NULL
        UNION SELECT workspace_id, guest_email FROM bookings WHERE guest_email IS NOT NULL AND published_at IS NOT NULL
      ) known (workspace_id, email)
      ON CONFLICT DO NOTHING`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE mail_recipients`);
  }
}
