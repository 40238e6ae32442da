import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which new addresses have refused a workspace's mail, and the holds of its mail to further ones. */
export class MailHolds1764310010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mail_recipients ADD COLUMN refused_at timestamptz(3)`);
    await runner.query(`
      CREATE TABLE mail_holds (
        workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
        held_at timestamptz(3) NOT NULL,
        held_until timestamptz(3),
        reason text,
        released_at timestamptz(3)
      );
      COMMENT ON COLUMN mail_recipients.refused_at IS
        'When the mail server permanently refused the address, within a day of the first mail to it.';
      COMMENT ON COLUMN mail_holds.held_until IS 'When the hold lapses; null until the operator of the service releases it.';
      COMMENT ON COLUMN mail_holds.reason IS 'That of the operator of the service; null if too many addresses refused mail.';
      COMMENT ON COLUMN mail_holds.released_at IS 'When the operator of the service released it: earlier refusals do not count.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE mail_holds`);
    await runner.query(`ALTER TABLE mail_recipients DROP COLUMN refused_at`);
  }
}
