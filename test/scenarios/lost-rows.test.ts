import Stripe from 'stripe';
import test from 'ava';
import { newId } from '../../db/ids.js';
import { starts } from '../../contract/starts.js';
import { WORKFLOWS } from '../../contract/names.js';
import { confirmedBooking, hoursLater, pendingBooking } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { newInvoice, newPayer, successfulCharges } from '../support/payers.js';
import {
  db,
  dev,
  internal,
  newWorkspace,
  pay,
  processorLedger,
  type TestWorkspace,
  until,
  withFaults,
} from '../support/stack.js';
import { temporal } from '../support/temporal.js';

/*
 * Rows are lost, as by a restored backup, and the service does again what it has done: the processor has done it once.
 */

const statusOf = async ({ api }: TestWorkspace, invoiceId: string) =>
  (await api.get(`/v1/invoices/${invoiceId}`)).body.status;

/** Loses that an invoice was paid, by whatever attempt. */
async function losePayment(invoiceId: string): Promise<void> {
  await db.query(`UPDATE invoices SET status = 'open', paid_at = NULL WHERE id = $1`, [invoiceId]);
  await db.query(`DELETE FROM payments WHERE invoice_id = $1`, [invoiceId]);
  await db.query(`DELETE FROM checkouts WHERE invoice_id = $1`, [invoiceId]);
}

/** Loses the refunds of a payment. */
async function loseRefunds(paymentId: string): Promise<void> {
  await db.query(`DELETE FROM payments WHERE refund_of = $1`, [paymentId]);
  await db.query(`UPDATE payments SET refunded_minor = 0, status = 'succeeded' WHERE id = $1`, [paymentId]);
}

test('a charge of an invoice whose row is lost is found by the next one, and settled', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, '4242424242424242');
  const { id } = await newInvoice(workspace, payer.id, -1);
  await until(async () => (await statusOf(workspace, id)) === 'paid');
  await losePayment(id);
  await db.query(`UPDATE collections SET status = 'scheduled', notify_at = now() WHERE invoice_id = $1`, [
    id,
  ]);
  await until(async () => (await statusOf(workspace, id)) === 'paid');
  t.is((await successfulCharges(workspace)).length, 1);
  await sweep(t, workspace);
});

test('a page of an invoice that was paid is found by the next one, and settled', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace);
  const { id } = await newInvoice(workspace, payer.id, 10);
  const { body: page } = await workspace.api.post(`/v1/invoices/${id}/checkout`);
  await pay(page);
  await until(async () => (await statusOf(workspace, id)) === 'paid');
  await losePayment(id);
  const { body: again } = await workspace.api.post(`/v1/invoices/${id}/checkout`);
  // The link leads to the page that follows a payment, which has it settled.
  await fetch(again.checkout_url);
  await until(async () => (await statusOf(workspace, id)) === 'paid');
  t.is((await processorLedger(workspace)).charges.length, 1);
  await sweep(t, workspace);
});

test('a refund whose row is lost is found by the next one', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=charge`);
  const paymentId: string = body.data[0]!.id;
  const refund = async () => {
    const { body: made } = await api.post(`/v1/payments/${paymentId}/refund`, { amount_minor: 1_000 });
    await until(async () => (await api.get(`/v1/payments/${made.refund.id}`)).body.status === 'succeeded');
  };
  await refund();
  await loseRefunds(paymentId);
  await refund();
  t.is((await processorLedger(workspace)).refunds.length, 1);
  await refund();
  t.is((await processorLedger(workspace)).refunds.length, 2);
  await sweep(t, workspace);
});

/** Loses what was decided last about a booking, with its refund, and has that refund read from the processor again. */
async function loseDecision(workspace: TestWorkspace, booking: { id: string; payment_intent_id: string }) {
  await db.query(`DELETE FROM booking_changes WHERE booking_id = $1`, [booking.id]);
  await db.query(`DELETE FROM events WHERE object_id = $1 AND type = 'booking.cancelled'`, [booking.id]);
  const [{ id }] = await db.query(`SELECT id FROM payments WHERE booking_id = $1 AND kind = 'charge'`, [
    booking.id,
  ]);
  await loseRefunds(id);
  await db.query(
    `UPDATE invoices SET status = 'paid' WHERE id = (SELECT invoice_id FROM payments WHERE id = $1)`,
    [id],
  );
  const start = starts('holdfast').adoptRefunds(booking.payment_intent_id, workspace.id, 'again');
  await (await temporal.workflow.start(WORKFLOWS.adoptRefunds, start)).result();
  await until(async () => {
    const rows = await db.query(`SELECT FROM payments WHERE refund_of = $1 AND status = 'succeeded'`, [id]);
    return rows.length === 1;
  });
}

const HALF = { refund_steps: [{ hours_before: 0, percent: 50 }] };

test('a cancellation that is lost and made again refunds nothing twice', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { room: HALF });
  const cancel = () => api.post(`/v1/bookings/${booking.id}/cancel`);
  const first = await cancel();
  t.is(first.body.refund!.amount_minor, 1_500);
  await until(async () => (await processorLedger(workspace)).refunds.length === 1);
  await db.query(
    `INSERT INTO slot_claims (booking_id, room_id, during) SELECT id, room_id, occupies FROM bookings WHERE id = $1`,
    [booking.id],
  );
  await db.query(`UPDATE bookings SET status = 'confirmed', cancelled_at = NULL WHERE id = $1`, [booking.id]);
  await loseDecision(workspace, { ...booking, payment_intent_id: booking.processor_payment_intent_id! });
  const again = await cancel();
  t.is(again.status, 200);
  t.is(again.body.refund!.amount_minor, 1_500, 'the refund of before is the refund of this one');
  await until(async () => (await api.get(`/v1/bookings/${booking.id}`)).body.status === 'cancelled');
  t.is((await processorLedger(workspace)).refunds.length, 1);
  await sweep(t, workspace);
});

test('a cheaper change that is lost and made again refunds nothing twice, and the next one does', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { hours: 4 });
  const shorten = (hours: number) =>
    api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.start_at, hours) });
  t.is((await shorten(3)).status, 200);
  await until(async () => (await processorLedger(workspace)).refunds.length === 1);
  const before = [booking.id, booking.end_at];
  await db.query(
    `INSERT INTO slot_claims (booking_id, room_id, during)
     SELECT id, room_id, tstzrange(start_at, $2) FROM bookings WHERE id = $1`,
    before,
  );
  await db.query(
    `UPDATE bookings SET end_at = $2, occupies = tstzrange(start_at, $2), price_minor = 12000, net_minor = 10000, tax_minor = 2000
     WHERE id = $1`,
    before,
  );
  await db.query(`DELETE FROM slot_claims WHERE booking_id = $1 AND upper(during) <> $2`, before);
  await loseDecision(workspace, { ...booking, payment_intent_id: booking.processor_payment_intent_id! });
  t.is((await shorten(3)).status, 200);
  t.is((await processorLedger(workspace)).refunds.length, 1);
  t.is((await shorten(2)).status, 200);
  await until(async () => (await processorLedger(workspace)).refunds.length === 2);
  await sweep(t, workspace);
});

/** What the processor has taken by a card on file without a checkout here, as if its row was lost. */
async function takeMoney(workspace: TestWorkspace, metadata: Record<string, string>): Promise<string> {
  const payer = await newPayer(workspace, '4242424242424242');
  const [card] = await db.query(
    `SELECT customer_id, payment_method_id FROM cards WHERE company_id = (
    SELECT id FROM companies WHERE workspace_id = $1 AND billing_email = $2)`,
    [workspace.id, payer.email],
  );
  const { hostname, port } = new URL(dev.processorUrl!);
  const stripe = new Stripe('sk_test_holdfast', { host: hostname, port, protocol: 'http' });
  const { id } = await stripe.paymentIntents.create(
    {
      amount: 10_000,
      currency: 'gbp',
      customer: card.customer_id,
      payment_method: card.payment_method_id,
      off_session: true,
      confirm: true,
      metadata,
    },
    { stripeAccount: workspace.accountId! },
  );
  return id;
}

const refusedPayment = (intent: string) =>
  until(async () => {
    const [row] = await db.query(
      `SELECT booking_id, invoice_id, refusal, status FROM payments WHERE processor_payment_intent_id = $1 AND kind <> 'refund'`,
      [intent],
    );
    return row?.status === 'refunded' && row;
  });

test('money of a booking that is lost goes back in full', async (t) => {
  const workspace = await newWorkspace();
  const booking_id = newId('bk');
  const intent = await takeMoney(workspace, { booking_id, purpose: 'checkout', ordinal: '1' });
  t.like(await refusedPayment(intent), {
    booking_id: null,
    invoice_id: null,
    refusal: { code: 'payment_too_late', booking_id },
  });
  const lost = `SELECT FROM account_reads WHERE account_id = $1 AND lost_from < now() AND lost_until IS NOT NULL`;
  t.is((await db.query(lost, [workspace.accountId])).length, 1, 'more may be lost');
  await sweep(t, workspace);
});

test('where rows are lost, verify_payment finds money that no checkout stands for', async (t) => {
  const workspace = await newWorkspace();
  const booking_id = newId('bk');
  const faults = { drop_webhooks: ['charge.succeeded'] };
  const payment_intent_id = await withFaults(workspace, faults, () => takeMoney(workspace, { booking_id }));
  const verify = () => internal('verify_payment', { payment_intent_id });
  t.is((await verify()).body.error.code, 'payment_not_found');
  await db.query(
    `UPDATE account_reads SET lost_from = now() - interval '1 hour', lost_until = now() WHERE account_id = $1`,
    [workspace.accountId],
  );
  const { error } = (await verify()).body;
  t.like(error, { code: 'payment_too_late', details: { booking_id } });
  t.like(await refusedPayment(payment_intent_id), { booking_id: null });
  await sweep(t, workspace);
});

test('money of a change that is lost goes back in full, and the booking stays as it is', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const intent = await takeMoney(workspace, { booking_id: booking.id, change_id: newId('chg') });
  t.like(await refusedPayment(intent), { booking_id: booking.id, invoice_id: booking.invoice_id });
  t.like((await workspace.api.get(`/v1/bookings/${booking.id}`)).body, {
    status: 'confirmed',
    price: booking.price,
  });
  await sweep(t, workspace);
});

test('money of an invoice whose attempt is lost pays it; of an invoice that is lost it goes back', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace);
  const { id: invoice_id } = await newInvoice(workspace, payer.id, 10);
  const facts = { purpose: 'checkout', ordinal: '1' };
  // Another page of it is open.
  await workspace.api.post(`/v1/invoices/${invoice_id}/checkout`);
  await takeMoney(workspace, { ...facts, ordinal: '2', invoice_id, checkout_id: newId('chk') });
  await until(async () => (await statusOf(workspace, invoice_id)) === 'paid');
  const intent = await takeMoney(workspace, {
    ...facts,
    invoice_id: newId('inv'),
    checkout_id: newId('chk'),
  });
  t.like(await refusedPayment(intent), { invoice_id: null, refusal: { booking_id: null } });
  await sweep(t, workspace);
});

test("money that is not ours, or names another workspace's invoice, stays as it is", async (t) => {
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  const payer = await newPayer(other);
  const { id: invoice_id } = await newInvoice(other, payer.id, 10);
  const intents = [
    await takeMoney(workspace, { order: '17' }),
    await takeMoney(workspace, { invoice_id, purpose: 'charge', ordinal: '1' }),
  ];
  await until(async () => {
    const rows = await db.query(
      `SELECT FROM processor_events WHERE account_id = $1 AND type = 'charge.succeeded' AND handled_at IS NOT NULL`,
      [workspace.accountId],
    );
    return rows.length === 2;
  });
  const known = await db.query(`SELECT FROM payments WHERE processor_payment_intent_id = ANY ($1)`, [
    intents,
  ]);
  t.is(known.length, 0);
  t.is((await processorLedger(workspace)).refunds.length, 0);
  t.is(await statusOf(other, invoice_id), 'open');
});

test('an invoice that is paid otherwise is not charged any more: an attempt that was stored ends', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, '4242424242424242');
  const { id } = await newInvoice(workspace, payer.id, 10);
  const stateOf = async () =>
    (await db.query(`SELECT state FROM checkouts WHERE invoice_id = $1`, [id]))[0]?.state;
  await db.query(`UPDATE invoices SET status = 'void', voided_at = now() WHERE id = $1`, [id]);
  await db.query(
    `INSERT INTO checkouts (id, workspace_id, invoice_id, ordinal, account_id, currency, amount_minor, description,
                            session_expires_at, customer_id, payment_method_id)
     SELECT $2, $3, $1, 1, account_id, 'GBP', 10000, 'Invoice', now() + interval '1 day', customer_id, payment_method_id
     FROM cards WHERE workspace_id = $3`,
    [id, newId('chk'), workspace.id],
  );
  await db.query(`UPDATE collections SET notify_at = now() WHERE invoice_id = $1`, [id]);
  await until(async () => (await stateOf()) === 'closed');
  t.is((await successfulCharges(workspace)).length, 0);
  await sweep(t, workspace);
});

test('a booking that was paid is confirmed, although it is lost that it was published', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await temporal.workflow.getHandle(booking.id).terminate('lost');
  for (const table of ['invoice_lines', 'accounting_due'])
    await db.query(`DELETE FROM ${table} WHERE invoice_id = $1`, [booking.invoice_id]);
  await db.query(
    `UPDATE bookings SET published_at = NULL, invoice_id = NULL, checkout_url = NULL, expires_at = NULL WHERE id = $1`,
    [booking.id],
  );
  for (const statement of [
    `DELETE FROM mails WHERE booking_id = $1`,
    `DELETE FROM events WHERE object_id = $1`,
    `DELETE FROM invoices WHERE booking_id = $1`,
    `UPDATE checkouts SET state = 'opening', session_id = NULL WHERE booking_id = $1`,
  ])
    await db.query(statement, [booking.id]);
  await db.query(`UPDATE invoice_counters SET last_number = 0 WHERE workspace_id = $1`, [workspace.id]);
  await pay(booking);
  const confirmed = await until(async () => {
    const { status, body } = await workspace.api.get(`/v1/bookings/${booking.id}`);
    return status === 200 && body.status === 'confirmed' && body;
  });
  t.is((await workspace.api.get(`/v1/invoices/${confirmed.invoice_id}`)).body.status, 'paid');
  t.deepEqual((await processorLedger(workspace)).refunds, []);
});
