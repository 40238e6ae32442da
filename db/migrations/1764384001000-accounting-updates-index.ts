import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For what the relay looks for in each poll. The index before it is for the previous release. */
export class AccountingUpdatesIndex1764384001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS accounting_due_to_begin`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY accounting_due_to_begin ON accounting_due (first_attempt_until)
      WHERE notified_at IS NULL OR first_attempt_until > '-infinity'`);
    await runner.query(
      `COMMENT ON INDEX accounting_due_to_notify IS 'Unused since accounting_due_to_begin.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`COMMENT ON INDEX accounting_due_to_notify IS NULL`);
    await runner.query(`DROP INDEX CONCURRENTLY accounting_due_to_begin`);
  }
}
