import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an invoice was last mailed to its payer. */
export class SentInvoices1795341100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices ADD sent_at timestamptz(3)`);
    await runner.query(
      `COMMENT ON COLUMN invoices.sent_at IS 'When a mail server last accepted the invoice for its payer.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices DROP sent_at`);
  }
}
