import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which payers get a monthly statement. Each statement commits, and it can be run again. */
export class MonthlyStatements1795347000000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['companies', 'members']) {
      await runner.query(`ALTER TABLE ${table} ADD IF NOT EXISTS next_statement_on date`);
      await runner.query(
        `COMMENT ON COLUMN ${table}.next_statement_on IS
           'The first of the month on which the next monthly statement is mailed; null: none is.'`,
      );
      await runner.query(
        `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${table}_with_statement ON ${table} (id)
         WHERE next_statement_on IS NOT NULL`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['companies', 'members'])
      await runner.query(`ALTER TABLE ${table} DROP IF EXISTS next_statement_on`);
  }
}
