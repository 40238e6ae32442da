import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which sessions were not started by a link, so that they prove no mailbox. */
export class SessionsByPasskey1764200033000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions ADD COLUMN by_passkey boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions DROP COLUMN by_passkey`);
  }
}
