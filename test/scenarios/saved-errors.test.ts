import { proratedToday } from '../support/prorated.js';
import Stripe from 'stripe';
import test from 'ava';
import { createMember } from '../support/member-calls.js';
import { bookingBody, confirmedBooking, hoursLater, checkoutSessionId } from '../support/bookings.js';
import { processorLedger } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { listIntercepted, withProxyFaults } from '../support/proxy-faults.js';
import type { ProxyFault } from '../support/fault-proxy.js';
import { newTierWorkspace, untilInvoiced } from '../support/tiers.js';

/**
 * A 500 that the processor saves under the idempotency key and repeats for a day, before or
 * after the work was done.
 */
const saved500 = (path: string, after_effect: boolean): ProxyFault => ({
  fault: 'saved_500',
  method: 'POST',
  path,
  after_effect,
  times: 1,
});

test('a refund that the processor finishes after it was made again is stored as a second one', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { hours: 3 });
  const { body } = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, -2) });
  const { refund_id } = body.adjustment!;
  const listRefunds = () =>
    db.query(
      `SELECT id, amount_minor FROM payments
        WHERE booking_id = $1 AND kind = 'refund' AND status = 'succeeded'
       ORDER BY created_at`,
      [booking.id],
    );
  await until(async () => (await listRefunds()).length === 1);
  const { hostname, port } = new URL(dev.processorUrl!);
  const stripe = new Stripe('sk_test_holdfast', { host: hostname, port, protocol: 'http' });
  await stripe.refunds.create(
    { payment_intent: booking.processor_payment_intent_id!, amount: 1_000, metadata: { refund_id } },
    { stripeAccount: workspace.accountId! },
  );
  const rows = await until(async () => {
    const found = await listRefunds();
    return found.length === 2 && found;
  });
  t.deepEqual(
    rows.map((row: { amount_minor: number }) => row.amount_minor),
    [6_000, 1_000],
  );
  await sweep(t, workspace);
});

for (const [when, after_effect] of Object.entries({ before: false, after: true })) {
  test(`a 500 saved ${when} the session was created leads to one session, immediately`, async (t) => {
    const workspace = await newWorkspace();
    const room = await newRoom(workspace.api);
    const fault = saved500('/v1/checkout/sessions', after_effect);
    const created = await withProxyFaults(workspace, [fault], () =>
      workspace.api.post('/v1/bookings', bookingBody(room.id)),
    );
    t.is(created.status, 201, JSON.stringify(created.body));
    t.is((await listIntercepted(workspace)).length, 1);
    const { sessions } = await processorLedger(workspace);
    t.deepEqual(
      sessions.map(({ id }) => id),
      [checkoutSessionId(created.body)],
    );
    await sweep(t, workspace);
  });

  test(`a 500 saved ${when} the refund was made leads to one refund, immediately`, async (t) => {
    const workspace = await newWorkspace();
    const { booking } = await confirmedBooking(workspace.api);
    await withProxyFaults(workspace, [saved500('/v1/refunds', after_effect)], async () => {
      await workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
      await until(async () => {
        const [row] = await db.query(
          `SELECT status FROM payments WHERE booking_id = $1 AND kind = 'refund'`,
          [booking.id],
        );
        return row.status === 'succeeded';
      });
    });
    t.is((await listIntercepted(workspace)).length, 1);
    t.is((await processorLedger(workspace)).refunds.length, 1);
    await sweep(t, workspace);
  });

  test(`a 500 saved ${when} the difference was charged leads to one charge, immediately`, async (t) => {
    const workspace = await newWorkspace();
    const { booking } = await confirmedBooking(workspace.api);
    const end_at = hoursLater(booking.end_at, 1);
    const changed = await withProxyFaults(workspace, [saved500('/v1/payment_intents', after_effect)], () =>
      workspace.api.patch(`/v1/bookings/${booking.id}`, { end_at }),
    );
    t.is(changed.status, 200, JSON.stringify(changed.body));
    t.is((await listIntercepted(workspace)).length, 1);
    t.is((await processorLedger(workspace)).charges.length, 2);
    await sweep(t, workspace);
  });
}

test('500s saved while the tier subscription is created lead to one of each object, and the upgrade is prorated', async (t) => {
  const workspace = await newTierWorkspace();
  const member = await createMember(workspace.api, { tier: 'basic' });
  const faults = [
    saved500('/v1/customers', false),
    saved500('/v1/products', true),
    saved500('/v1/subscriptions', true),
  ];
  await withProxyFaults(workspace, faults, async () => {
    const { status } = await workspace.api.patch(`/v1/members/${member.id}`, { tier: 'pro' });
    t.is(status, 200);
    t.is((await untilInvoiced(workspace))[0]!.net_minor, proratedToday(3_000));
  });
  t.is((await listIntercepted(workspace)).length, 3);
  t.is((await processorLedger(workspace)).subscriptions.length, 1);
  await sweep(t, workspace);
});

test('a checkout whose creation got saved 500s leaves no session open, and releases the slot', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const fault = { ...saved500('/v1/checkout/sessions', true), times: undefined };
  await withProxyFaults(workspace, [fault], async () => {
    const refused = await workspace.api.post('/v1/bookings', bookingBody(room.id));
    // Each attempt created a session that the next one finds.
    t.is(refused.status, 201, JSON.stringify(refused.body));
  });
  const { sessions } = await processorLedger(workspace);
  t.is(sessions.filter(({ status }) => status === 'open').length, 1);
  await sweep(t, workspace);
});

test('a call without a response leaves its outcome unknown, and a session it created is found again', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const silent: ProxyFault = {
    fault: 'silent',
    method: 'POST',
    path: '/v1/checkout/sessions',
    after_effect: true,
    times: 1,
  };
  const created = await withProxyFaults(workspace, [silent], () =>
    workspace.api.post('/v1/bookings', bookingBody(room.id)),
  );
  t.is(created.status, 201, JSON.stringify(created.body));
  t.is((await processorLedger(workspace)).sessions.length, 1);
  await sweep(t, workspace);
});
