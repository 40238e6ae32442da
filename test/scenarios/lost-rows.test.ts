import test from 'ava';
import { createCardSetupActivities } from '../../activities/payments/card-setups.js';
import type { Processor } from '../../activities/gateways/processor.js';
import { storeCheckouts, storeClaims, timeRange } from '../support/rows.js';
import { starts } from '../../contract/starts.js';
import { WORKFLOWS } from '../../contract/names.js';
import { internal } from '../support/api-client.js';
import type { Booking } from '../support/api-bodies.js';
import {
  bookingBody,
  confirmedBooking,
  createBooking,
  listEvents,
  hoursLater,
  pay,
  pendingBooking,
  checkoutSessionId,
  untilStatus,
} from '../support/bookings.js';
import { processorLedger, withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { losePublication } from './lost-publication.js';
import { line } from '../support/invoice-calls.js';
import { newInvoice, newPayer, successfulCharges } from '../support/payers.js';
import { temporal } from '../support/temporal.js';

/*
 * Rows are lost, as by a restored backup, and the service repeats what it has done: at the processor it is
 * done once.
 */

const readStatus = async ({ api }: TestWorkspace, invoiceId: string) =>
  (await api.get(`/v1/invoices/${invoiceId}`)).body.status;

/** Loses the payment of an invoice, by whatever attempt. */
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

test('a charge for an invoice whose row is lost is found by the next charge, and settled', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, '4242424242424242');
  const { id } = await newInvoice(workspace, payer.id, -1);
  await until(async () => (await readStatus(workspace, id)) === 'paid');
  await losePayment(id);
  await db.query(`UPDATE collections SET status = 'scheduled', notify_at = now() WHERE invoice_id = $1`, [
    id,
  ]);
  await until(async () => (await readStatus(workspace, id)) === 'paid');
  t.is((await successfulCharges(workspace)).length, 1);
  await sweep(t, workspace);
});

test('an adjustment that is lost while its request waits is a 503', async (t) => {
  const workspace = await newWorkspace();
  const { id } = await newInvoice(workspace, (await newPayer(workspace)).id, 10);
  const { total_minor } = (await workspace.api.get(`/v1/invoices/${id}`)).body;
  const received = { amount_minor: total_minor, method: 'bank_transfer' };
  t.is((await workspace.api.post(`/v1/invoices/${id}/mark-paid`, received)).status, 200);
  const adjust = () =>
    workspace.api.post(
      `/v1/invoices/${id}/adjustments`,
      { lines: [line({ unit_amount_minor: 1_000 })], reason: 'Late key' },
      { 'idempotency-key': 'late key' },
    );
  const { body: made } = await adjust();
  await db.query(`DELETE FROM adjustments WHERE id = $1`, [made.adjustment.id]);
  // A repeat reads what the request had stored, as does the request itself after waiting.
  t.like(await adjust(), { status: 503, body: { error: { code: 'service_unavailable' } } });
});

test('a paid invoice page whose row is lost is found by the next one, and settled', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace);
  const { id } = await newInvoice(workspace, payer.id, 10);
  const { body: page } = await workspace.api.post(`/v1/invoices/${id}/checkout`);
  // A later webhook would bring the payment back, and there would be no next page.
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    await pay(page);
    await fetch(`${dev.baseUrl}/checkout/success?session_id=${checkoutSessionId(page)}`);
    await until(async () => (await readStatus(workspace, id)) === 'paid');
  });
  await losePayment(id);
  const { body: again } = await workspace.api.post(`/v1/invoices/${id}/checkout`);
  // The link leads to the page shown after a payment, which settles it.
  await fetch(again.checkout_url);
  await until(async () => (await readStatus(workspace, id)) === 'paid');
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
  // A later webhook would bring the row back, and the next refund would be a second one.
  await withFaults(workspace, { drop_webhooks: ['all'] }, refund);
  await loseRefunds(paymentId);
  await refund();
  t.is((await processorLedger(workspace)).refunds.length, 1);
  await refund();
  t.is((await processorLedger(workspace)).refunds.length, 2);
  await sweep(t, workspace);
});

/** Makes the refunds of a booking's payment be read from the processor again. */
async function readRefunds({ id }: TestWorkspace, { processor_payment_intent_id: intent }: Booking) {
  const start = starts('holdfast').adoptRefunds(intent!, id, 'again');
  await (await temporal.workflow.start(WORKFLOWS.adoptRefunds, start)).result();
}

test('a refund that is lost with its key, and read from the processor, is returned to a retry with the key', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=charge`);
  const paymentId: string = body.data[0]!.id;
  const refund = async (key: string, amount_minor = 1_000, reason = 'duplicate') => {
    const path = `/v1/payments/${paymentId}/refund` as const;
    const made = await api.post(path, { amount_minor, reason }, { 'Idempotency-Key': key });
    if (made.status === 200)
      await until(
        async () => (await api.get(`/v1/payments/${made.body.refund.id}`)).body.status === 'succeeded',
      );
    return made;
  };
  const first = await refund('first');
  await loseRefunds(paymentId);
  await db.query(`DELETE FROM idempotency_keys WHERE workspace_id = $1`, [workspace.id]);
  await readRefunds(workspace, booking);
  await until(async () => (await api.get(`/v1/payments/${paymentId}`)).body.status === 'partially_refunded');

  const { refunds: atProcessor } = await processorLedger(workspace);
  t.false(JSON.stringify(atProcessor).includes('first'), 'the key itself stays here');
  t.is((await refund('first', 500)).body.error.code, 'idempotency_conflict', 'another amount');
  const again = await refund('first');
  const { kind, refund_of, amount_minor, currency, reason, origin } = first.body.refund;
  t.like(again.body.refund, { kind, refund_of, amount_minor, currency, reason, origin });
  t.like(again.body.payment, { id: paymentId, status: 'partially_refunded' });
  t.is((await refund('first')).body.refund.id, again.body.refund.id);
  t.is((await processorLedger(workspace)).refunds.length, 1);
  const { body: log } = await api.get('/v1/audit-log?action=payment.refunded');
  t.like(log.data[0]!.details, { refund_id: again.body.refund.id, reason: 'duplicate' });

  t.is((await refund('second')).status, 200);
  t.is((await processorLedger(workspace)).refunds.length, 2, 'another key is another refund');
  await sweep(t, workspace);
});

test('a lost refund is not matched to another request', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=charge`);
  const paymentId: string = body.data[0]!.id;
  const refund = (key: string) =>
    api.post(`/v1/payments/${paymentId}/refund`, { amount_minor: 1_000 }, { 'Idempotency-Key': key });
  const refundsAtProcessor = async () => (await processorLedger(workspace)).refunds.length;
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    await refund('answered');
    await until(async () => (await refundsAtProcessor()) === 1);
  });
  await loseRefunds(paymentId);
  await db.query(`DELETE FROM idempotency_keys WHERE workspace_id = $1`, [workspace.id]);
  await refund('another');
  await until(async () => (await refundsAtProcessor()) === 2);
  await readRefunds(workspace, booking);
  await until(async () => (await api.get(`/v1/payments/${paymentId}`)).body.refunds.length === 2);
  const { data } = (await api.get(`/v1/payments?booking_id=${booking.id}&kind=refund`)).body;
  t.deepEqual(
    data.map(({ origin, amount_minor }) => [origin, amount_minor]),
    [
      ['service', 1_000],
      ['service', 1_000],
    ],
  );
  await refund('answered');
  t.is(await refundsAtProcessor(), 2);
  await sweep(t, workspace);
});

/**
 * Loses the latest decision about a booking, with its refund, and makes that refund be read from the
 * processor again.
 */
async function loseDecision(workspace: TestWorkspace, booking: Booking) {
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
  await readRefunds(workspace, booking);
  await until(async () => {
    const rows = await db.query(`SELECT FROM payments WHERE refund_of = $1 AND status = 'succeeded'`, [id]);
    return rows.length === 1;
  });
}

/** The slot that a booking held. */
const heldSlot = (booking: { id: string; room_id: string; start_at: string; end_at: string }) => ({
  booking_id: booking.id,
  room_id: booking.room_id,
  during: timeRange(booking.start_at, booking.end_at),
});

const HALF = { refund_steps: [{ hours_before: 0, percent: 50 }] };

test('a lost cancellation that is repeated refunds nothing twice', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { room: HALF });
  const cancel = () => api.post(`/v1/bookings/${booking.id}/cancel`);
  const first = await cancel();
  t.is(first.body.refund!.amount_minor, 1_500);
  await until(async () => (await processorLedger(workspace)).refunds.length === 1);
  await storeClaims(db, [heldSlot(booking)]);
  await db.query(`UPDATE bookings SET status = 'confirmed', cancelled_at = NULL WHERE id = $1`, [booking.id]);
  await loseDecision(workspace, booking);
  const again = await cancel();
  t.is(again.status, 200);
  t.is(again.body.refund!.amount_minor, 1_500, 'the refund of before is the refund of this one');
  await until(async () => (await api.get(`/v1/bookings/${booking.id}`)).body.status === 'cancelled');
  t.is((await processorLedger(workspace)).refunds.length, 1);
  await sweep(t, workspace);
});

test('a lost cheaper change that is repeated refunds nothing twice, and neither does the next one', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { hours: 4 });
  const shorten = (hours: number) =>
    api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.start_at, hours) });
  t.is((await shorten(3)).status, 200);
  await until(async () => (await processorLedger(workspace)).refunds.length === 1);
  const before = [booking.id, booking.end_at];
  await storeClaims(db, [heldSlot(booking)]);
  await db.query(
    `UPDATE bookings SET end_at = $2, occupies = tstzrange(start_at, $2), price_minor = 12000,
      net_minor = 10000, tax_minor = 2000
     WHERE id = $1`,
    before,
  );
  await db.query(`DELETE FROM slot_claims WHERE booking_id = $1 AND upper(during) <> $2`, before);
  await loseDecision(workspace, booking);
  t.is((await shorten(3)).status, 200);
  t.is((await processorLedger(workspace)).refunds.length, 1);
  t.is((await shorten(2)).status, 200);
  await until(async () => (await processorLedger(workspace)).refunds.length === 2);
  await sweep(t, workspace);
});

test('an invoice that is paid otherwise is no longer charged, and a stored attempt ends', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, '4242424242424242');
  const { id } = await newInvoice(workspace, payer.id, 10);
  const readCheckoutState = async () =>
    (await db.query(`SELECT state FROM checkouts WHERE invoice_id = $1`, [id]))[0]?.state;
  await db.query(`UPDATE invoices SET status = 'void', voided_at = now() WHERE id = $1`, [id]);
  const [card] = await db.query(
    `SELECT account_id, customer_id, payment_method_id FROM cards WHERE workspace_id = $1`,
    [workspace.id],
  );
  await storeCheckouts(db, [{ ...card, workspace_id: workspace.id, invoice_id: id, amount_minor: 10_000 }]);
  await db.query(`UPDATE collections SET notify_at = now() WHERE invoice_id = $1`, [id]);
  await until(async () => (await readCheckoutState()) === 'closed');
  t.is((await successfulCharges(workspace)).length, 0);
  await sweep(t, workspace);
});

test('a paid booking is confirmed even if the record of its publication is lost', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await temporal.workflow.getHandle(booking.id).terminate('lost');
  await losePublication(booking);
  await pay(booking);
  const confirmed = await until(async () => {
    const { status, body } = await workspace.api.get(`/v1/bookings/${booking.id}`);
    return status === 200 && body.status === 'confirmed' && body;
  });
  t.is((await workspace.api.get(`/v1/invoices/${confirmed.invoice_id}`)).body.status, 'paid');
  t.deepEqual((await processorLedger(workspace)).refunds, []);
});

test('a hold that ends is published first if that record is lost, and its client gets it with the same key', async (t) => {
  const workspace = await newWorkspace();
  await workspace.api.patch('/v1/workspace', { checkout_hold_seconds: 12 });
  const body = bookingBody((await newRoom(workspace.api)).id);
  const booking = await createBooking(workspace.api, body);
  await losePublication(booking);
  const expired = await untilStatus(workspace.api, booking.id, 'expired');
  t.is((await workspace.api.get(`/v1/invoices/${expired.invoice_id}`)).body.status, 'void');
  const again = await createBooking(workspace.api, body);
  t.deepEqual([again.id, again.status], [booking.id, 'expired']);
  const types = (await listEvents(booking.id)).map(({ type }) => type);
  t.deepEqual(types, ['booking.created', 'booking.expired']);
  await sweep(t, workspace);
});

/** Loses that the price of a booking was paid at the desk. */
async function loseDeskPayment({ id, expires_at }: Booking): Promise<void> {
  for (const statement of [
    `UPDATE invoices SET status = 'open', paid_at = NULL WHERE booking_id = $1`,
    `UPDATE checkouts SET state = 'open' WHERE booking_id = $1`,
    `DELETE FROM payments WHERE booking_id = $1`,
    `DELETE FROM invoice_documents WHERE invoice_id = (SELECT invoice_id FROM bookings WHERE id = $1)`,
    `DELETE FROM mails WHERE booking_id = $1`,
    `DELETE FROM events WHERE object_id = $1 AND type <> 'booking.created'`,
  ])
    await db.query(statement, [id]);
  await db.query(
    `UPDATE bookings SET status = 'pending_payment', confirmed_at = NULL, paid_at_desk = false,
      remind_at = NULL,
       expires_at = $2 WHERE id = $1`,
    [id, expires_at],
  );
}

test('a booking whose desk payment is lost is held again, then expires, as its run reads it again', async (t) => {
  const { workspace, booking } = await pendingBooking(15);
  const { api } = workspace;
  const cash = { method: 'cash', amount_minor: 3_000 };
  t.is((await api.post(`/v1/bookings/${booking.id}/payments`, cash)).status, 201);
  await until(async () => (await listEvents(booking.id)).some(({ type }) => type === 'booking.confirmed'));
  await loseDeskPayment(booking);
  // The job looks at checkouts that are a second old.
  await until(
    async () => (await internal('run_job', { job: 'self_heal', workspace_id: workspace.id })).body.examined,
  );
  await untilStatus(api, booking.id, 'expired');
  t.is((await api.get(`/v1/invoices/${booking.invoice_id!}`)).body.status, 'void');
});

test('a card is saved even if the record that its page was opened, or the result of opening it, is lost', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', billing_email: null });
  const { body: page } = await api.post(`/v1/companies/${company.id}/card-setup`);
  const setup = async () => {
    const [row] = await db.query(`SELECT id, state FROM card_setups WHERE company_id = $1`, [company.id]);
    return row;
  };
  const { id } = await setup();
  await createCardSetupActivities({ db, processor: {} as Processor }).abandonCardSetup(id);
  t.is((await setup()).state, 'open');
  await db.query(`UPDATE card_setups SET state = 'opening', session_id = NULL, url = NULL WHERE id = $1`, [
    id,
  ]);
  await pay({ checkout_url: page.url });
  await until(async () => (await setup()).state === 'saved');
  t.truthy((await api.get(`/v1/companies/${company.id}`)).body.card);
});
