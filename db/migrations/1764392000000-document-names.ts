import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const functionOf = (name: string): string =>
  readFileSync(new URL(`../functions/${name}.sql`, import.meta.url), 'utf8');

/** How many rows one statement fills, so that none of them is locked for longer than some milliseconds. */
const STEP = 250;

/** Until the names of earlier documents are stored, the database lets names be added. */
const LET_NAME = `CREATE OR REPLACE FUNCTION keep_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(OLD) - '{voided_at,payer,member_names}'::text[]
    IS DISTINCT FROM to_jsonb(NEW) - '{voided_at,payer,member_names}'::text[] THEN
    RAISE EXCEPTION 'document % was issued and cannot be changed', OLD.number;
  END IF;
  RETURN NEW;
END $$`;

/**
 * The people that documents and statements name, as they were called when these were issued. Triggers store them, so that
 * documents of the previous release have them too. Those that exist get the names of now, in steps.
 */
export class DocumentNames1764392000000 implements MigrationInterface {
  /** Creates an index concurrently, and fills columns in steps. Each statement may run again. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE invoice_documents ADD COLUMN IF NOT EXISTS payer jsonb, ADD COLUMN IF NOT EXISTS member_names jsonb`,
    );
    await runner.query(`ALTER TABLE statements ADD COLUMN IF NOT EXISTS payer jsonb`);
    await runner.query(`
      COMMENT ON TABLE invoice_documents IS 'Documents as they were issued. They never change, but an erasure removes names.';
      COMMENT ON COLUMN invoice_documents.payer IS
        'The member or guest who pays, as they were called: null if a company pays, and after an erasure.';
      COMMENT ON COLUMN invoice_documents.member_names IS 'The names of the members whose ids are in its lines, by id.';
      COMMENT ON TABLE statements IS
        'What a payer owed and paid, as it was when somebody asked for it. Never changes, but an erasure removes the name.';
      COMMENT ON COLUMN statements.payer IS
        'The member, as they were called: null for a company, and after an erasure.';
      COMMENT ON COLUMN statements.content IS NULL`);
    for (const name of [
      'booking_of_invoice',
      'person_paying',
      'members_in_lines',
      'name_people',
      'name_member',
    ])
      await runner.query(functionOf(name));
    await runner.query(
      `CREATE OR REPLACE TRIGGER invoice_documents_name BEFORE INSERT ON invoice_documents
       FOR EACH ROW EXECUTE FUNCTION name_people()`,
    );
    await runner.query(
      `CREATE OR REPLACE TRIGGER statements_name BEFORE INSERT ON statements
       FOR EACH ROW EXECUTE FUNCTION name_member()`,
    );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS invoice_documents_by_named_member`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY invoice_documents_by_named_member ON invoice_documents USING gin (member_names)
       WHERE member_names IS NOT NULL`,
    );
    await runner.query(LET_NAME);
    await DocumentNames1764392000000.fill(runner);
    await runner.query(functionOf('keep_document'));
  }

  /** Gives the documents and statements that have no names those of now, by id. */
  static async fill(runner: QueryRunner): Promise<void> {
    for (let last: string | null = ''; last !== null;) {
      const from: string = last;
      [{ last }] = await runner.query(
        `SELECT max(source_id) AS last FROM (
           SELECT source_id FROM invoice_documents WHERE source_id > $1 ORDER BY source_id LIMIT ${STEP}) page`,
        [from],
      );
      await runner.query(
        `UPDATE invoice_documents d SET payer = coalesce(d.payer, named.payer),
                member_names = coalesce(d.member_names, named.member_names)
         FROM (SELECT source_id, person_paying(invoice_id) AS payer, members_in_lines(workspace_id, lines) AS member_names
               FROM invoice_documents WHERE source_id > $1 ORDER BY source_id LIMIT ${STEP}) named
         WHERE d.source_id = named.source_id
           AND (d.payer IS NULL AND named.payer IS NOT NULL OR d.member_names IS NULL AND named.member_names IS NOT NULL)`,
        [from],
      );
    }
    for (let filled = STEP; filled === STEP;) {
      [, filled] = await runner.query(
        `UPDATE statements s SET payer = jsonb_build_object('name', m.name, 'billing', NULL) FROM members m
         WHERE m.id = s.member_id AND s.id = ANY (ARRAY(
           SELECT u.id FROM statements u JOIN members n ON n.id = u.member_id
           WHERE u.payer IS NULL AND n.status <> 'deleted' LIMIT ${STEP}))`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER invoice_documents_name ON invoice_documents;
      DROP TRIGGER statements_name ON statements;
      DROP FUNCTION name_people, name_member, members_in_lines, person_paying, booking_of_invoice`);
    await runner.query(`ALTER TABLE invoice_documents DROP COLUMN payer, DROP COLUMN member_names`);
    await runner.query(`ALTER TABLE statements DROP COLUMN payer`);
  }
}
