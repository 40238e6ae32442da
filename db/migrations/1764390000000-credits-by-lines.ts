import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What refunds and changes take off, by tax code; and documents that cancel others in place of changing them. */
export class CreditsByLines1764390000000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payments ADD COLUMN IF NOT EXISTS credit jsonb;
      COMMENT ON COLUMN payments.credit IS
        'For a refund: what it takes off, by tax code. Null: a share of all that its invoice has left.';
      COMMENT ON COLUMN payments.refund_percent_cap IS 'Unused: bookings.refund_caps has the caps of the price.'`);
    await runner.query(`
      ALTER TABLE invoice_lines ADD COLUMN IF NOT EXISTS change_id text;
      COMMENT ON COLUMN invoice_lines.change_id IS
        'The change of a booking that added the line, or took it off: then it is below zero.'`);
    await runner.query(`
      ALTER TABLE invoice_documents ADD COLUMN IF NOT EXISTS cancels text;
      COMMENT ON COLUMN invoice_documents.cancels IS 'The source of the document that this one cancels.';
      COMMENT ON TABLE invoice_documents IS 'Documents as they were issued. They never change.'`);
    await runner.query(`
      ALTER TABLE bookings ADD COLUMN IF NOT EXISTS refund_caps jsonb;
      COMMENT ON COLUMN bookings.refund_caps IS
        'The most that is refunded of parts of the price: [{extra_id, amount_minor, percent}]. Null: it was not moved.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payments DROP COLUMN credit`);
    await runner.query(`ALTER TABLE invoice_lines DROP COLUMN change_id`);
    await runner.query(`ALTER TABLE invoice_documents DROP COLUMN cancels`);
    await runner.query(`ALTER TABLE bookings DROP COLUMN refund_caps`);
  }
}
