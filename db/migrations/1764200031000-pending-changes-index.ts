import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The pending changes of a workspace, which its quota counts. */
export class PendingChangesIndex1764200031000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS booking_changes_pending_by_workspace`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY booking_changes_pending_by_workspace ON booking_changes (workspace_id)
       WHERE state IN ('opening', 'pending')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY booking_changes_pending_by_workspace`);
  }
}
