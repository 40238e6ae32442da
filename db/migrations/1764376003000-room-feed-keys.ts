import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With which key the calendar address of a room was created: it ends with the key. */
export class RoomFeedKeys1764376003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE room_feeds ADD COLUMN key_id text COLLATE "C"`);
    await runner.query(`
      COMMENT ON COLUMN room_feeds.key_id IS 'The API key or grant that created it; null at the dashboard.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE room_feeds DROP COLUMN key_id`);
  }
}
