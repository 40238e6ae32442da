import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many invoices one statement looks at and names, so that none of them is locked for longer than some milliseconds. */
const STEP = 1_000;
const PAUSE_MS = 100;

/** An invoice `i` that payers or the books know by the number which earlier releases showed. */
const IS_KNOWN = `i.total_minor > 0 AND (i.status IN ('paid', 'refunded') OR EXISTS (SELECT FROM collections c WHERE c.invoice_id = i.id))
  OR EXISTS (SELECT FROM invoice_documents d WHERE d.invoice_id = i.id)
  OR EXISTS (SELECT FROM accounting_documents a WHERE a.invoice_id = i.id)`;

/**
 * Document numbers are given when an invoice is issued: one without a number has not been. Invoices from before numbers were
 * stored are named as they were shown.
 */
export class DocumentOrdinals1764391000000 implements MigrationInterface {
  /** Creates an index concurrently, and fills a column in steps. Each statement may run again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices ADD COLUMN IF NOT EXISTS document_ordinal integer`);
    await runner.query(
      `COMMENT ON COLUMN invoices.document_number IS
         'On paper and in the books, with the prefix of its time. Null until it is issued, or sent to the books before that.'`,
    );
    await runner.query(
      `COMMENT ON COLUMN invoices.document_ordinal IS
         'In its document number. Null without one, and for those that earlier releases have made of the number.'`,
    );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS invoices_document_ordinal`);
    await runner.query(
      `CREATE UNIQUE INDEX CONCURRENTLY invoices_document_ordinal ON invoices (workspace_id, document_ordinal)
       WHERE document_ordinal IS NOT NULL`,
    );
    // An invoice that another transaction has locked is left to a later round.
    while (await DocumentOrdinals1764391000000.fill(runner))
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }

  /** Names the invoices from before numbers were stored, by id. Returns whether some were left out because they are locked. */
  static async fill(runner: QueryRunner): Promise<boolean> {
    for (let last = ''; ;) {
      const page: { id: string }[] = await runner.query(
        `SELECT id FROM invoices WHERE id > $1 AND document_number IS NULL ORDER BY id LIMIT ${STEP}`,
        [last],
      );
      if (page.length === 0) break;
      const ids = page.map(({ id }) => id);
      await runner.query(
        `UPDATE invoices SET document_number = 'HF-' || number WHERE id = ANY (ARRAY(
           SELECT i.id FROM invoices i WHERE i.id = ANY ($1) AND i.document_number IS NULL AND (${IS_KNOWN})
           LIMIT ${STEP} FOR NO KEY UPDATE SKIP LOCKED))`,
        [ids],
      );
      last = ids.at(-1)!;
    }
    const left: unknown[] = await runner.query(
      `SELECT FROM invoices i WHERE i.document_number IS NULL AND (${IS_KNOWN}) LIMIT 1`,
    );
    return left.length > 0;
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoices DROP COLUMN document_ordinal`);
  }
}
