import test from 'ava';
import type { DataSource } from 'typeorm';
import { startDocumentAttempt } from '../../commands/accounting/documents.js';
import { markInvoicePaid } from '../../commands/billing/invoice-lifecycle.js';
import { DocumentOrdinals1764391000000 as DocumentOrdinals } from '../../db/migrations/1764391000000-document-ordinals.js';
import { DocumentCounters1764391001000 as DocumentCounters } from '../../db/migrations/1764391001000-document-counters.js';
import { transaction } from '../../db/transaction.js';
import { storeInvoices, type Row } from '../support/rows.js';
import { newPlace, withScratchDatabase } from './scratch.js';

/** Takes both migrations back, so that the tables are those of the previous release. */
async function takeBack(scratch: DataSource) {
  const runner = scratch.createQueryRunner();
  await new DocumentCounters().down(runner);
  await new DocumentOrdinals().down(runner);
  return { runner, migrate: () => migrate(runner) };
}

async function migrate(runner: ReturnType<DataSource['createQueryRunner']>): Promise<void> {
  await new DocumentOrdinals().up(runner);
  await new DocumentCounters().up(runner);
}

const rowsOf = (workspace_id: string, rows: Row<'invoices'>[]): Row<'invoices'>[] =>
  rows.map((row, n) => ({
    id: `inv_${n + 1}`,
    workspace_id,
    number: n + 1,
    accounting_reference: `Holdfast #${n + 1}`,
    created_at: new Date(),
    ...row,
  }));

const numbersOf = async (scratch: DataSource): Promise<Record<string, string | null>> =>
  Object.fromEntries(
    (await scratch.query(`SELECT id, document_number FROM invoices ORDER BY number`)).map(
      (row: { id: string; document_number: string | null }) => [row.id, row.document_number],
    ),
  );

/** Stores invoices as the previous release does: with document numbers made of their numbers. */
const storeAsBefore = (scratch: DataSource, workspace_id: string, ids: string[]) =>
  scratch.query(
    `WITH counter AS (
       INSERT INTO invoice_counters AS c (workspace_id, last_number) VALUES ($1, $3::int)
       ON CONFLICT (workspace_id) DO UPDATE SET last_number = c.last_number + $3::int
       RETURNING last_number - $3::int AS before
     )
     INSERT INTO invoices (id, workspace_id, kind, status, currency, net_minor, tax_minor, total_minor, due_at, number,
                           document_number, accounting_reference)
     SELECT i.id, $1, 'ad_hoc', 'open', 'GBP', 1, 0, 1, now(), counter.before + i.ordinality,
            (SELECT invoice_prefix FROM workspaces WHERE id = $1) || '-' || counter.before + i.ordinality, 'Holdfast'
     FROM counter, unnest($2::text[]) WITH ORDINALITY AS i (id, ordinality)`,
    [workspace_id, ids, ids.length],
  );

/** Pays an invoice that was stored without its line. */
async function pay(scratch: DataSource, id: string): Promise<void> {
  await scratch.query(
    `INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount_minor, tax_code, tax_rate_bps,
                                net_minor, tax_minor)
     VALUES ($1, 1, 'Blue room', 1, 1, 'ZERO', 0, 1, 0)`,
    [id],
  );
  await transaction(scratch, (tx) => markInvoicePaid(tx, id, new Date()));
}

test('invoices from before numbers were stored are named if somebody knows them, and documents continue above all numbers', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const { runner } = await takeBack(scratch);
    const ended = { paid_at: null };
    await storeInvoices(
      scratch,
      rowsOf(workspace_id, [
        { document_number: 'S-1' },
        {},
        { ...ended, status: 'void', kind: 'booking' },
        { ...ended, status: 'void' },
        { ...ended, status: 'open' },
        { ...ended, status: 'open', kind: 'booking' },
        { ...ended, status: 'open', kind: 'booking' },
        { kind: 'booking', net_minor: 0, total_minor: 0 },
        { status: 'refunded' },
      ]),
    );
    await scratch.query(
      `INSERT INTO collections (invoice_id, workspace_id, status, started_at)
       SELECT id, workspace_id, 'scheduled', now() FROM invoices WHERE id IN ('inv_4', 'inv_5')`,
    );
    await scratch.query(
      `INSERT INTO accounting_documents (source_id, workspace_id, invoice_id, kind, number)
       SELECT id, workspace_id, id, 'invoice', 'HF-7' FROM invoices WHERE id = 'inv_7'`,
    );
    await scratch.query(`INSERT INTO invoice_counters (workspace_id, last_number) VALUES ($1, 9)`, [
      workspace_id,
    ]);
    // Again, as after a run that ended early.
    for (let n = 0; n < 2; n++) await migrate(runner);
    const named = {
      inv_1: 'S-1',
      inv_2: 'HF-2',
      inv_3: null,
      inv_4: 'HF-4',
      inv_5: 'HF-5',
      inv_6: null,
      inv_7: 'HF-7',
      inv_8: null,
      inv_9: 'HF-9',
    };
    t.deepEqual(await numbersOf(scratch), named);
    for (const id of ['inv_5', 'inv_6']) await pay(scratch, id);
    t.deepEqual(await numbersOf(scratch), { ...named, inv_6: 'S-10' });
    await runner.release();
  });
});

test('while the migration runs, and beside a process of the previous release, no number is given twice', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const store = (...ids: string[]) => storeAsBefore(scratch, workspace_id, ids);
    const { runner, migrate: run } = await takeBack(scratch);
    await store('a', 'b');
    await run();
    await scratch.query(`ALTER TABLE invoice_counters ALTER last_document_number DROP NOT NULL`);
    await scratch.query(`UPDATE invoice_counters SET last_document_number = NULL`);
    await store('c', 'd');
    const early = { a: 'S-1', b: 'S-2', c: 'S-3', d: 'S-4' };
    t.deepEqual(await numbersOf(scratch), early, 'before its counter has begun');

    // This release: a hold has no number, and the next document has the next one.
    const hold = { kind: 'booking', status: 'open', paid_at: null } as const;
    const later = rowsOf(workspace_id, [hold, hold, hold, hold]).map((row) => ({
      ...row,
      number: row.number! + 4,
    }));
    await storeInvoices(scratch, later);
    await scratch.query(`UPDATE invoice_counters SET last_number = 8`);
    await pay(scratch, 'inv_2');
    await store('e', 'f');
    t.deepEqual(await numbersOf(scratch), {
      ...early,
      inv_1: null,
      inv_2: 'S-5',
      inv_3: null,
      inv_4: null,
      e: 'S-6',
      f: 'S-7',
    });

    // A process of the previous release calls a hold by its own number, when it issues it or sends it to the books.
    await scratch.query(`UPDATE workspaces SET invoice_prefix = 'HF'`);
    await scratch.query(`UPDATE invoices SET document_number = 'HF-5' WHERE id = 'inv_1'`);
    await scratch.query(
      `INSERT INTO invoice_documents (source_id, workspace_id, invoice_id, kind, number, issued_at, net_minor, tax_minor,
                                      total_minor, lines, terms)
       SELECT id || suffix, workspace_id, id, 'invoice', 'HF-5' || suffix, now(), 1, 0, 1, '[]', '{}'
       FROM invoices, unnest(ARRAY['', '-T1']) suffix WHERE id = 'inv_1'`,
    );
    const documents = await scratch.query(
      `SELECT number FROM invoice_documents WHERE invoice_id = 'inv_1' ORDER BY number`,
    );
    t.deepEqual(documents, [{ number: 'HF-8' }, { number: 'HF-8-T1' }]);
    const sent = { source_id: 'inv_3', invoice_id: 'inv_3', kind: 'invoice', number: 'HF-7' } as const;
    for (const attempts of [1, 2])
      t.deepEqual(await startDocumentAttempt(scratch.manager, sent, 'open'), { number: 'HF-9', attempts });
    const own = { source_id: 'inv_4', invoice_id: 'inv_4', kind: 'invoice', number: null } as const;
    t.deepEqual(await startDocumentAttempt(scratch.manager, own, 'open'), { number: 'HF-10', attempts: 1 });
    await pay(scratch, 'inv_4');
    t.like(await numbersOf(scratch), { inv_1: 'HF-8', inv_3: 'HF-9', inv_4: 'HF-10', e: 'S-6' });
    await t.throwsAsync(
      scratch.query(`UPDATE invoices SET document_ordinal = 8, document_number = 'S-8' WHERE id = 'inv_3'`),
      { message: /invoices_document_ordinal/ },
    );
    await runner.release();
  });
});
