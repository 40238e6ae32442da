import { randomUUID } from 'node:crypto';
import test from 'ava';
import { bookingBody, hoursLater, pay, untilStatus } from '../support/bookings.js';
import { openOffice, pageText } from '../support/dashboard.js';
import { runningHour } from '../support/days.js';
import { sweep } from '../support/invariants.js';
import { changeByLink } from '../support/pending-change-calls.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { newMember } from '../support/people.js';

test('staff can book the running slot and lengthen a booking that has begun, and members cannot', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const member = await newMember(workspace);
  const room = await newRoom(api, { slot_minutes: 60, edit_window_minutes: 30 });
  const { start_at, end_at } = await runningHour();
  const own = { booked_by: { member_id: member.id }, idempotency_key: randomUUID() };
  const slot = bookingBody(room.id, { start_at, end_at });

  const byMember = await member.api.post('/v1/bookings', { ...slot, ...own });
  t.is(byMember.status, 422);
  t.is(byMember.body.error?.param, 'start_at');
  const before = { start_at: hoursLater(start_at, -1), end_at };
  t.is((await api.post('/v1/bookings', { ...slot, ...before })).body.error?.param, 'start_at');
  const { body: quoted } = await api.post('/v1/quotes', {
    room_id: room.id,
    start_at,
    end_at,
    booked_by: slot.booked_by,
  });
  t.true(quoted.available);
  const made = await api.post('/v1/bookings', { ...slot, ...own });
  t.is(made.status, 201, JSON.stringify(made.body));
  await pay(made.body);
  const { id } = await untilStatus(api, made.body.id, 'confirmed');

  const path = `/v1/bookings/${id}` as const;
  const longer = { end_at: hoursLater(end_at, 1) };
  t.is((await member.api.patch(path, longer)).body.error?.code, 'booking_not_editable');
  t.is((await api.patch(path, { notes: 'Tea' })).body.error?.code, 'booking_not_editable');
  const other = await newRoom(api, { slot_minutes: 60 });
  t.is((await api.patch(path, { ...longer, room_id: other.id })).body.error?.code, 'booking_not_editable');
  const changed = await api.patch(path, longer);
  t.is(changed.status, 200, JSON.stringify(changed.body));
  t.like(changed.body, { end_at: longer.end_at, price: { amount_minor: 6_000 } });
  t.is(changed.body.adjustment!.amount_minor, 3_000);
  t.is((await api.patch(path, { end_at })).body.error?.code, 'booking_not_editable', 'not shorter');
  await sweep(t, workspace);
});

test('staff can move a booking into the running slot, and members cannot', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const member = await newMember(workspace);
  const price_per_hour = { currency: 'GBP', amount_minor: 0 };
  const room = await newRoom(api, { slot_minutes: 60, price_per_hour });
  const body = bookingBody(room.id, { booked_by: { member_id: member.id } });
  const { body: booking } = await api.post('/v1/bookings', body);
  await untilStatus(api, booking.id, 'confirmed');
  const slot = await runningHour();
  const path = `/v1/bookings/${booking.id}` as const;
  t.is((await member.api.patch(path, slot)).body.error?.param, 'start_at');
  t.like(await api.patch(path, slot), { status: 200, body: slot });
  await sweep(t, workspace);
});

test('a booking that has begun is extended where that is offered, and neither after a no-show', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const room = await newRoom(api, { slot_minutes: 60, edit_window_minutes: 30 });
  const { start_at, end_at } = await runningHour();
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id, { start_at, end_at }));
  await api.post(`/v1/bookings/${booking.id}/payments`, { method: 'cash', amount_minor: 3_000 });
  const page = `${home}/bookings/${booking.id}`;
  const offered = async () =>
    Promise.all(
      [page, `${page}/summary`].map(async (path) => (await session.getText(path)).includes('Extend booking')),
    );
  t.deepEqual(await offered(), [true, true]);
  t.is((await api.post(`/v1/bookings/${booking.id}/no-show`)).status, 200);
  t.deepEqual(await offered(), [false, false]);
  const longer = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(end_at, 1) });
  t.is(longer.body.error?.code, 'booking_not_editable');
});

test('the form for changing a booking disables what the rules do not allow, and shows the rule', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const limits = { slot_minutes: 60, edit_window_minutes: 30 };
  const room = await newRoom(api, { ...limits, name: 'Garden room', time_zone: 'UTC' });
  const { start_at, end_at } = await runningHour();
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id, { start_at, end_at }));
  const path = `${home}/bookings/${booking.id}/change`;
  const fixedIn = (html: string) =>
    ['room_id', 'start_at', 'end_at'].map((name) => html.includes(`<input type="hidden" name="${name}"`));
  const shown = pageText(await session.getText(`${home}/bookings/${booking.id}`));
  t.regex(shown, /The time, room and extras cannot be changed until the booking has been paid\./);
  t.notRegex(shown, /minutes before it starts/);
  await api.post(`/v1/bookings/${booking.id}/payments`, { method: 'cash', amount_minor: 3_000 });
  const running = await session.getText(path);
  t.deepEqual(fixedIn(running), [true, true, false]);
  t.regex(
    pageText(running),
    /Room Garden room Start .* can be changed until 30 minutes before it starts\. You can still extend it/,
  );
  const asked = await session.submit(path, path, {
    end_at: hoursLater(end_at, 1).slice(0, 16),
    attendees: '1',
    notes: '',
  });
  t.regex(pageText(await asked.text()), /£30\.00 → £60\.00/);

  const later = { start_at: hoursLater(start_at, 48), end_at: hoursLater(start_at, 49) };
  const { body: other } = await api.post('/v1/bookings', bookingBody(room.id, later));
  const there = `${home}/bookings/${other.id}/change`;
  const unpaid = await session.getText(there);
  t.deepEqual(fixedIn(unpaid), [true, true, true]);
  t.regex(
    pageText(unpaid),
    /Room Garden room Start .* End .* cannot be changed until the booking has been paid/,
  );
  await api.post(`/v1/bookings/${other.id}/payments`, { method: 'cash', amount_minor: 3_000 });
  t.deepEqual(fixedIn(await session.getText(there)), [false, false, false]);
});

test('a longer time for a booking that has begun is paid by link until the end of the booking', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { slot_minutes: 60, edit_window_minutes: 30 });
  const { start_at, end_at } = await runningHour();
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id, { start_at, end_at }));
  await api.post(`/v1/bookings/${booking.id}/payments`, { method: 'cash', amount_minor: 3_000 });
  const longer = { end_at: hoursLater(end_at, 1) };
  const { expires_at, checkout_url } = await changeByLink(t, api, booking.id, longer);
  t.true(Date.parse(expires_at) > Date.now() && Date.parse(expires_at) <= Date.parse(end_at));
  await pay({ checkout_url });
  // Not its status, which was confirmed before.
  await until(
    async () => (await api.get(`/v1/bookings/${booking.id}`)).body.end_at === hoursLater(end_at, 1),
  );
  await sweep(t, workspace);
});
