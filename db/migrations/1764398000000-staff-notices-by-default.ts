import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Staff are told of new and cancelled bookings unless the workspace has said otherwise. */
export class StaffNoticesByDefault1764398000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces ALTER COLUMN notify_staff SET DEFAULT '{"created": "each", "cancelled": "each"}';
      UPDATE workspaces SET notify_staff = DEFAULT WHERE notify_staff = '{}'`);
  }

  /** Workspaces that took the default keep the mail that they have. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces ALTER COLUMN notify_staff SET DEFAULT '{}'`);
  }
}
