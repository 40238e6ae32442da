import { DAY_MS } from '../../domain/durations.js';
import test, { type ExecutionContext } from 'ava';
import { newMember } from '../support/people.js';
import { WebSession } from '../support/web-session.js';
import type { Booking } from '../support/api-bodies.js';
import { internal, type ApiClient } from '../support/api-client.js';
import {
  bookingBody,
  confirmedBooking,
  listEvents,
  hoursLater,
  pay,
  untilStatus,
} from '../support/bookings.js';
import { withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace, findOwnerEmail } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { until } from '../support/until.js';
import { changeByLink } from '../support/pending-change-calls.js';

const grant = (memberId: string, hours: number) =>
  db.query(`UPDATE members SET hour_credit_balance = $2 WHERE id = $1`, [memberId, hours]);
const balance = async (memberId: string): Promise<number> =>
  (await db.query(`SELECT hour_credit_balance FROM members WHERE id = $1`, [memberId]))[0]
    .hour_credit_balance;

test('hour credits pay for started hours up to the balance, and are returned with a full refund', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  await grant(member.id, 3);
  const body = (overrides: Record<string, unknown>) =>
    bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true, ...overrides });

  // Two and a half hours are three started hours, and credits pay for all of them.
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

/** Eight in the morning on a day in 20 days, in UTC. */
const EIGHT = `${new Date(Date.now() + 20 * DAY_MS).toISOString().slice(0, 10)}T08:00:00.000Z`;

/** A quote and its booking, which agree on price and credits. */
async function book(t: ExecutionContext, api: ApiClient, body: Record<string, unknown>): Promise<Booking> {
  const { idempotency_key: _, ...asked } = body;
  const { body: quoted } = await api.post('/v1/quotes', asked);
  const { body: booking, status } = await api.post('/v1/bookings', body);
  t.is(status, 201, JSON.stringify(booking));
  const { price, lines, tokens_used } = booking;
  t.deepEqual([quoted.price, quoted.lines, quoted.tokens_used], [price, lines, tokens_used]);
  return booking;
}

test('hour credits are taken only as far as they lower the price, not for a day rate, a cap or a minimum', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { time_zone: 'UTC' });
  const member = await newMember(workspace);
  await grant(member.id, 3);
  const rated = async (rate: Record<string, unknown>, hours: number) => {
    const rates = rate.name ? [rate] : [];
    t.is((await api.put(`/v1/rooms/${room.id}/rates`, { rates })).status, 200);
    const start_at = EIGHT;
    const body = bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true, start_at });
    const booking = await book(t, api, { ...body, end_at: hoursLater(start_at, hours) });
    const { tokens_used, price, lines } = booking;
    t.is(await balance(member.id), 3 - tokens_used);
    t.is(
      lines.some(({ kind }) => kind === 'credit'),
      tokens_used > 0,
    );
    t.is((await api.post(`/v1/bookings/${booking.id}/cancel`)).status, 200);
    return [tokens_used, price.amount_minor];
  };
  const day = { name: 'Day', unit: 'day', amount_minor: 10_000 };
  t.deepEqual(await rated({ ...day, always: true }, 8), [0, 12_000]);
  t.deepEqual(await rated({ ...day, always: true }, 3), [3, 0]);
  t.deepEqual(await rated({ name: 'Capped', amount_minor: 2_500, cap_minor: 10_000 }, 8), [0, 12_000]);
  t.deepEqual(await rated({ name: 'Capped', amount_minor: 2_500, cap_minor: 10_000 }, 5), [3, 6_000]);
  t.deepEqual(await rated({ name: 'Capped', amount_minor: 2_500, day_cap_minor: 10_000 }, 7), [0, 12_000]);
  t.deepEqual(await rated({ name: 'Least', amount_minor: 2_500, minimum_minor: 10_000 }, 4), [0, 12_000]);
  const flat = { name: 'Morning', unit: 'flat', from: '08:00', to: '12:00', amount_minor: 5_000 };
  // 50.00 for the morning, by the hour at most: of four hours, credits for three leave one.
  t.deepEqual(await rated(flat, 4), [3, 3_000]);
  t.deepEqual(await rated({ ...flat, always: true }, 4), [0, 6_000]);
  t.deepEqual(await rated({}, 4), [3, 3_000]);
  await sweep(t, workspace);
});

test('a code is applied before hour credits, which lower what it leaves', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  await grant(member.id, 1);
  const codes: [Record<string, unknown>, number, number][] = [
    [{ percent: 100 }, 0, 0],
    [{ amount_minor: 5_000 }, 0, 0],
    [{ percent: 50 }, 1, 1_500],
    // 10.00 off 50.00 are 5.00 off each hour.
    [{ amount_minor: 1_000 }, 1, 2_400],
  ];
  for (const [n, [amountOff, tokens_used, amount_minor]] of codes.entries()) {
    const { body: code } = await api.post('/v1/discounts', { code: `CODE-${n}`, ...amountOff });
    const body = bookingBody(room.id, {
      booked_by: { member_id: member.id },
      use_tokens: true,
      discount_code: code.code,
    });
    const booking = await book(t, api, { ...body, end_at: hoursLater(body.start_at, 2) });
    t.like(booking, { tokens_used, price: { amount_minor }, discount_code: code.code });
    t.is((await api.get(`/v1/discounts/${code.id}`)).body.used, 1);
    t.is(await balance(member.id), 1 - tokens_used);
    t.is((await api.post(`/v1/bookings/${booking.id}/cancel`)).status, 200);
  }
  // A code that takes nothing off is not used.
  const free = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const { body: code } = await api.post('/v1/discounts', { code: 'NOTHING', percent: 50 });
  const booking = await book(t, api, bookingBody(free.id, { discount_code: 'NOTHING' }));
  t.like(booking, { status: 'confirmed', discount_code: null });
  t.is((await api.get(`/v1/discounts/${code.id}`)).body.used, 0);
  await sweep(t, workspace);
});

test('a change returns hour credits that no longer lower the price, by the terms of the room unless the time costs more', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { time_zone: 'UTC' });
  const day = await newRoom(api, { time_zone: 'UTC' });
  const rates = [{ name: 'Day', unit: 'day', amount_minor: 10_000, always: true }];
  t.is((await api.put(`/v1/rooms/${day.id}/rates`, { rates })).status, 200);
  const member = await newMember(workspace);
  const withCredits = async (hours: number) => {
    await grant(member.id, hours);
    const body = bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true });
    const start_at = EIGHT;
    return book(t, api, { ...body, start_at, end_at: hoursLater(start_at, hours) });
  };
  const first = await withCredits(4);
  const shorter = await api.patch(`/v1/bookings/${first.id}`, { end_at: hoursLater(first.start_at, 1.5) });
  t.like(shorter.body, { tokens_used: 2, price: { amount_minor: 0 }, adjustment: null });
  t.is(await balance(member.id), 2);
  const [changed] = (await listEvents(first.id)).slice(-1);
  t.like(changed!.body.data, { object: { tokens_used: 2 }, previous: { tokens_used: 4 } });
  const back = await api.patch(`/v1/bookings/${first.id}`, { end_at: hoursLater(first.start_at, 2) });
  t.like(back.body, { tokens_used: 2, price: { amount_minor: 0 } });
  t.is((await api.post(`/v1/bookings/${first.id}/cancel`)).status, 200);
  t.is(await balance(member.id), 4);

  // The terms return nothing now: credits for hours that are given up are not returned, but those that a day
  // rate does not use are.
  await api.patch(`/v1/rooms/${room.id}`, { refund_steps: [] });
  const second = await withCredits(4);
  const shortened = await api.patch(`/v1/bookings/${second.id}`, { end_at: hoursLater(second.start_at, 1) });
  t.like(shortened.body, { tokens_used: 4, price: { amount_minor: 0 } });
  const longer = await api.patch(`/v1/bookings/${second.id}`, { end_at: hoursLater(second.start_at, 4) });
  t.like(longer.body, { tokens_used: 4, price: { amount_minor: 0 }, adjustment: null });
  t.is(await balance(member.id), 0);
  const to = { room_id: day.id, end_at: hoursLater(second.start_at, 5) };
  const dearer = await api.patch(`/v1/bookings/${second.id}`, to);
  t.is(dearer.status, 402, 'no card on file');
  t.is(await balance(member.id), 0, 'the change was not made');
  const { amount_minor, checkout_url } = await changeByLink(t, api, second.id, to);
  t.is(amount_minor, 12_000);
  t.is(await balance(member.id), 0, 'the change is not paid');
  await pay({ checkout_url });
  await until(async () => (await api.get(`/v1/bookings/${second.id}`)).body.tokens_used === 0);
  t.is(await balance(member.id), 4);
  await sweep(t, workspace);
});

test('hour credits of a past month lapse when their booking is cancelled', async (t) => {
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
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
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
    const html = await session.getText(`/dashboard/${workspace.id}/bookings/${booking.id}`);
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
  const page = await session.getText(`/dashboard/${workspace.id}/bookings/${booking.id}`);
  t.regex(page, /Marked as no-show by [^<]+ with an API key/);
  t.deepEqual(
    (await listEvents(booking.id)).map((event) => event.type),
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
