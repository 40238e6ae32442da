import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the law asks of an invoice about its seller, and the prefix of a workspace's document numbers. */
export class InvoiceSettings1764310000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN invoice_prefix text NOT NULL DEFAULT 'HF',
        ADD COLUMN legal_name text,
        ADD COLUMN legal_address text,
        ADD COLUMN tax_number text,
        ADD COLUMN tax_name text NOT NULL DEFAULT 'VAT',
        ADD COLUMN payment_instructions text;
      COMMENT ON COLUMN workspaces.invoice_prefix IS
        'Before the number of each invoice that is created from now on. HF for workspaces from before it could be chosen.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces DROP COLUMN invoice_prefix, DROP COLUMN legal_name, DROP COLUMN legal_address,
        DROP COLUMN tax_number, DROP COLUMN tax_name, DROP COLUMN payment_instructions`);
  }
}
