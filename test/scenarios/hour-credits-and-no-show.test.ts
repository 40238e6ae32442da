import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { newMember } from '../api/people.js';
import { WebSession } from '../support/web-session.js';
import { internal } from '../support/api-client.js';
import { bookingBody, confirmedBooking, eventsOf, hoursLater, untilStatus } from '../support/bookings.js';
import { withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace, ownerOf } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';

const grant = (memberId: string, hours: number) =>
  db.query(`UPDATE members SET hour_credit_balance = $2 WHERE id = $1`, [memberId, hours]);
const balance = async (memberId: string): Promise<number> =>
  (await db.query(`SELECT hour_credit_balance FROM members WHERE id = $1`, [memberId]))[0]
    .hour_credit_balance;

test('hour credits pay started hours up to the balance, and are returned with a full refund', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  await grant(member.id, 3);
  const body = (overrides: Record<string, unknown>) =>
    bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true, ...overrides });

  // Two and a half hours are three started hours: credits pay all of them.
  const first = body({});
  first.end_at = hoursLater(first.start_at, 2.5);
  const { body: free, status } = await member.api.post('/v1/bookings', first);
  t.is(status, 201);
  t.like(free, { status: 'confirmed', checkout_url: null, tokens_used: 3, price: { amount_minor: 0 } });
  t.is(await balance(member.id), 0);
  const cancelled = await member.api.post(`/v1/bookings/${free.id}/cancel`);
  t.like(cancelled.body, { status: 'cancelled', refund: null });
  t.is(await balance(member.id), 3);

  // Five hours: three from the balance, two at 3,000.
  const second = body({});
  second.end_at = hoursLater(second.start_at, 5);
  const { body: mixed } = await member.api.post('/v1/bookings', second);
  t.like(mixed, { status: 'pending_payment', tokens_used: 3, price: { amount_minor: 6_000 } });
  t.is((await api.post(`/v1/bookings/${mixed.id}/cancel`)).body.status, 'cancelled');
  t.is(await balance(member.id), 3);
  const { body: repeated } = await member.api.post('/v1/bookings', second);
  t.is(repeated.id, mixed.id, 'use_tokens is part of the logical body');

  const guest = await api.post('/v1/bookings', bookingBody(room.id, { use_tokens: true }));
  t.like(guest, { status: 422, body: { error: { param: 'use_tokens' } } });
  await sweep(t, workspace);
});

test('hour credits of a month that is over lapse when their booking is cancelled', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace, { tier: 'plus' });
  const startMonth = (daysAhead: number) =>
    internal('run_job', {
      job: 'member_cycle',
      workspace_id: workspace.id,
      as_of: new Date(Date.now() + daysAhead * DAY_MS).toISOString().slice(0, 10),
    });
  const book = async () =>
    (
      await member.api.post(
        '/v1/bookings',
        bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true }),
      )
    ).body;
  await startMonth(0);
  t.is(await balance(member.id), 10);
  const [sameMonth, nextMonth] = [await book(), await book()];
  t.is(await balance(member.id), 8);
  await api.post(`/v1/bookings/${sameMonth.id}/cancel`);
  t.is(await balance(member.id), 9);
  await startMonth(32);
  t.is(await balance(member.id), 10);
  const later = await book();
  t.is((await api.post(`/v1/bookings/${nextMonth.id}/cancel`)).body.status, 'cancelled');
  t.is(await balance(member.id), 9, 'a credit of the month before lapses');
  await api.post(`/v1/bookings/${later.id}/cancel`);
  t.is(await balance(member.id), 10);
  await sweep(t, workspace);
});

test('concurrent bookings never use more hour credits than the balance', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  await grant(member.id, 5);
  const responses = await Promise.all(
    Array.from({ length: 8 }, () =>
      api.post(
        '/v1/bookings',
        bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true }),
      ),
    ),
  );
  t.deepEqual(new Set(responses.map((response) => response.status)), new Set([201]));
  t.is(responses.filter((response) => response.body.tokens_used === 1).length, 5);
  t.is(await balance(member.id), 0);
  await sweep(t, workspace);
});

test('hour credits are returned after an expiry and after a failed create', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  await grant(member.id, 2);
  const body = () => {
    const made = bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true });
    return { ...made, end_at: hoursLater(made.start_at!, 3) };
  };
  const refusing = { fail: [{ method: 'POST', path: '/v1/checkout/sessions', status: 400, times: 1 }] };
  const failed = await withFaults(workspace, refusing, () => api.post('/v1/bookings', body()));
  t.is(failed.status, 502);
  t.is(await balance(member.id), 2);
  const { body: booking, status } = await api.post('/v1/bookings', body());
  t.is(status, 201, JSON.stringify(booking));
  t.is(await balance(member.id), 0);
  await untilStatus(api, booking.id, 'expired');
  t.is(await balance(member.id), 2);
  await sweep(t, workspace);
});

test('a no-show can be marked once, from the start of the booking, and does not change the status', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const session = await WebSession.start(await ownerOf(workspace.id));
  await session.enrol();
  const { booking } = await confirmedBooking(api, {
    room: { price_per_hour: { currency: 'GBP', amount_minor: 0 } },
  });
  const path = `/v1/bookings/${booking.id}/no-show` as const;
  t.like(await api.post(path), { status: 409, body: { error: { code: 'booking_not_started' } } });
  // The clock cannot be changed, so the booking and its claim are moved into the past.
  const moved = (hours: number) =>
    db.transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = replica`);
      await tx.query(
        `WITH time AS (SELECT date_trunc('minute', now() - $2::interval) AS start_at), claim AS (
           UPDATE slot_claims SET during = tstzrange(start_at, start_at + '1 hour') FROM time
           WHERE booking_id = $1 RETURNING during)
         UPDATE bookings SET start_at = lower(during), end_at = upper(during), occupies = during FROM claim
         WHERE id = $1`,
        [booking.id, `${hours} hours`],
      );
    });
  const offered = async (): Promise<string[]> => {
    const html = await session.textOf(`/dashboard/${workspace.id}/bookings/${booking.id}`);
    return ['Change booking', 'Mark as no-show'].filter((button) => html.includes(button));
  };
  t.deepEqual(await offered(), ['Change booking']);
  await moved(-0.5);
  t.deepEqual(await offered(), [], 'the edit window is over');
  await moved(0.5);
  t.deepEqual(await offered(), ['Mark as no-show']);
  const marked = await api.post(path);
  t.is(marked.status, 200);
  t.is(marked.body.status, 'confirmed');
  t.truthy(marked.body.no_show_at);
  t.deepEqual((await api.post(path)).body, marked.body);
  const { data: entries } = (await api.get('/v1/audit-log?action=booking.marked_no_show')).body;
  t.like(entries, [{ object: booking.id, actor: { member_id: workspace.ownerId }, details: {} }]);
  t.is(entries.length, 1);
  const page = await session.textOf(`/dashboard/${workspace.id}/bookings/${booking.id}`);
  t.regex(page, /Marked as no-show by [^<]+ with an API key/);
  t.deepEqual(
    (await eventsOf(booking.id)).map((event) => event.type),
    ['booking.created', 'booking.confirmed', 'booking.no_show'],
  );

  await db.query(`UPDATE bookings SET no_show_at = NULL WHERE id = $1`, [booking.id]);
  await moved(24 * 6);
  await db.query(`UPDATE bookings SET status = 'completed', completed_at = now() WHERE id = $1`, [
    booking.id,
  ]);
  t.deepEqual(await offered(), ['Mark as no-show'], 'a completed booking, for a week');
  await moved(24 * 7 + 2);
  t.deepEqual(await offered(), []);
  t.like(await api.post(path), { status: 409, body: { error: { code: 'booking_not_editable' } } });
});
