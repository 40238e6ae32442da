import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the invoice that replaces or adds to another one, which each mail and document of an invoice looks for. */
export class ReplacedInvoices1795349300000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS invoices_by_adjusted ON invoices (adjusts) WHERE adjusts IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS invoices_by_adjusted`);
  }
}
