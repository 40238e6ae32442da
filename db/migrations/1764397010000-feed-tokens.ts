import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With which token of its key a calendar address was created: it ends and narrows with the token. */
export class FeedTokens1764397010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE feeds ADD COLUMN token_hash bytea`);
    await runner.query(`
      COMMENT ON COLUMN feeds.token_hash IS
        'SHA-256 of the token that created it; null at the dashboard, and before this was stored.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE feeds DROP COLUMN token_hash`);
  }
}
