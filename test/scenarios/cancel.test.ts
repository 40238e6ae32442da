import test from 'ava';
import { client } from '../support/api-client.js';
import {
  bookingBody,
  confirmedBooking,
  listEvents,
  pay,
  checkoutSessionId,
  untilStatus,
} from '../support/bookings.js';
import { mailTo, processorLedger } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { newMember } from '../support/people.js';
import { STEPS, invoiceStatus } from './cancel-calls.js';
import { message } from '../support/message.js';

test('a cancellation refunds by the policy, releases the slot, and sends mail, events and an audit entry', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, email } = await confirmedBooking(api, { room: STEPS });
  const response = await api.post(`/v1/bookings/${booking.id}/cancel`, { reason: 'Ill' });
  t.is(response.status, 200);
  t.is(response.body.status, 'cancelled');
  t.truthy(response.body.cancelled_at);
  // 33.33 % of 3,000 is 999.9, so 1,000.
  const { refund } = response.body;
  t.like(refund, { amount_minor: 1_000, status: 'succeeded' });
  const [charge] = await db.query(
    `SELECT id, status FROM payments WHERE booking_id = $1 AND kind = 'charge'`,
    [booking.id],
  );
  t.is(refund!.payment_id, charge.id);
  t.is(charge.status, 'partially_refunded');
  t.is(await invoiceStatus(booking.invoice_id!), 'paid', 'the status stays paid after a partial refund');

  const again = await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
  t.is(again.status, 200);
  t.deepEqual(again.body, response.body);
  const { start_at, end_at } = booking;
  t.is((await api.post('/v1/bookings', bookingBody(booking.room_id, { start_at, end_at }))).status, 201);

  t.deepEqual(
    (await listEvents(booking.id)).map((event) => event.type),
    ['booking.created', 'booking.confirmed', 'booking.cancelled'],
  );
  const [entry] = await db.query(`SELECT * FROM audit_log WHERE object = $1`, [booking.id]);
  t.like(entry, {
    action: 'booking.cancelled',
    details: { reason: 'Ill', refund_policy: 'standard', refund_minor: 1_000 },
  });
  t.is(entry.actor.member_id, workspace.ownerId);
  const mails = await until(async () => {
    const found = await mailTo(email);
    return found.length >= 2 && found;
  });
  t.deepEqual(mails.map((mail) => mail.subject).sort(), [
    message('mail.cancelled_subject', { room: 'Blue room' }),
    message('mail.confirmed_subject', { room: 'Blue room' }),
  ]);
  t.true(mails.some((mail) => mail.text.includes('£10.00 has been refunded')));
  await sweep(t, workspace);
});

test('cancelling an unpaid booking voids its invoice and closes its checkout', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const { body, status } = await api.post(`/v1/bookings/${booking.id}/cancel`);
  t.is(status, 200);
  t.like(body, { status: 'cancelled', refund: null });
  t.is(await invoiceStatus(booking.invoice_id!), 'void');
  await until(async () => {
    const { sessions } = await processorLedger(workspace);
    return sessions.find((session) => session.id === checkoutSessionId(booking))!.status === 'expired';
  });
  await t.throwsAsync(pay(booking));
  await sweep(t, workspace);
});

test('of a concurrent cancellation and payment one wins, and a payment that loses is refunded', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
      const paying = pay(booking).then(
        () => true,
        () => false,
      );
      if (i % 2) await new Promise((resolve) => setTimeout(resolve, i * 20));
      const cancelled = await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
      t.is(cancelled.status, 200);
      const paid = await paying;
      return { id: booking.id, paid };
    }),
  );
  for (const { id, paid } of outcomes) {
    const kept = await until(async () => {
      const [row] = await db.query(
        `SELECT coalesce(sum(amount_minor) FILTER (WHERE kind <> 'refund'), 0)::int AS taken,
                coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund' AND status = 'succeeded'),
                  0)::int AS given
         FROM payments WHERE booking_id = $1`,
        [id],
      );
      return (!paid || row.taken > 0) && row.taken === row.given && row;
    });
    t.is(kept.taken, paid ? 3_000 : 0);
    t.is((await api.get(`/v1/bookings/${id}`)).body.status, 'cancelled');
  }
  await sweep(t, workspace);
});

test('ten concurrent cancellations have one effect and one response', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const other = client(api.token, dev.baseUrls.at(-1));
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (i % 2 ? api : other).post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' }),
    ),
  );
  t.deepEqual(new Set(responses.map((response) => response.status)), new Set([200]));
  t.is(new Set(responses.map((response) => response.body.refund!.id)).size, 1);
  const { refunds } = await processorLedger(workspace);
  t.is(refunds.length, 1);
  t.is((await listEvents(booking.id)).filter((event) => event.type === 'booking.cancelled').length, 1);
  t.is((await db.query(`SELECT FROM audit_log WHERE object = $1`, [booking.id])).length, 1);
  await sweep(t, workspace);
});

test('a cancellation is refused in other states and for callers without the right', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  const { body: expiring } = await api.post('/v1/bookings', bookingBody(room.id));
  const { booking: others } = await confirmedBooking(api, { room_id: room.id });
  const own = await confirmedBooking(api, {
    room_id: room.id,
    body: { booked_by: { member_id: member.id } },
  });
  t.like(await member.api.post(`/v1/bookings/${others.id}/cancel`), {
    status: 404,
    body: { error: { code: 'booking_not_found' } },
  });
  t.like(await member.api.patch(`/v1/bookings/${others.id}`, { notes: 'x' }), { status: 404 });
  t.like(await member.api.post(`/v1/bookings/${others.id}/no-show`), {
    status: 403,
    body: { error: { code: 'role_insufficient' } },
  });
  t.like(await member.api.post(`/v1/bookings/${own.booking.id}/cancel`, { refund_policy: 'full' }), {
    status: 403,
    body: { error: { code: 'role_insufficient' } },
  });
  t.is((await member.api.post(`/v1/bookings/${own.booking.id}/cancel`)).body.status, 'cancelled');
  t.like(await api.post(`/v1/bookings/${others.id}/cancel`, { refund_policy: 'half' }), {
    status: 422,
    body: { error: { param: 'refund_policy' } },
  });
  await untilStatus(api, expiring.id, 'expired');
  t.like(await api.post(`/v1/bookings/${expiring.id}/cancel`), {
    status: 409,
    body: { error: { code: 'booking_not_cancellable' } },
  });
  t.like(await api.patch(`/v1/bookings/${expiring.id}`, { notes: 'x' }), {
    status: 409,
    body: { error: { code: 'booking_not_editable' } },
  });
  t.like(await api.post(`/v1/bookings/${others.id}/no-show`), {
    status: 409,
    body: { error: { code: 'booking_not_started' } },
  });
  await sweep(t, workspace);
});
