import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the updates that workers begin with, and those whose claim is over. */
export class AccountingUpdatesIndex1764384001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS accounting_due_first_attempts`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY accounting_due_first_attempts ON accounting_due (first_attempt_until, workspace_id)
      WHERE first_attempt_until IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY accounting_due_first_attempts`);
  }
}
