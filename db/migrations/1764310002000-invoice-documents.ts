import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEEP = readFileSync(new URL('../functions/keep_document.sql', import.meta.url), 'utf8');

/** Invoices, supplements and credit notes as they were issued. */
export class InvoiceDocuments1764310002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invoice_documents (
        source_id text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL,
        invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
        kind text NOT NULL CHECK (kind IN ('invoice', 'supplement', 'credit_note')),
        number text NOT NULL,
        issued_at timestamptz(3) NOT NULL,
        net_minor bigint NOT NULL,
        tax_minor bigint NOT NULL,
        total_minor bigint NOT NULL CHECK (total_minor = net_minor + tax_minor),
        payment_id text COLLATE "C",
        lines jsonb NOT NULL,
        terms jsonb NOT NULL,
        voided_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        UNIQUE (workspace_id, number)
      );
      CREATE INDEX invoice_documents_invoice ON invoice_documents (invoice_id);
      COMMENT ON TABLE invoice_documents IS 'Documents as they were issued. Only voided_at changes.';
      COMMENT ON COLUMN invoice_documents.source_id IS
        'What it is about: the invoice, the payment of a supplement, a refund, an adjustment or a movement of a dispute.'`);
    await runner.query(KEEP);
    await runner.query(
      `CREATE TRIGGER invoice_documents_keep BEFORE UPDATE ON invoice_documents
       FOR EACH ROW EXECUTE FUNCTION keep_document()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE invoice_documents`);
    await runner.query(`DROP FUNCTION keep_document`);
  }
}
