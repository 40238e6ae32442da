import Stripe from 'stripe';
import test from 'ava';
import { internal } from '../support/api-client.js';
import {
  confirmedBooking,
  listEvents,
  moveTo,
  pendingBooking,
  checkoutSessionId,
  untilStatus,
} from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { processorLedger } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { temporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { rereadBooking } from '../../contract/bookings.js';
import { HOUR_MS } from '../../domain/durations.js';

/*
 * Events for a booking's run that waits for its next step, with nothing lost.
 */

/** The processor's API, as its dashboard calls it. */
function processor(): Stripe {
  const { hostname, port } = new URL(dev.processorUrl!);
  return new Stripe('sk_test_holdfast', { host: hostname, port, protocol: 'http' });
}

test('the timer of a running booking completes it at its end', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const end = new Date(Date.now() + 4_000);
  await moveTo(booking.id, new Date(end.getTime() - HOUR_MS), end);
  const run = temporal.workflow.getHandle(booking.id);
  await run.signal(rereadBooking);
  t.is(await run.result(), 'completed');
  const { completed_at } = await untilStatus(workspace.api, booking.id, 'completed');
  const late = Date.parse(completed_at!) - end.getTime();
  t.true(late >= 0 && late < 20_000, `${late} ms after its end`);
  t.deepEqual(
    (await listEvents(booking.id)).map(({ type }) => type),
    ['booking.created', 'booking.confirmed', 'booking.completed'],
  );
  await sweep(t, workspace);
});

test('a page that the processor closes early ends the hold', async (t) => {
  const { workspace, booking } = await pendingBooking();
  t.true(Date.parse(booking.expires_at!) > Date.now() + 20 * 60_000);
  await processor().checkout.sessions.expire(
    checkoutSessionId(booking),
    {},
    { stripeAccount: workspace.accountId! },
  );
  const expired = await untilStatus(workspace.api, booking.id, 'expired');
  t.is((await workspace.api.get(`/v1/invoices/${expired.invoice_id}`)).body.status, 'void');
  await sweep(t, workspace);
});

test('a second intent paid for a confirmed booking is refunded in full, and the booking stays confirmed', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const { payment_intents } = await processorLedger(workspace);
  const [first] = payment_intents.filter(({ metadata }) => metadata.booking_id === booking.id);
  const second = await processor().paymentIntents.create(
    {
      amount: first!.amount,
      currency: first!.currency,
      customer: first!.customer as string,
      payment_method: first!.payment_method as string,
      off_session: true,
      confirm: true,
      metadata: { booking_id: booking.id },
    },
    { stripeAccount: workspace.accountId! },
  );
  const code = await until(async () => {
    const { status, body } = await internal('verify_payment', { payment_intent_id: second.id });
    return status === 409 && body.error.details?.refund_id && body.error.code;
  });
  t.is(code, 'slot_already_paid');
  await until(async () => {
    const { refunds } = await processorLedger(workspace);
    return (
      refunds.length === 1 && refunds[0]!.payment_intent === second.id && refunds[0]!.amount === first!.amount
    );
  });
  // The refund is recorded once the processor has reported it.
  const charges = await until(async () => {
    const rows: { status: string }[] = await db.query(
      `SELECT status FROM payments
       WHERE booking_id = $1 AND processor_payment_intent_id = $2 AND kind = 'charge'`,
      [booking.id, second.id],
    );
    return rows.some(({ status }) => status === 'refunded') && rows;
  });
  t.is(charges.length, 1);
  const after = (await workspace.api.get(`/v1/bookings/${booking.id}`)).body;
  t.like(after, {
    status: 'confirmed',
    processor_payment_intent_id: first!.id,
    confirmed_at: booking.confirmed_at,
  });
  await sweep(t, workspace);
});
