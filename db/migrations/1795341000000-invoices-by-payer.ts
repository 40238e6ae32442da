import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invoices of a payer and payments of a booking are found without reading all of the workspace's. */
export class InvoicesByPayer1795341000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX invoices_by_member ON invoices (member_id, created_at DESC) WHERE member_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX invoices_by_company ON invoices (company_id, created_at DESC) WHERE company_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX payments_by_booking ON payments (booking_id) WHERE booking_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX invoices_by_member, invoices_by_company, payments_by_booking`);
  }
}
