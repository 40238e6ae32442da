import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What staff are told about bookings by mail, and how a workspace looks to its payers. */
export class StaffNotices1764340003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces ADD COLUMN notify_staff jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN digest_at timestamptz(3), ADD COLUMN digest_position bigint NOT NULL DEFAULT 0,
        ADD COLUMN logo_url text, ADD COLUMN accent_color text;
      COMMENT ON COLUMN workspaces.notify_staff IS 'Which mail about bookings staff get; what is missing is off.';
      COMMENT ON COLUMN workspaces.digest_at IS 'When the outbox relay queues the next daily mail; null for none.';
      COMMENT ON COLUMN workspaces.digest_position IS 'Of the last event that a daily mail has told of.';
      COMMENT ON COLUMN workspaces.accent_color IS 'Of buttons and headings in mail and on pages of payers, as #rrggbb.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces DROP COLUMN notify_staff, DROP COLUMN digest_at, DROP COLUMN digest_position,
        DROP COLUMN logo_url, DROP COLUMN accent_color`);
  }
}
