import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests for the same reconciliation share the one that is running. */
export class RunningReconciliations1795328400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX reconciliations_running ON reconciliations (workspace_id, from_at, to_at) WHERE report IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX reconciliations_running`);
  }
}
