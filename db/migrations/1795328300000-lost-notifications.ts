import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes to find upgrades whose run was lost, and changes that were stored and never processed. */
export class LostNotifications1795328300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX tier_changes_unbilled ON tier_changes (notified_at) WHERE state <> 'done';
      CREATE INDEX booking_changes_requested ON booking_changes (created_at) WHERE state = 'requested';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX tier_changes_unbilled, booking_changes_requested`);
  }
}
