import { startOfDay } from '../../domain/cycle.js';
import { HOUR_MS } from '../../domain/durations.js';
import test from 'ava';
import { sweep } from '../support/invariants.js';
import { bookingBody, confirmedBooking, listEvents, hoursLater, untilStatus } from '../support/bookings.js';
import { CLOCKS_GO_FORWARD, daysAfter } from '../support/days.js';
import { mailTo, processorLedger, simulator } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, findOwnerEmail } from '../support/workspaces.js';
import { temporal } from '../support/temporal.js';
import { WebSession } from '../support/web-session.js';
import { message } from '../support/message.js';

test('a change to a higher price charges the difference to the stored card: one payment, one line, one event', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, email } = await confirmedBooking(api);
  // £25 an hour and 20 % tax: two more hours are 2 × 3,000.
  const changed = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, 2) });
  t.is(changed.status, 200);
  const { adjustment, price, sequence } = changed.body;
  t.is(adjustment!.amount_minor, 6_000);
  t.is(price.amount_minor, 9_000);
  t.is(sequence, 1);

  const { charges } = await processorLedger(workspace);
  const mine = charges.filter((charge) => charge.metadata.booking_id === booking.id);
  t.deepEqual(mine.map((charge) => charge.amount).sort(), [3_000, 6_000]);
  const payments = await db.query(
    `SELECT id, kind, amount_minor, status FROM payments WHERE booking_id = $1 ORDER BY created_at`,
    [booking.id],
  );
  t.deepEqual(
    payments.map((row: { kind: string; amount_minor: number; status: string }) => [
      row.kind,
      row.amount_minor,
      row.status,
    ]),
    [
      ['charge', 3_000, 'succeeded'],
      ['top_up', 6_000, 'succeeded'],
    ],
  );
  t.is(payments[1].id, adjustment!.payment_id);
  // The webhook of the second charge has the booking id too, and changes nothing.
  const notified = await until(async () => {
    const { webhooks_sent } = await processorLedger(workspace);
    return (
      webhooks_sent.filter((sent) => sent.type === 'charge.succeeded' && sent.status === 200).length >= 2
    );
  });
  t.true(notified);
  const events = await listEvents(booking.id);
  t.deepEqual(
    events.map((event) => event.type),
    ['booking.created', 'booking.confirmed', 'booking.updated'],
  );
  t.deepEqual(events[2]!.body.data.previous, {
    end_at: booking.end_at,
    price: { currency: 'GBP', amount_minor: 3_000 },
    lines: booking.lines,
    sequence: 0,
  });
  t.is(events[2]!.body.data.object.price.amount_minor, 9_000);
  const mails = await until(async () => {
    const found = await mailTo(email);
    return found.length >= 2 && found;
  });
  t.true(mails.some((mail) => mail.subject === message('mail.changed_subject', { room: 'Blue room' })));
  await sweep(t, workspace);
});

test('a difference equal to the original price is a top-up, and is not refunded', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const { body } = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, 1) });
  t.is(body.adjustment!.amount_minor, 3_000);
  const [{ processor_payment_intent_id }] = await db.query(
    `SELECT processor_payment_intent_id FROM payments WHERE id = $1`,
    [body.adjustment!.payment_id],
  );
  const { charges, events } = await processorLedger(workspace);
  const topUp = charges.find((charge) => charge.payment_intent === processor_payment_intent_id)!;
  const sent = events.filter(({ object_id }) => object_id === topUp.id);
  t.true(sent.length > 0);
  for (const { event_id } of sent)
    t.is((await simulator<{ status: number }>('POST', '/_sim/event', { event_id })).status, 200);
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  const refunds = await db.query(`SELECT id FROM payments WHERE booking_id = $1 AND kind = 'refund'`, [
    booking.id,
  ]);
  t.deepEqual(refunds, []);
  await sweep(t, workspace);
});

test("a change to a lower price refunds the difference by the room's policy", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, {
    room: {
      refund_steps: [
        { hours_before: 24, percent: 50 },
        { hours_before: 0, percent: 0 },
      ],
    },
    hours: 3,
  });
  // Two hours less are 6,000, of which half is refunded.
  const { body } = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, -2) });
  t.is(body.adjustment!.amount_minor, -3_000);
  t.is(body.price.amount_minor, 3_000);
  const refunded = await until(async () => {
    const [row] = await db.query(`SELECT status, amount_minor FROM payments WHERE id = $1`, [
      body.adjustment!.refund_id,
    ]);
    return row.status === 'succeeded' && row;
  });
  t.is(refunded.amount_minor, 3_000);
  await sweep(t, workspace);
});

test('a move keeps the refund step for earlier payments', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const steps = [
    { hours_before: 48, percent: 100 },
    { hours_before: 1, percent: 33.33 },
    { hours_before: 0, percent: 0 },
  ];
  const tomorrow = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 24 * HOUR_MS).toISOString();
  const { booking } = await confirmedBooking(api, {
    room: { refund_steps: steps },
    slot: { start_at: tomorrow, end_at: hoursLater(tomorrow, 2) },
  });
  // A move beyond the 48 hours must not lead to a full refund, of a difference or of the rest.
  const moved = await api.patch(`/v1/bookings/${booking.id}`, { start_at: hoursLater(tomorrow, 240) });
  t.is(moved.body.adjustment, null);
  const shorter = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(tomorrow, 241) });
  t.is(shorter.body.adjustment!.amount_minor, -1_000, '33.33 % of 3,000');
  // Later payments are refundable by the steps of the new time.
  const longer = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(tomorrow, 243) });
  t.is(longer.body.adjustment!.amount_minor, 6_000);
  const { body } = await api.post(`/v1/bookings/${booking.id}/cancel`, { reason: 'Ill' });
  t.is(body.refund!.amount_minor, 6_000 + 1_000, 'the top-up, and 33.33 % of the 3,000 of the first payment');
  await sweep(t, workspace);
});

test('a move to another room uses its current price, releases the old slot and takes the new one', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const other = await newRoom(api, {
    name: 'Red room',
    price_per_hour: { currency: 'GBP', amount_minor: 4_000 },
  });
  const { body, status } = await api.patch(`/v1/bookings/${booking.id}`, {
    room_id: other.id,
    attendees: 2,
    notes: 'Hi',
  });
  t.is(status, 200);
  t.like(body, {
    room: { id: other.id, name: 'Red room' },
    attendees: 2,
    notes: 'Hi',
    price: { amount_minor: 4_800 },
  });
  t.is(body.adjustment!.amount_minor, 1_800);
  const { start_at, end_at } = booking;
  t.is((await api.post('/v1/bookings', bookingBody(booking.room_id, { start_at, end_at }))).status, 201);
  const taken = await api.post('/v1/bookings', bookingBody(other.id, { start_at, end_at }));
  t.is(taken.body.error.details!.reason, 'booked');
  await sweep(t, workspace);
});

test('a booking keeps its currency and its rate in a room that now has another currency, also when it moves', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const extra = async (name: string, currency: string) =>
    (await api.post('/v1/extras', { name, price: { currency, amount_minor: 1_000 } })).body;
  const [lunch, bento] = [await extra('Lunch', 'GBP'), await extra('Bento', 'JPY')];
  const yen = { price_per_hour: { currency: 'JPY', amount_minor: 5_000 } };
  t.is((await api.patch(`/v1/rooms/${booking.room.id}`, yen)).status, 200);
  const change = (body: Record<string, unknown>) => api.patch(`/v1/bookings/${booking.id}`, body);

  const moved = await change({ start_at: hoursLater(booking.start_at, 24) });
  t.is(moved.status, 200, JSON.stringify(moved.body));
  t.like(moved.body, { price: { currency: 'GBP', amount_minor: 3_000 }, adjustment: null });
  const longer = await change({ end_at: hoursLater(moved.body.end_at, 1) });
  t.like(longer.body, {
    price: { currency: 'GBP', amount_minor: 6_000 },
    adjustment: { amount_minor: 3_000 },
  });
  const fed = await change({ extras: [{ extra_id: lunch.id, quantity: 1 }] });
  t.like(fed.body, { price: { currency: 'GBP', amount_minor: 7_200 } });
  const mixed = await change({ extras: [{ extra_id: bento.id, quantity: 1 }] });
  t.like(mixed, { status: 422, body: { error: { param: 'extras.0.extra_id' } } });
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
  await session.enrol();
  const form = await session.getText(`/dashboard/${workspace.id}/bookings/${booking.id}/change`);
  t.regex(form, /Lunch, £12.00/);
  t.notRegex(form, /Bento/);
  const shorter = await change({ end_at: moved.body.end_at, extras: [] });
  t.like(shorter.body, {
    price: { currency: 'GBP', amount_minor: 3_000 },
    adjustment: { amount_minor: -4_200 },
  });

  const other = await newRoom(api, yen);
  t.like(await change({ room_id: other.id }), { status: 422, body: { error: { param: 'room_id' } } });
  await sweep(t, workspace);
});

test("the run's timers use the new times", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const now = Math.floor(Date.now() / 60_000);
  const minute = (ahead: number) => new Date((now + ahead) * 60_000).toISOString();
  const { booking } = await confirmedBooking(api, {
    room: { price_per_hour: { currency: 'GBP', amount_minor: 0 }, slot_minutes: 1 },
    slot: { start_at: minute(600), end_at: minute(601) },
  });
  const { body, status } = await api.patch(`/v1/bookings/${booking.id}`, { start_at: minute(70) });
  t.is(status, 200);
  t.like(body, { adjustment: null, end_at: minute(71) });
  // 71 minutes from the start of the minute in which the test began.
  const seconds = await until(async () => {
    const { events } = await temporal.workflow.getHandle(booking.id).fetchHistory();
    const timers = events!.flatMap((event) => event.timerStartedEventAttributes ?? []);
    const last = Number(timers.at(-1)!.startToFireTimeout!.seconds);
    return last < 80 * 60 && last;
  });
  t.true(seconds > 69 * 60);
});

test('an invalid change is refused', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { room: { capacity: 4, max_minutes: 120 } });
  const dear = await newRoom(api, { price_per_hour: { currency: 'EUR', amount_minor: 5_000 } });
  const members = await newRoom(api, { tiers: ['pro'] });
  const gone = await newRoom(api, { archived: true });
  const path = `/v1/bookings/${booking.id}` as const;
  const refusals: [Record<string, unknown>, number, string, string?][] = [
    [{}, 422, 'validation_failed'],
    [{ status: 'cancelled' }, 422, 'validation_failed', 'status'],
    [{ attendees: 5 }, 422, 'validation_failed', 'attendees'],
    [{ end_at: hoursLater(booking.end_at, 2) }, 422, 'validation_failed', 'end_at'],
    [{ end_at: booking.start_at }, 422, 'validation_failed', 'end_at'],
    [
      { start_at: new Date(Date.parse(booking.start_at) + 60_000).toISOString() },
      422,
      'slot_misaligned',
      'start_at',
    ],
    [{ start_at: '2026-01-01T00:00:00Z' }, 422, 'validation_failed', 'start_at'],
    [{ room_id: dear.id }, 422, 'validation_failed', 'room_id'],
    [{ room_id: '3f0c9f5e-0000-4000-8000-000000000000' }, 404, 'room_not_found', 'room_id'],
    [{ room_id: members.id }, 403, 'tier_not_allowed'],
    [{ room_id: gone.id }, 409, 'slot_unavailable'],
  ];
  for (const [body, status, code, param] of refusals) {
    const answer = await api.patch(path, body);
    t.like(answer, { status, body: { error: { code } } }, JSON.stringify(body));
    if (param) t.is(answer.body.error.param, param);
  }
  const { body: pending } = await api.post('/v1/bookings', bookingBody(booking.room_id));
  const noted = await api.patch(`/v1/bookings/${pending.id}`, { notes: 'Late arrival', attendees: 3 });
  t.like(noted, { status: 200, body: { notes: 'Late arrival', attendees: 3, adjustment: null } });
  const moved = await api.patch(`/v1/bookings/${pending.id}`, { end_at: hoursLater(pending.end_at, 1) });
  t.like(moved, { status: 409, body: { error: { code: 'booking_not_editable' } } });
  t.deepEqual((await api.get(path)).body, booking);
  const strict = await confirmedBooking(api, { room: { edit_window_minutes: 60 * 24 * 60 } });
  const late = await api.patch(`/v1/bookings/${strict.booking.id}`, { notes: 'x' });
  t.like(late, { status: 409, body: { error: { code: 'booking_not_editable' } } });
  await sweep(t, workspace);
});

test('a day stays a day when its booking is moved to one on which the clocks change', async (t) => {
  const { api } = await newWorkspace();
  const price_per_hour = { currency: 'GBP', amount_minor: 0 };
  const room = await newRoom(api, { slot_minutes: 1_440, price_per_hour });
  const at = (days: number) => startOfDay(daysAfter(CLOCKS_GO_FORWARD, days), room.time_zone).toISOString();
  const body = bookingBody(room.id, { start_at: at(-2), end_at: at(-1) });
  const { body: booking } = await api.post('/v1/bookings', body);
  await untilStatus(api, booking.id, 'confirmed');
  const moved = await api.patch(`/v1/bookings/${booking.id}`, { start_at: at(0) });
  t.like(moved, { status: 200, body: { start_at: at(0), end_at: at(1) } });
});
