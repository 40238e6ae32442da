import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Statements that were issued on demand. */
export class Statements1764350010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoice_counters ADD COLUMN last_statement integer NOT NULL DEFAULT 0`);
    await runner.query(`
      CREATE TABLE statements (
        id text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        company_id uuid REFERENCES companies,
        member_id text COLLATE "C" REFERENCES members,
        number text NOT NULL,
        issued_at timestamptz(3) NOT NULL DEFAULT now(),
        content jsonb NOT NULL,
        UNIQUE (workspace_id, number),
        CONSTRAINT statements_payer CHECK (num_nonnulls(company_id, member_id) = 1)
      );
      CREATE INDEX statements_by_company ON statements (company_id, issued_at) WHERE company_id IS NOT NULL;
      CREATE INDEX statements_by_member ON statements (member_id, issued_at) WHERE member_id IS NOT NULL;
      CREATE TABLE statement_invoices (
        invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
        statement_id text COLLATE "C" NOT NULL REFERENCES statements,
        PRIMARY KEY (invoice_id, statement_id)
      );
      CREATE TRIGGER statements_keep BEFORE UPDATE ON statements FOR EACH ROW EXECUTE FUNCTION keep_document();
      COMMENT ON TABLE statements IS 'What a payer owed and paid, as it was when somebody asked for it. Never changes.';
      COMMENT ON COLUMN statements.content IS 'Without the name of a member: an erasure removes it.';
      COMMENT ON TABLE statement_invoices IS 'The invoices that a statement lists.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE statement_invoices; DROP TABLE statements`);
    await runner.query(`ALTER TABLE invoice_counters DROP COLUMN last_statement`);
  }
}
