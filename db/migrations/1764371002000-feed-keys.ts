import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With which key a calendar address was created: it ends with the key. */
export class FeedKeys1764371002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE feeds ADD COLUMN key_id text COLLATE "C"`);
    await runner.query(`
      COMMENT ON COLUMN feeds.key_id IS 'The API key or grant that created it; null at the dashboard.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE feeds DROP COLUMN key_id`);
  }
}
