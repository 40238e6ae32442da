import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes by which the retention job finds old rows (docs/operations.md#retention). The rows are stored in the order of
 * their times, so a BRIN index of a few pages is enough and costs an insert nothing.
 */
export class Retention1795328600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX idempotency_keys_by_creation ON idempotency_keys USING brin (created_at);
      CREATE INDEX processor_events_by_time ON processor_events USING brin (received_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX idempotency_keys_by_creation, processor_events_by_time`);
  }
}
