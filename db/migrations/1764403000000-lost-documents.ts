import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Supplements and credit notes that only the accounting system knows, after a restore. */
export class LostDocuments1764403000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE lost_documents (
        invoice_id text COLLATE "C" NOT NULL REFERENCES invoices,
        suffix text NOT NULL,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        total_minor bigint,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (invoice_id, suffix)
      );
      COMMENT ON TABLE lost_documents IS
        'Supplements and credit notes that the accounting system has, and that a restore has lost: only the same document gets the number of one again.';
      COMMENT ON COLUMN lost_documents.suffix IS 'The end of its number: C1 of HH-35-C1.';
      COMMENT ON COLUMN lost_documents.total_minor IS 'Null if no document can be this one.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE lost_documents`);
  }
}
