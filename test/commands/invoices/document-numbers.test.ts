import test from 'ava';
import type { DataSource } from 'typeorm';
import { startDocumentAttempt } from '../../../commands/accounting/documents.js';
import { markInvoicePaid, voidInvoice } from '../../../commands/invoices/lifecycle.js';
import { continueNumbersAbove, restoreDocumentNumbers } from '../../../commands/invoices/numbers.js';
import { insertInvoice, type NewInvoice } from '../../../commands/invoices/invoices.js';
import { newId } from '../../../db/ids.js';
import { listIssuedDocuments, type IssuedDocument } from '../../../db/queries/invoices/issued-document.js';
import { transaction } from '../../../db/transaction.js';
import { newPlace, untilLocked, withScratchDatabase } from '../../support/scratch-database.js';

const LINE = {
  description: 'Blue room',
  quantity: 1,
  unit_amount_minor: 1_000,
  tax_code: 'ZERO',
  tax_rate_bps: 0,
  net_minor: 1_000,
  tax_minor: 0,
};

/** An open invoice of a workspace, like that of a hold unless it is `changed`; returns its id. */
async function newInvoice(
  scratch: DataSource,
  workspace_id: string,
  changed: Partial<NewInvoice> = {},
): Promise<string> {
  const id = newId('inv');
  const hold = { kind: 'booking' as const, company_id: null, member_id: null, lines: [LINE] };
  const at = new Date();
  await transaction(scratch, (tx) =>
    insertInvoice(tx, {
      id,
      workspace_id,
      currency: 'GBP',
      due_at: at,
      created_at: at,
      ...hold,
      ...changed,
    }),
  );
  return id;
}

const pay = (scratch: DataSource, id: string) =>
  transaction(scratch, (tx) => markInvoicePaid(tx, id, new Date()));

/** Starts sending an invoice to the books. Returns its number there. */
const send = async (scratch: DataSource, id: string) =>
  (await startDocumentAttempt(
    scratch.manager,
    { source_id: id, invoice_id: id, kind: 'invoice', number: null },
    'open',
  ))!.number;

const findDocumentNumber = async (scratch: DataSource, id: string): Promise<string | null> =>
  (await scratch.query(`SELECT document_number FROM invoices WHERE id = $1`, [id]))[0].document_number;

const ordinals = async (scratch: DataSource): Promise<number[]> =>
  (
    await scratch.query(
      `SELECT document_ordinal FROM invoices WHERE document_ordinal IS NOT NULL ORDER BY document_ordinal`,
    )
  ).map(({ document_ordinal }: { document_ordinal: number }) => document_ordinal);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

test('fifty invoices issued at the same time have fifty consecutive numbers, whatever holds lie in between', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const ids: string[] = [];
    for (let n = 0; n < 60; n++) ids.push(await newInvoice(scratch, workspace_id));
    const [paid, sent, held] = [ids.slice(0, 30), ids.slice(30, 40), ids.slice(50)];
    const issued = ids.slice(40, 50);
    for (const id of held) await transaction(scratch, (tx) => voidInvoice(tx, id, new Date()));
    await Promise.all([
      ...paid.map((id) => pay(scratch, id)),
      ...sent.map((id) => send(scratch, id)),
      ...issued.map(() => newInvoice(scratch, workspace_id, { on_account: true })),
    ]);
    t.deepEqual(await ordinals(scratch), upTo(50));
    for (const id of [...paid, ...sent]) t.regex((await findDocumentNumber(scratch, id))!, /^S-\d+$/);
    for (const id of held) t.is(await findDocumentNumber(scratch, id), null);
    const documents = await scratch.query(
      `SELECT d.number = i.document_number AS same FROM invoice_documents d
        JOIN invoices i ON i.id = d.source_id`,
    );
    t.is(documents.length, 40);
    t.true(documents.every(({ same }: { same: boolean }) => same));
  });
});

test('an invoice that the books get while it is paid has one number, and no number is skipped', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const [first, second, third] = [
      await newInvoice(scratch, workspace_id),
      await newInvoice(scratch, workspace_id),
      await newInvoice(scratch, workspace_id),
    ];
    const sending = scratch.createQueryRunner();
    await sending.startTransaction();
    await startDocumentAttempt(
      sending.manager,
      { source_id: first!, invoice_id: first!, kind: 'invoice', number: null },
      'open',
    );
    const paying = pay(scratch, first!);
    await untilLocked(scratch);
    await sending.commitTransaction();
    await paying;
    t.is(await findDocumentNumber(scratch, first!), 'S-1');

    await sending.startTransaction();
    await markInvoicePaid(sending.manager, second!, new Date());
    const late = startDocumentAttempt(
      scratch.manager,
      { source_id: second!, invoice_id: second!, kind: 'invoice', number: null },
      'open',
    );
    await untilLocked(scratch);
    await sending.commitTransaction();
    await sending.release();
    t.is(await late, null, 'it is planned again');
    await pay(scratch, third!);
    t.deepEqual(
      [await findDocumentNumber(scratch, second!), await findDocumentNumber(scratch, third!)],
      ['S-2', 'S-3'],
    );
  });
});

test('a number is rolled back with its transaction, is used once, and has the prefix of its time', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const [hold, other, free] = [
      await newInvoice(scratch, workspace_id),
      await newInvoice(scratch, workspace_id),
      await newInvoice(scratch, workspace_id, { lines: [{ ...LINE, unit_amount_minor: 0, net_minor: 0 }] }),
    ];
    await t.throwsAsync(
      transaction(scratch, async (tx) => {
        await markInvoicePaid(tx, hold!, new Date());
        throw new Error('rolled back');
      }),
    );
    t.is(await send(scratch, hold!), 'S-1');
    t.is(await send(scratch, hold!), 'S-1', 'the next attempt');
    await scratch.query(`UPDATE workspaces SET invoice_prefix = 'Q7'`);
    await pay(scratch, free!);
    t.is(await findDocumentNumber(scratch, free!), null);
    await pay(scratch, other!);
    await pay(scratch, hold!);
    t.deepEqual(
      [await findDocumentNumber(scratch, hold!), await findDocumentNumber(scratch, other!)],
      ['S-1', 'Q7-2'],
    );
    const [{ accounting_reference }] = await scratch.query(
      `SELECT accounting_reference FROM invoices WHERE id = $1`,
      [other],
    );
    t.is(accounting_reference, 'Holdfast #2');
  });
});

test('issued documents and void numbers are paginated, each listed once, by time', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    for (let n = 0; n < 6; n++) {
      const id = await newInvoice(scratch, workspace_id);
      if (n % 2 === 0) await pay(scratch, id);
      else {
        await send(scratch, id);
        await transaction(scratch, (tx) => voidInvoice(tx, id, new Date()));
      }
    }
    const unsent = await newInvoice(scratch, workspace_id);
    await transaction(scratch, (tx) => voidInvoice(tx, unsent, new Date()));
    for (const number of [undefined, '#3']) {
      const listed: IssuedDocument[] = [];
      for (;;) {
        const page = { after: listed.at(-1), limit: 2 };
        const filter = { workspace_id, number };
        const found = await listIssuedDocuments(scratch.manager, filter, { from: new Date(0) }, page);
        listed.push(...found);
        if (found.length === 0) break;
      }
      t.deepEqual(
        listed.map((document) => [document.number, document.unissued]),
        [
          ['S-6', 'voided'],
          ['S-5', null],
          ['S-4', 'voided'],
          ['S-3', null],
          ['S-2', 'voided'],
          ['S-1', null],
        ].filter(([of]) => !number || of === 'S-3'),
      );
    }
  });
});

test('after a restore, an invoice gets the number back that the books or a charge have for it, and others continue above', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const create = () => newInvoice(scratch, workspace_id);
    const [first, second, third] = [await create(), await create(), await create()];
    const backup = new Date(Date.now() + 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const later = await create();
    // The books have the first as the second document, and a charge has the second as the third; #4 was
    // another invoice.
    const seen = [
      { number: 1, document: 'S-2' },
      { number: 1, document: 'S-2-T1' },
      { number: 4, document: 'S-4' },
      { number: 3, document: 'S-1-2' },
      { id: second!, number: 3, document: 'S-3' },
    ];
    await transaction(scratch, (tx) => continueNumbersAbove(tx, workspace_id, seen, 'accounting'));
    for (let n = 0; n < 2; n++)
      await transaction(scratch, (tx) => restoreDocumentNumbers(tx, workspace_id, seen, backup));
    t.deepEqual(
      [
        await findDocumentNumber(scratch, first!),
        await findDocumentNumber(scratch, second!),
        await findDocumentNumber(scratch, third!),
      ],
      ['S-2', 'S-3', null],
    );
    t.is(
      await findDocumentNumber(scratch, later),
      null,
      'its reference may be that of another invoice, which is lost',
    );
    for (const id of [later, third!, first!]) await pay(scratch, id);
    t.deepEqual(
      [
        await findDocumentNumber(scratch, later),
        await findDocumentNumber(scratch, third!),
        await findDocumentNumber(scratch, first!),
      ],
      ['S-5', 'S-6', 'S-2'],
    );
    t.deepEqual(await scratch.query(`SELECT first_number, last_number FROM document_number_gaps`), [
      { first_number: 1, last_number: 4 },
    ]);
  });
});
