import test from 'ava';
import type { DataSource } from 'typeorm';
import { startDocumentAttempt } from '../../commands/accounting/documents.js';
import { completeAccountingUpdate } from '../../commands/accounting/pending-updates.js';
import { insertInvoice, lockInvoiceRow } from '../../commands/billing/invoices.js';
import { insertCompany } from '../../commands/members/companies.js';
import { newId } from '../../db/ids.js';
import { findAccountingInvoice } from '../../db/queries/accounting/invoice-view.js';
import { transaction } from '../../db/transaction.js';
import { newPlace, untilLocked, withScratchDatabase } from '../db/scratch.js';

/** Stores an open invoice, and returns its id and its workspace's. */
async function newInvoice(scratch: DataSource) {
  const { workspace_id } = await newPlace(scratch);
  const { id: company_id } = await insertCompany(scratch.manager, { workspace_id, name: 'Acme' });
  const id = newId('inv');
  const line = {
    description: 'Desk',
    quantity: 1,
    unit_amount_minor: 100,
    tax_code: 'ZERO',
    tax_rate_bps: 0,
  };
  await transaction(scratch, (tx) =>
    insertInvoice(tx, {
      id,
      workspace_id,
      kind: 'ad_hoc',
      currency: 'GBP',
      due_at: new Date(),
      company_id,
      member_id: null,
      created_at: new Date(),
      lines: [{ ...line, net_minor: 100, tax_minor: 0 }],
    }),
  );
  return { id, workspace_id };
}

test('a document is not begun for an invoice that is voided at that moment', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id } = await newInvoice(scratch);
    const document = { source_id: id, invoice_id: id, kind: 'invoice', number: 'HF-1' } as const;
    const voiding = scratch.createQueryRunner();
    await voiding.startTransaction();
    await lockInvoiceRow(voiding.manager, id);
    await voiding.query(`UPDATE invoices SET status = 'void' WHERE id = $1`, [id]);
    const starting = startDocumentAttempt(scratch.manager, document, 'open');
    await untilLocked(scratch);
    await voiding.commitTransaction();
    await voiding.release();
    t.is(await starting, null);
    t.deepEqual((await findAccountingInvoice(scratch.manager, id))!.known, []);
  });
});

test('a document that is begun again keeps its number', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id } = await newInvoice(scratch);
    const begin = (number: string) =>
      startDocumentAttempt(
        scratch.manager,
        { source_id: id, invoice_id: id, kind: 'invoice', number },
        'open',
      );
    t.deepEqual(await begin('HF-1'), { number: 'HF-1', attempts: 1 });
    t.deepEqual(await begin('HH-1'), { number: 'HF-1', attempts: 2 });
  });
});

test('an update is not completed for an invoice that has changed since it was read', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id, workspace_id } = await newInvoice(scratch);
    const pending = async () => (await findAccountingInvoice(scratch.manager, id))!;
    await scratch.query(`INSERT INTO accounting_due (invoice_id, workspace_id) VALUES ($1, $2)`, [
      id,
      workspace_id,
    ]);
    const before = await pending();
    await scratch.query(`UPDATE accounting_due SET version = version + 1`);
    await completeAccountingUpdate(scratch.manager, before);
    t.is((await pending()).due_version, before.due_version! + 1);
    await completeAccountingUpdate(scratch.manager, await pending());
    t.is((await pending()).due_version, null);
  });
});
