import test from 'ava';
import { confirmedBooking, eventsOf, hoursLater } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { newMember } from '../api/people.js';
import {
  bookingBody,
  client,
  db,
  dev,
  mailTo,
  newRoom,
  newWorkspace,
  pay,
  sessionOf,
  simulator,
  until,
  untilStatus,
  withFaults,
  processorLedger,
  withRefundMode,
} from '../support/stack.js';

const STEPS = {
  refund_steps: [
    { hours_before: 1_000, percent: 100 },
    { hours_before: 24, percent: 33.33 },
    { hours_before: 0, percent: 0 },
  ],
};

const invoiceStatus = async (id: string): Promise<string> =>
  (await db.query(`SELECT status FROM invoices WHERE id = $1`, [id]))[0].status;

test('a cancellation refunds by the policy, releases the slot, and sends mail, events and an audit entry', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, email } = await confirmedBooking(api, { room: STEPS });
  const response = await api.post(`/v1/bookings/${booking.id}/cancel`, { reason: 'Ill' });
  t.is(response.status, 200);
  t.is(response.body.status, 'cancelled');
  t.truthy(response.body.cancelled_at);
  // 33.33 % of 3,000 are 999.9, so 1,000.
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
    (await eventsOf(booking.id)).map((event) => event.type),
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
    return found.length >= 3 && found;
  });
  t.deepEqual(mails.map((mail) => mail.subject).sort(), [
    'Refund for your booking of Blue room',
    'Your booking of Blue room is cancelled',
    'Your booking of Blue room is confirmed',
  ]);
  t.true(mails.some((mail) => mail.text.includes('£10.00 has been refunded')));
  await sweep(t, workspace);
});

test('the refund policies full and none refund all or nothing and set the invoice status', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const full = await confirmedBooking(api, { room: STEPS });
  await api.patch(`/v1/bookings/${full.booking.id}`, { end_at: hoursLater(full.booking.end_at, 1) });
  const { body } = await api.post(`/v1/bookings/${full.booking.id}/cancel`, {
    refund_policy: 'full',
    notify_attendees: false,
  });
  // The charge of 3,000 and the top-up of 3,000, with a refund each.
  t.like(body.refund, { amount_minor: 6_000, status: 'succeeded' });
  t.deepEqual(
    body.refund!.refunds.map((refund) => refund.amount_minor),
    [3_000, 3_000],
  );
  t.is(await invoiceStatus(full.booking.invoice_id!), 'refunded');
  const refundMail = (email: string) =>
    until(async () => (await mailTo(email)).find(({ subject }) => subject.startsWith('Refund for')));
  t.regex(
    (await refundMail(full.email)).text,
    /£60\.00 has been refunded to the cards or accounts you paid with, one part for each payment: £30\.00 and £30\.00\./,
  );

  const slow = await confirmedBooking(api);
  await api.patch(`/v1/bookings/${slow.booking.id}`, { end_at: hoursLater(slow.booking.end_at, 1) });
  await withRefundMode(workspace, 'pending', () =>
    api.post(`/v1/bookings/${slow.booking.id}/cancel`, { refund_policy: 'full' }),
  );
  const { refunds } = await processorLedger(workspace);
  const [one, other] = refunds.filter(({ status }) => status === 'pending');
  const mailsOf = () =>
    db.query(`SELECT id, status FROM mails WHERE booking_id = $1 AND kind = 'payment_refunded'`, [
      slow.booking.id,
    ]);
  await simulator('POST', `/_sim/refunds/${one!.id}/settle`, { status: 'succeeded' });
  const [{ id }] = await until(async () => {
    const found = await mailsOf();
    return found.length > 0 && found;
  });
  // It waits for the other part for half a minute.
  await db.query(`UPDATE mails SET next_attempt_at = now(), notify_at = now() WHERE id = $1`, [id]);
  t.regex(
    (await refundMail(slow.email)).text,
    /£60\.00 is being refunded .* one part for each payment\. £30\.00 has been refunded\. £30\.00 is still being refunded/,
  );
  await simulator('POST', `/_sim/refunds/${other!.id}/settle`, { status: 'succeeded' });
  await until(async () => (await invoiceStatus(slow.booking.invoice_id!)) === 'refunded');
  t.deepEqual(await mailsOf(), [{ id, status: 'sent' }], 'no second mail');

  const none = await confirmedBooking(api, { room: STEPS });
  const kept = await api.post(`/v1/bookings/${none.booking.id}/cancel`, { refund_policy: 'none' });
  t.is(kept.body.refund, null);
  t.is(await invoiceStatus(none.booking.invoice_id!), 'paid');
  const subjects = (await mailTo(full.email)).map((mail) => mail.subject);
  t.false(subjects.includes('Your booking of Blue room is cancelled'));
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
    return sessions.find((session) => session.id === sessionOf(booking))!.status === 'expired';
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
                coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund' AND status = 'succeeded'), 0)::int AS given
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
  t.is((await eventsOf(booking.id)).filter((event) => event.type === 'booking.cancelled').length, 1);
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

test('a refund whose response is lost is created once', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const lost = { fail: [{ method: 'POST', path: '/v1/refunds', status: 500, times: 2, after_effect: true }] };
  await withFaults(workspace, lost, () =>
    api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' }),
  );
  await until(async () => (await invoiceStatus(booking.invoice_id!)) === 'refunded');
  const { refunds } = await processorLedger(workspace);
  t.is(refunds.length, 1);
  await sweep(t, workspace);
});

test('a refund that ends before the response to its create is settled immediately', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  // Created and pending, but three responses are lost: its outcome is unknown for two seconds.
  const lost = { fail: [{ method: 'POST', path: '/v1/refunds', status: 502, times: 3, after_effect: true }] };
  await withRefundMode(workspace, 'pending', async () => {
    await withFaults(workspace, lost, async () => {
      const cancelled = api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
      const refund = await until(async () => {
        const { refunds } = await processorLedger(workspace);
        return refunds[0];
      });
      await simulator('POST', `/_sim/refunds/${refund.id}/settle`, { status: 'succeeded' });
      t.is((await cancelled).body.refund!.status, 'pending', 'the status that the processor returned');
      await until(async () => (await invoiceStatus(booking.invoice_id!)) === 'refunded', 20_000);
    });
  });
  await sweep(t, workspace);
});

test('a refund that is pending is shown as pending', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  await withRefundMode(workspace, 'pending', async () => {
    const { body } = await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
    t.is(body.refund!.status, 'pending');
    t.is(await invoiceStatus(booking.invoice_id!), 'paid');
    const { refunds } = await processorLedger(workspace);
    const made = refunds.find((refund) => refund.metadata!.refund_id === body.refund!.id)!;
    await simulator('POST', `/_sim/refunds/${made.id}/settle`, { status: 'succeeded' });
    await until(async () => (await invoiceStatus(booking.invoice_id!)) === 'refunded');
    const again = await api.post(`/v1/bookings/${booking.id}/cancel`);
    t.is(again.body.refund!.status, 'succeeded');
  });
  await sweep(t, workspace);
});
