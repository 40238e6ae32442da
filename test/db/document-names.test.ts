import test from 'ava';
import type { DataSource } from 'typeorm';
import { DocumentNames1764392000000 } from '../../db/migrations/1764392000000-document-names.js';
import { newUuid } from '../../db/ids.js';
import { storeInvoices, storeMembers, storing } from '../support/rows.js';
import { newPlace, reserve, withScratchDatabase } from './scratch.js';

const BILLING = { company: 'Acme', vat_number: null, order_reference: 'PO 7' };

const storeDocuments = storing<'invoice_documents'>('invoice_documents', () => ({
  kind: 'invoice',
  issued_at: new Date(),
  net_minor: 1,
  tax_minor: 0,
  total_minor: 1,
  terms: {} as never,
}));

/** Invoices of a member, a guest and a company with their documents, and a statement, from before names were stored. */
async function storeOld(scratch: DataSource): Promise<void> {
  const place = await newPlace(scratch);
  const { workspace_id } = place;
  await storeMembers(scratch, [
    { id: 'mem_ada', workspace_id, name: 'Ada', email: 'ada@example.com' },
    { id: 'mem_bob', workspace_id, name: 'Bob', email: 'bob@example.com' },
  ]);
  const [booking_id, company_id] = [await reserve(scratch, place), newUuid()];
  await scratch.query(`UPDATE bookings SET guest_name = 'Gus', guest_billing = $2 WHERE id = $1`, [
    booking_id,
    BILLING,
  ]);
  await storing('companies')(scratch, [{ id: company_id, workspace_id, name: 'Acme' }]);
  const payers = { ada: { member_id: 'mem_ada' }, gus: { booking_id }, acme: { company_id } };
  const invoices = Object.entries(payers).map(([id, payer], n) => ({
    id,
    workspace_id,
    number: n + 1,
    accounting_reference: id,
    ...payer,
  }));
  for (const invoice of invoices) await storeInvoices(scratch, [invoice]);
  await scratch.query(`ALTER TABLE invoice_documents DISABLE TRIGGER invoice_documents_name`);
  const described = (description: string) => [{ description }] as never;
  await storeDocuments(scratch, [
    { source_id: 'ada', invoice_id: 'ada', workspace_id, number: 'T-1', lines: described('Plan (mem_ada)') },
    { source_id: 'gus', invoice_id: 'gus', workspace_id, number: 'T-2', lines: described('Room') },
    {
      source_id: 'acme',
      invoice_id: 'acme',
      workspace_id,
      number: 'T-3',
      lines: described('Plan (mem_bob)'),
    },
  ]);
  await scratch.query(`ALTER TABLE invoice_documents ENABLE TRIGGER invoice_documents_name`);
  await scratch.query(`ALTER TABLE statements DISABLE TRIGGER statements_name`);
  await storing('statements', () => ({ content: {} as never }))(scratch, [
    { id: 'of_ada', workspace_id, number: 'T-S1', member_id: 'mem_ada' },
  ]);
  await storing('statements', () => ({ content: {} as never }))(scratch, [
    { id: 'of_acme', workspace_id, number: 'T-S2', company_id },
  ]);
  await scratch.query(`ALTER TABLE statements ENABLE TRIGGER statements_name`);
}

test('documents and statements from before names were stored get those of now, once', async (t) => {
  await withScratchDatabase(async (scratch) => {
    await storeOld(scratch);
    const runner = scratch.createQueryRunner();
    for (let run = 0; run < 2; run++) {
      await new DocumentNames1764392000000().up(runner);
      const named = await scratch.query(
        `SELECT source_id, payer, member_names FROM invoice_documents
         UNION ALL SELECT id, payer, NULL FROM statements ORDER BY source_id`,
      );
      t.deepEqual(named, [
        { source_id: 'acme', payer: null, member_names: { mem_bob: 'Bob' } },
        { source_id: 'ada', payer: { name: 'Ada', billing: null }, member_names: { mem_ada: 'Ada' } },
        { source_id: 'gus', payer: { name: 'Gus', billing: BILLING }, member_names: null },
        { source_id: 'of_acme', payer: null, member_names: null },
        { source_id: 'of_ada', payer: { name: 'Ada', billing: null }, member_names: null },
      ]);
      await scratch.query(`UPDATE members SET name = 'Eve'`);
    }
    await runner.release();
    await t.throwsAsync(scratch.query(`UPDATE invoice_documents SET payer = '{"name": "Eve"}'`), {
      message: /was issued/,
    });
    await t.throwsAsync(scratch.query(`UPDATE statements SET payer = '{"name": "Eve"}'`), {
      message: /was issued/,
    });
  });
});
