import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With which token of its key the calendar address of a room was created: it ends and narrows with the token. */
export class RoomFeedTokens1764397011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE room_feeds ADD COLUMN token_hash bytea`);
    await runner.query(`
      COMMENT ON COLUMN room_feeds.token_hash IS
        'SHA-256 of the token that created it; null at the dashboard, and before this was stored.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE room_feeds DROP COLUMN token_hash`);
  }
}
