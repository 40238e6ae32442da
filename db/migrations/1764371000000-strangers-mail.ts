import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which addresses a workspace has mailed because a stranger entered them on its booking page. */
export class StrangersMail1764371000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mail_recipients ADD COLUMN by_stranger boolean NOT NULL DEFAULT false`);
    await runner.query(`
      COMMENT ON COLUMN mail_recipients.by_stranger IS
        'The first mail was about a hold of the booking page: nobody had paid, or shown that the address is theirs.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mail_recipients DROP COLUMN by_stranger`);
  }
}
