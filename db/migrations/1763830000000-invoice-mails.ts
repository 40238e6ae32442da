import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mail about invoices, with the invoice itself, and what a workspace prints on them. */
export class InvoiceMails1763830000000 implements MigrationInterface {
  name = 'InvoiceMails1763830000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await runner.query(statement);
  }
}

const STATEMENTS = [
  // Who bills: name, address, tax number, bank; as it is printed.
  `ALTER TABLE workspaces ADD invoice_details text`,

  // The attachment is kept until it has been sent.
  `ALTER TABLE mails ADD attachment bytea, ADD handed_over_at timestamptz(3)`,
  `CREATE INDEX mails_to_hand_over ON mails (created_at) WHERE invoice_id IS NOT NULL AND handed_over_at IS NULL`,
];

const REVERSE = [
  `DROP INDEX mails_to_hand_over`,
  `ALTER TABLE mails DROP handed_over_at, DROP attachment`,
  `ALTER TABLE workspaces DROP invoice_details`,
];
