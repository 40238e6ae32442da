import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The functions that are applied after all migrations; these triggers need them before. */
const FUNCTIONS = ['number_invoice', 'number_document'].map((name) =>
  readFileSync(new URL(`../functions/${name}.sql`, import.meta.url), 'utf8'),
);

/** Each trigger with its table, for rows that a process of the previous release writes. */
const TRIGGERS: [name: string, table: string, when: string][] = [
  [
    'invoices_number',
    'invoices',
    `BEFORE INSERT ON invoices FOR EACH ROW
     WHEN (NEW.document_number IS NOT NULL AND NEW.document_ordinal IS NULL) EXECUTE FUNCTION number_invoice()`,
  ],
  [
    'invoices_number_later',
    'invoices',
    `BEFORE UPDATE OF document_number ON invoices FOR EACH ROW
     WHEN (OLD.document_number IS NULL AND NEW.document_number IS NOT NULL AND NEW.document_ordinal IS NULL)
     EXECUTE FUNCTION number_invoice()`,
  ],
  [
    'invoice_documents_number',
    'invoice_documents',
    `BEFORE INSERT ON invoice_documents FOR EACH ROW WHEN (NEW.number LIKE 'HF-%') EXECUTE FUNCTION number_document()`,
  ],
  [
    'accounting_documents_number',
    'accounting_documents',
    `BEFORE INSERT ON accounting_documents FOR EACH ROW WHEN (NEW.number LIKE 'HF-%') EXECUTE FUNCTION number_document()`,
  ],
];

const STEP = 250;
const PAUSE_MS = 100;

/**
 * Document numbers are counted apart from invoices, and continue above those that were given. While processes of the previous
 * release run, what they number is numbered by the same counter.
 */
export class DocumentCounters1764391001000 implements MigrationInterface {
  /** Changes several tables, and fills a column in steps. Each statement may run again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS document_number_gaps (
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        first_number integer NOT NULL,
        last_number integer NOT NULL CHECK (last_number >= first_number),
        seen_by text NOT NULL CHECK (seen_by IN ('accounting', 'processor')),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, first_number)
      );
      COMMENT ON TABLE document_number_gaps IS 'Numbers of documents that a restore has lost: they are not given again.'`);
    await runner.query(`ALTER TABLE invoice_counters ADD COLUMN IF NOT EXISTS last_document_number integer`);
    await runner.query(`ALTER TABLE invoice_counters ALTER last_document_number SET DEFAULT 0`);
    for (const sql of FUNCTIONS) await runner.query(sql);
    for (const [name, table, when] of TRIGGERS) {
      await runner.query(`DROP TRIGGER IF EXISTS ${name} ON ${table}`);
      await runner.query(`CREATE TRIGGER ${name} ${when}`);
    }
    // A counter that another transaction has locked is left to a later round.
    while (await DocumentCounters1764391001000.fill(runner))
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    await runner.query(
      `ALTER TABLE invoice_counters DROP CONSTRAINT IF EXISTS invoice_counters_last_document_number_not_null`,
    );
    await runner.query(
      `ALTER TABLE invoice_counters
       ADD CONSTRAINT invoice_counters_last_document_number_not_null NOT NULL last_document_number NOT VALID`,
    );
    await runner.query(
      `ALTER TABLE invoice_counters VALIDATE CONSTRAINT invoice_counters_last_document_number_not_null`,
    );
  }

  /** Has counters continue above the numbers that were given, by workspace. Returns whether some were locked. */
  static async fill(runner: QueryRunner): Promise<boolean> {
    for (let filled = STEP; filled > 0;)
      [, filled] = await runner.query(
        `UPDATE invoice_counters SET last_document_number = last_number WHERE workspace_id = ANY (ARRAY(
           SELECT workspace_id FROM invoice_counters WHERE last_document_number IS NULL LIMIT ${STEP}
           FOR NO KEY UPDATE SKIP LOCKED))`,
      );
    const left: unknown[] = await runner.query(
      `SELECT FROM invoice_counters WHERE last_document_number IS NULL LIMIT 1`,
    );
    return left.length > 0;
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, table] of TRIGGERS) await runner.query(`DROP TRIGGER IF EXISTS ${name} ON ${table}`);
    await runner.query(`DROP FUNCTION IF EXISTS number_invoice, number_document`);
    await runner.query(`ALTER TABLE invoice_counters DROP COLUMN last_document_number`);
    await runner.query(`DROP TABLE document_number_gaps`);
  }
}
