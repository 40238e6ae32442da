import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the list of events whose delivery failed, which are few among many. */
export class FailedDeliveries1795348600000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_failed ON webhook_deliveries (workspace_id, event_id)
        WHERE status_code IS NULL OR status_code NOT BETWEEN 200 AND 299`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS webhook_deliveries_failed`);
  }
}
