import test, { type ExecutionContext } from 'ava';
import type { ListedInvoice } from '../../activities/gateways/accounting.js';
import { findRepeatedSales } from '../../activities/accounting/repeated-sales.js';
import {
  newAccountingWorkspace,
  untilInAccounting,
  type AccountingWorkspace,
} from '../support/accounting.js';
import { internal } from '../support/api-client.js';
import { confirmedBooking, untilStatus } from '../support/bookings.js';
import { openAs, pageText } from '../support/dashboard.js';
import { processorLedger } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { temporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { countPending } from './accounting-calls.js';
import { losePublication } from './lost-publication.js';
import { reconcile } from './reconciliation-calls.js';

/*
 * A failover loses that a booking was published and paid, and its invoice, which the accounting system has.
 * The booking is published again, and invoiced under the next number.
 */

const isPaid = ({ Status }: { Status: string }): boolean => Status === 'PAID';

const allWritten = ({ id }: AccountingWorkspace) => until(async () => (await countPending(id)) === 0);

/**
 * A workspace whose accounting system has a booking's sale as TH-1 and TH-2, of which only TH-2 is stored
 * here.
 */
async function soldTwice(t: ExecutionContext) {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  await untilInAccounting(workspace, 'TH-1', isPaid);
  await allWritten(workspace);
  const { payment_intent } = (await processorLedger(workspace)).charges[0]!;
  await temporal.workflow.getHandle(booking.id).terminate('lost');
  for (const table of ['accounting_documents', 'invoice_documents', 'mails', 'payments'])
    await db.query(`DELETE FROM ${table} WHERE invoice_id = $1`, [booking.invoice_id]);
  await db.query(`UPDATE bookings SET status = 'pending_payment', confirmed_at = NULL WHERE id = $1`, [
    booking.id,
  ]);
  await losePublication(booking);
  // The books have the number.
  await db.query(
    `UPDATE invoice_counters SET last_number = 1, last_document_number = 1 WHERE workspace_id = $1`,
    [workspace.id],
  );
  t.is((await internal('verify_payment', { payment_intent_id: payment_intent })).status, 200);
  const { invoice_id } = await untilStatus(api, booking.id, 'confirmed');
  t.not(invoice_id, booking.invoice_id);
  await untilInAccounting(workspace, 'TH-2', isPaid);
  await allWritten(workspace);
  return { workspace, invoice_id };
}

test('a sale that is in the books twice is reported by the reconciliation with the document to void, and no other is', async (t) => {
  const { workspace, invoice_id } = await soldTwice(t);
  const [difference, ...others] = (await reconcile(workspace)).differences;
  t.deepEqual(others, []);
  t.like(difference, {
    kind: 'accounting_duplicate',
    invoice_id,
    ledger_minor: null,
    processor_minor: null,
    accounting_minor: 3_000,
  });
  t.regex(difference!.message, /the sale of TH-2 twice: also as TH-1 of £30\.00.* Void TH-1 there\.$/);
  const { session, home } = await openAs(workspace, { role: 'billing_contact' });
  t.regex(
    pageText(await session.getText(`${home}/reconciliation`)),
    /Duplicate sale in the accounting system/,
  );

  // Nothing is voided automatically.
  const [theirs, ours] = [
    await untilInAccounting(workspace, 'TH-1', isPaid),
    await untilInAccounting(workspace, 'TH-2', isPaid),
  ];
  const listed: ListedInvoice = {
    id: theirs.InvoiceID,
    number: 'TH-1',
    reference: 'Holdfast #1',
    contact_id: theirs.Contact!.ContactID,
    status: 'paid',
    currency: 'GBP',
    total_minor: 3_000,
    outstanding_minor: 0,
    credited_minor: 0,
    payments: [],
    descriptions: theirs.LineItems.map(({ Description }) => Description!),
  };
  const found = async (change: Partial<ListedInvoice>) =>
    (await findRepeatedSales(db.manager, workspace.id, [{ ...listed, ...change }])).length;
  t.is(await found({}), 1);
  t.is(await found({ reference: 'Holdfast #2' }), 1, 'its document number alone was lost');
  for (const other of [
    { status: 'voided' },
    { id: ours.InvoiceID },
    { reference: 'Order 1' },
    { reference: 'Holdfast #3' },
    { reference: 'Holdfast #2', number: 'TH-2-T1' },
    { contact_id: 'another' },
    { currency: 'EUR' },
    { total_minor: 3_001 },
    { descriptions: ['Another room'] },
    { descriptions: [...listed.descriptions, 'Coffee'] },
  ] as const)
    t.is(await found(other as Partial<ListedInvoice>), 0, JSON.stringify(other));
});
