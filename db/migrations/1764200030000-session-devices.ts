import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a person reads of their sessions. */
export class SessionDevices1764200030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions ADD COLUMN handle text, ADD COLUMN device text;
      COMMENT ON COLUMN sessions.handle IS
        'Names the session on its person''s account page; null for those from before this column.';
      COMMENT ON COLUMN sessions.device IS 'Family of browser and system: Firefox on Windows.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions DROP COLUMN device, DROP COLUMN handle`);
  }
}
