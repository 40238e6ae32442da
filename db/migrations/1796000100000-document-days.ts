import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for the documents that a workspace issued in a month, as the tax report reads them. */
export class DocumentDays1796000100000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // One that was interrupted is there, and not valid.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS invoice_documents_issued`);
    await runner.query(`CREATE INDEX CONCURRENTLY invoice_documents_issued
      ON invoice_documents (workspace_id, issued_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX invoice_documents_issued`);
  }
}
