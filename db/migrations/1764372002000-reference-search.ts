import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invoices and payments are found by what people have written as their reference, such as a purchase order or a till. */
export class ReferenceSearch1764372002000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS invoices_reference_words`);
    // Without those whose reference is only their number, which are most: an insert of these costs nothing.
    await runner.query(
      `CREATE INDEX CONCURRENTLY invoices_reference_words ON invoices
       USING gin (workspace_id, search_text(accounting_reference) gin_trgm_ops) WITH (fastupdate = off)
       WHERE accounting_reference <> 'Holdfast #' || number::text`,
    );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS payments_reference_words`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY payments_reference_words ON payments
       USING gin (workspace_id, search_text(reference) gin_trgm_ops) WITH (fastupdate = off)
       WHERE reference IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY payments_reference_words`);
    await runner.query(`DROP INDEX CONCURRENTLY invoices_reference_words`);
  }
}
