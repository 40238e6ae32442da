import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Seller and company of an invoice as they were when it was opened: what was issued does not change later. */
export class InvoiceParties1795348100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices ADD parties jsonb`);
    await runner.query(
      `COMMENT ON COLUMN invoices.parties IS 'Seller and company when it was opened; null for a draft. A person is not copied.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices DROP parties`);
  }
}
