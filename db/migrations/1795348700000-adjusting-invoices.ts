import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the invoice that replaces a void one, which every mail about an invoice looks for. Few invoices adjust others. */
export class AdjustingInvoices1795348700000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS invoices_adjusting ON invoices (adjusts) WHERE adjusts IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS invoices_adjusting`);
  }
}
