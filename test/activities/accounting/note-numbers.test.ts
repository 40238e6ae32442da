import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import type { DataSource } from 'typeorm';
import { createAccountReadActivities } from '../../../activities/processor/account-reads.js';
import { markInvoicePaid } from '../../../commands/invoices/lifecycle.js';
import { insertInvoice, lockInvoice } from '../../../commands/invoices/invoices.js';
import { followLedger } from '../../../commands/invoices/issue-documents.js';
import { addAccountRead } from '../../../commands/processor/account-reads.js';
import { recoverFrom } from '../../../commands/workspaces/recovery.js';
import { newId } from '../../../db/ids.js';
import { transaction } from '../../../db/transaction.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { storePayments } from '../../support/rows.js';

/**
 * What is in the books: invoices and supplements by number, credit notes, each with its total in minor units.
 */
interface Books {
  numbers?: { number: number; document: string; total_minor?: number }[];
  notes: { number: string; reference: string; total_minor: number; status?: string }[];
}

/** A paid invoice of 10.00, `S-1`, in a workspace with books. Its backup lacks what `refund` has issued. */
async function withPaidInvoice(
  work: (place: {
    scratch: DataSource;
    lose: () => Promise<unknown>;
    read: (books: Books) => Promise<unknown>;
    /** Returns the number of its credit note; undefined if the note of an earlier refund has its amount. */
    refund: (amount_minor: number) => Promise<string | undefined>;
  }) => Promise<void>,
): Promise<void> {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    await addAccountRead(scratch.manager, workspace_id, 'acct_1');
    await scratch.query(
      `INSERT INTO accounting_connections (workspace_id, status, tenant_id, organisation, access_token,
                                           refresh_token, access_expires_at, connected_at)
       VALUES ($1, 'active', gen_random_uuid(), 'Test', '', '', now(), now())`,
      [workspace_id],
    );
    const [invoice_id, paid] = [newId('inv'), newId('pay')];
    const zero = { tax_code: 'ZERO', tax_rate_bps: 0, tax_minor: 0 };
    await transaction(scratch, (tx) =>
      insertInvoice(tx, {
        id: invoice_id,
        workspace_id,
        kind: 'booking',
        currency: 'GBP',
        due_at: new Date(),
        created_at: new Date(),
        company_id: null,
        member_id: null,
        lines: [{ description: 'Room', quantity: 1, unit_amount_minor: 1_000, net_minor: 1_000, ...zero }],
      }),
    );
    const payment = { workspace_id, invoice_id, settled_at: new Date() };
    await storePayments(scratch, [{ ...payment, id: paid, kind: 'manual', amount_minor: 1_000 }]);
    await transaction(scratch, (tx) => markInvoicePaid(tx, invoice_id, new Date()));
    await work({
      scratch,
      lose: () =>
        recoverFrom(
          scratch.manager,
          { account_id: 'acct_1' },
          { at: new Date(), since: new Date(Date.now() - HOUR_MS), known_to: 'processor' },
        ),
      read({ numbers = [], notes }) {
        const { readAccount } = createAccountReadActivities({
          db: scratch,
          tellOperators: async () => undefined,
          processor: {
            listEvents: async () => ({ events: [], last: null }),
            listMovements: async () => ({ events: [], last: null }),
          },
          accounting: {
            listNumbers: async () => numbers,
            listCreditNotes: async (_: string, _from: string, page: number) => ({
              notes: notes.slice(page - 1, page).map((note) => ({ status: 'paid', ...note })),
              last: page >= notes.length,
            }),
          },
        } as never);
        return new MockActivityEnvironment().run(readAccount, 'acct_1');
      },
      async refund(amount_minor) {
        const id = newId('pay');
        const refund = { ...payment, id, kind: 'refund' as const, refund_of: paid, amount_minor };
        await storePayments(scratch, [refund]);
        return transaction(scratch, async (tx) => {
          await lockInvoice(tx, invoice_id);
          await followLedger(tx, invoice_id);
          const issued = await tx.query(`SELECT number FROM invoice_documents WHERE source_id = $1`, [id]);
          return issued[0]?.number;
        });
      },
    });
  });
}

const note = (number: string, total_minor: number) => ({ number, reference: 'Holdfast #1', total_minor });

test('after a restore, a credit note gets its lost number back, and a new one is numbered above those in the books', (t) =>
  withPaidInvoice(async ({ lose, read, refund }) => {
    t.is(await refund(70), 'S-1-C1');
    await lose();
    const notes = [note('S-1-C2', 300), note('S-1-C3', 200), { ...note('S-1-C4', 50), status: 'voided' }];
    t.like(await read({ notes: [note('S-1-C1', 70), ...notes] }), { kind: 'read' });
    const issued = [];
    for (const amount of [200, 50, 70, 300, 200]) issued.push(await refund(amount));
    t.deepEqual(issued, ['S-1-C3', 'S-1-C5', 'S-1-C6', 'S-1-C2', 'S-1-C7']);
  }));

test('no credit note gets a number before the numbers in the books are known', (t) =>
  withPaidInvoice(async ({ scratch, lose, read, refund }) => {
    const numbers = async (): Promise<string[]> =>
      (await scratch.query(`SELECT number FROM invoice_documents ORDER BY number`)).map(
        ({ number }: { number: string }) => number,
      );
    await lose();
    await t.throwsAsync(refund(100), { message: /^Payments are paused/ });
    t.deepEqual(await numbers(), ['S-1']);
    await read({ notes: [note('S-1-C1', 900)] });
    await refund(200);
    t.deepEqual(await numbers(), ['S-1', 'S-1-C2'], 'of both');
  }));

test('a number counts as used if the books have it under another number of the invoice, or with an edited reference', (t) =>
  withPaidInvoice(async ({ lose, read, refund }) => {
    await lose();
    await read({
      numbers: [{ number: 1, document: 'S-1-2' }],
      notes: [note('S-1-2-C1', 300), { ...note('S-1-C2', 100), reference: 'Holdfast #9 — Order 3' }],
    });
    const issued = [];
    for (const amount of [100, 300]) issued.push(await refund(amount));
    t.deepEqual(issued, ['S-1-C3', 'S-1-C1']);
  }));
