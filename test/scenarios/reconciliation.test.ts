import test from 'ava';
import Stripe from 'stripe';
import { newId } from '../../db/ids.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
} from '../support/accounting.js';
import { bookingBody, confirmedBooking, hoursLater, pay } from '../support/bookings.js';
import { accountingSimulator, processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { newInvoice, newPayer, PENDING } from '../support/payers.js';
import { storePayments } from '../support/rows.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { reconcile } from './reconciliation-calls.js';

const untilUpToDate = (workspaceId: string) =>
  until(async () => {
    const pending = await db.query(`SELECT FROM accounting_due WHERE workspace_id = $1`, [workspaceId]);
    return pending.length === 0;
  });

test('there are no differences after bookings, a top-up, refunds and manual payments', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, 1) });
  const { booking: refunded } = await confirmedBooking(api);
  await api.post(`/v1/bookings/${refunded.id}/cancel`, { refund_policy: 'full' });
  const invoice = await openInvoice(workspace);
  await api.post(`/v1/invoices/${invoice.id}/mark-paid`, { amount_minor: 12_000, method: 'cash' });
  const waiting = await openInvoice(workspace);
  await until(async () => {
    const { body } = await api.get(`/v1/invoices/${refunded.invoice_id}`);
    return body.status === 'refunded';
  });
  await untilUpToDate(workspace.id);
  const report = await reconcile(workspace);
  t.deepEqual(report.differences, []);
  t.is(report.invoices_examined, 4);
  // 30.00 + 30.00 by card, 30.00 - 30.00 refunded, 120.00 in cash; the last invoice is open
  t.deepEqual(report.totals, { ledger: 18_000, processor: 6_000, accounting: 18_000 });
  t.is((await api.get(`/v1/invoices/${waiting.id}`)).body.status, 'open');
});

test('a refund without a webhook is settled, and a payment that matches nothing is reported', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const intent = booking.processor_payment_intent_id;
  const { charges } = await processorLedger(workspace);
  const { customer, payment_method } = charges.filter((charge) => charge.payment_intent === intent)[0]!;
  const { hostname, port } = new URL(dev.processorUrl!);
  const stripe = new Stripe('sk_test_holdfast', { host: hostname, port, protocol: 'http' });
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    await simulator('POST', `/_sim/payment_intents/${intent}/refund`, { amount: 1_000 });
    const charge = (amount: number, metadata: Record<string, string>) =>
      stripe.paymentIntents.create(
        {
          amount,
          currency: 'gbp',
          customer: customer!,
          payment_method,
          confirm: true,
          off_session: true,
          metadata,
        },
        { stripeAccount: workspace.accountId! },
      );
    await charge(500, { booking_id: booking.id });
    // The operator's other business on the same account is not compared.
    await charge(700, { order: '17' });
  });
  const { differences, totals } = await reconcile(workspace);
  t.deepEqual(
    differences.map(({ kind, invoice_id, ledger_minor, processor_minor }) => [
      kind,
      invoice_id,
      ledger_minor,
      processor_minor,
    ]),
    [['ledger_missing', null, null, 500]],
  );
  t.deepEqual(totals, { ledger: 2_000, processor: 2_500, accounting: 0 });
});

test('everything that moved in the period is compared, whenever its invoice was made, and our own side is settled', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const intent = booking.processor_payment_intent_id;
  // The invoice and its payment are from last month; the money was refunded and disputed today.
  for (const table of ['invoices', 'payments'])
    await db.query(
      `UPDATE ${table} SET created_at = created_at - interval '35 days',
        paid_at = paid_at - interval '35 days'
       WHERE booking_id = $1`,
      [booking.id],
    );
  t.is((await reconcile(workspace)).invoices_examined, 1, 'the charge is of today at the processor');
  const { body: unpaid } = await workspace.api.post('/v1/bookings', bookingBody(booking.room.id));
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    await simulator('POST', `/_sim/payment_intents/${intent}/refund`, { amount: 1_000 });
    await pay(unpaid);
    await db.query(`UPDATE checkouts SET state = 'closed' WHERE booking_id = $1`, [unpaid.id]);
    const { differences, totals, invoices_examined } = await reconcile(workspace);
    t.deepEqual(differences, []);
    t.is(invoices_examined, 2);
    // 30.00 less 10.00 refunded, and 30.00.
    t.deepEqual(totals, { ledger: 5_000, processor: 5_000, accounting: 0 });
    t.is((await workspace.api.get(`/v1/bookings/${unpaid.id}`)).body.status, 'confirmed');
  });
});

test('an unknown payment at the processor and a paid invoice without its total are reported, and the unknown charge is late and refunded', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  await db.query(
    `UPDATE payments SET processor_payment_intent_id = 'pi_nowhere' || id, amount_minor = 2000
      WHERE booking_id = $1`,
    [booking.id],
  );
  const { differences } = await reconcile(workspace);
  t.deepEqual(
    differences.map(({ kind }) => kind),
    ['processor_missing', 'ledger_amount'],
  );
  await until(async () => (await processorLedger(workspace)).refunds[0]?.amount === 3_000);
});

test("a bookkeeper's changes are reported with an explanation", async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  const { InvoiceID } = await untilInAccounting(workspace, 'TH-1');
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, { Status: 'PAID' });
  const { differences } = await reconcile(workspace);
  t.like(differences[0], {
    kind: 'accounting_amount',
    invoice_id: invoice.id,
    ledger_minor: 0,
    accounting_minor: 12_000,
  });
  t.regex(differences[0]!.message, /Record the payment here/);
});

test('an accounting system that cannot be read is reported', async (t) => {
  const workspace = await newAccountingWorkspace();
  await openInvoice(workspace);
  await syncAccounting(workspace);
  t.deepEqual((await reconcile(workspace)).differences, []);
  await accountingSimulator('POST', `/_sim/organisations/${workspace.tenant}/disconnect`, {});
  const { differences } = await reconcile(workspace);
  t.is(differences.length, 1);
  t.like(differences[0], { kind: 'accounting_missing', invoice_id: null });
  t.regex(differences[0]!.message, /could not be read/);
});

test('credit notes are read by page, not one by one', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(workspace);
  await withAccountingFaults(workspace, { minute_limit: 1_000 }, async () => {
    const { body } = await api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
      amount_minor: 12_000,
      method: 'cash',
    });
    for (let i = 0; i < 12; i++)
      await api.post(`/v1/payments/${body.payment.id}/refund`, { amount_minor: 100 });
    await untilUpToDate(workspace.id);
    t.deepEqual((await reconcile(workspace)).differences, []);
  });
  const { credit_notes, requests } = await accountingLedger(workspace);
  t.is(credit_notes!.length, 12);
  // Both at the same time, then the invoices of the period.
  const last = requests!.slice(-3).map(({ method, path }) => `${method} ${path.split('/').at(-1)}`);
  t.deepEqual(last.toSorted(), ['GET CreditNotes', 'GET Invoices', 'GET Invoices']);
});

test('a charge that the ledger has as failed and the processor has made is settled, or reported', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, PENDING);
  const [paid, other] = await Promise.all([1, 2].map(() => refusedCharge(workspace, payer.id)));
  // It is not the invoiced amount, so nothing settles it.
  await db.query(`UPDATE checkouts SET amount_minor = 9999 WHERE invoice_id = $1`, [other!.invoice_id]);
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    for (const { intent } of [paid!, other!])
      await simulator('POST', `/_sim/payment_intents/${intent}/settle`, {});
  });
  const { differences, totals } = await reconcile(workspace);
  t.is((await workspace.api.get(`/v1/invoices/${paid!.invoice_id}`)).body.status, 'paid');
  t.is(differences.length, 1, JSON.stringify(differences));
  t.like(differences[0], {
    kind: 'ledger_missing',
    invoice_id: other!.invoice_id,
    ledger_minor: 0,
    processor_minor: 10_000,
  });
  t.regex(differences[0]!.message, new RegExp(`${other!.payment_id} .*failed`));
  t.deepEqual(totals, { ledger: 10_000, processor: 20_000, accounting: 0 });
});

/** An invoice whose charge is in progress at the processor, but recorded as refused. */
async function refusedCharge(workspace: TestWorkspace, companyId: string) {
  const { id: invoice_id } = await newInvoice(workspace, companyId, 0);
  const { account_id } = await until(async () => {
    const [charge] = await db.query(`SELECT account_id, state FROM checkouts WHERE invoice_id = $1`, [
      invoice_id,
    ]);
    return charge?.state === 'processing' && charge;
  });
  const { payment_intents } = await processorLedger(workspace);
  const { id: intent } = payment_intents.find(({ metadata }) => metadata.invoice_id === invoice_id)!;
  const [payment_id, workspace_id] = [newId('pay'), workspace.id];
  const failed = { status: 'failed', amount_minor: 10_000, processor_payment_intent_id: intent } as const;
  await storePayments(db, [{ id: payment_id, workspace_id, invoice_id, account_id, ...failed }]);
  await db.query(`UPDATE checkouts SET state = 'closed' WHERE invoice_id = $1`, [invoice_id]);
  return { invoice_id, payment_id, intent };
}
