import { HOUR_MS } from '../../../domain/durations.js';
import test from 'ava';
import { sweep } from '../../support/invariants.js';
import { bookingBody, freeHour } from '../../support/bookings.js';
import { db } from '../../support/stack.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { everywhere, later, refused } from '../../support/booking-calls.js';
import { newMember } from '../../support/people.js';

test('the turnaround is kept free before and after a booking', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { turnaround_minutes: 30 });
  const { start_at, end_at } = freeHour();
  const book = (from: string, to: string) =>
    api.post('/v1/bookings', bookingBody(room.id, { start_at: from, end_at: to }));
  t.is((await book(start_at, end_at)).status, 201);
  refused(t, await book(end_at, later(end_at, 1)), 409, 'slot_unavailable', 'booked');
  refused(t, await book(later(start_at, -1), start_at), 409, 'slot_unavailable', 'booked');
  t.is((await book(later(end_at, 0.5), later(end_at, 1))).status, 201);
  t.is((await book(later(start_at, -1), later(start_at, -0.5))).status, 201);
  await sweep(t, workspace);
});

test('a conflict has the reason blackout or closed', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const blackedOut = await newRoom(api);
  const slot = freeHour();
  const middle = { start_at: later(slot.start_at, 0.5), end_at: later(slot.end_at, 0.5) };
  t.is((await api.post(`/v1/rooms/${blackedOut.id}/blackouts`, middle)).status, 201);
  const inBlackout = await api.post('/v1/bookings', bookingBody(blackedOut.id, slot));
  refused(t, inBlackout, 409, 'slot_unavailable', 'blackout');
  const before = { start_at: later(slot.start_at, -0.5), end_at: middle.start_at };
  t.is((await api.post('/v1/bookings', bookingBody(blackedOut.id, before))).status, 201, 'up to its edge');

  const monToFri = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['08:00', '20:00']]]),
  );
  const office = await newRoom(api, { time_zone: 'Asia/Tokyo', opening_hours: monToFri });
  const day = nextWeekday(1); // a Monday; Tokyo is 9 h ahead and has no summer time
  const on = (from: string, to: string) =>
    api.post(
      '/v1/bookings',
      bookingBody(office.id, { start_at: `${day}T${from}Z`, end_at: `${day}T${to}Z` }),
    );
  t.is((await on('10:00:00', '11:00:00')).status, 201, '19:00 to 20:00 in Tokyo');
  refused(t, await on('10:30:00', '11:30:00'), 409, 'slot_unavailable', 'closed');
  refused(t, await on('11:00:00', '12:00:00'), 409, 'slot_unavailable', 'closed');

  const archived = await newRoom(api);
  t.is((await api.patch(`/v1/rooms/${archived.id}`, { archived: true })).status, 200);
  refused(t, await api.post('/v1/bookings', bookingBody(archived.id)), 409, 'slot_unavailable', 'closed');
  await sweep(t, workspace);
});

/** The date of a weekday (0 = Sunday) at least a week ahead. */
function nextWeekday(weekday: number): string {
  const date = new Date(Date.now() + 7 * 24 * HOUR_MS);
  while (date.getUTCDay() !== weekday) date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

test("only members of the room's tiers can book it, and guests cannot", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { tiers: ['pro', 'enterprise'] });
  const [basic, pro] = [await newMember(workspace), await newMember(workspace, { tier: 'pro' })];
  const as = (booked_by: unknown) => api.post('/v1/bookings', bookingBody(room.id, { booked_by }));
  refused(t, await as({ member_id: basic.id }), 403, 'tier_not_allowed');
  refused(t, await as({ guest: { email: 'guest@example.com', name: 'Guest' } }), 403, 'tier_not_allowed');
  t.is((await as({ member_id: pro.id })).status, 201);
});

test("a booking that breaks the room's rules is refused and the error names the field", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { capacity: 4, min_minutes: 60, max_minutes: 120 });
  const { start_at, end_at } = freeHour();
  const past = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 24 * HOUR_MS).toISOString();
  const tooFar = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 731 * 24 * HOUR_MS).toISOString();
  const cases: [Record<string, unknown>, string, string][] = [
    [{ attendees: 5 }, 'validation_failed', 'attendees'],
    [{ start_at, end_at: later(start_at, 0.5) }, 'validation_failed', 'end_at'],
    [{ start_at, end_at: later(start_at, 2.5) }, 'validation_failed', 'end_at'],
    [{ start_at: later(start_at, 0.25), end_at }, 'slot_misaligned', 'start_at'],
    [{ start_at, end_at: later(end_at, 0.25) }, 'slot_misaligned', 'end_at'],
    [{ start_at: end_at, end_at: start_at }, 'validation_failed', 'end_at'],
    [{ start_at, end_at: start_at }, 'validation_failed', 'end_at'],
    [{ start_at: past, end_at: later(past, 1) }, 'validation_failed', 'start_at'],
    [{ start_at: tooFar, end_at: later(tooFar, 1) }, 'validation_failed', 'start_at'],
  ];
  for (const [overrides, code, param] of cases) {
    const response = await api.post('/v1/bookings', bookingBody(room.id, overrides));
    refused(t, response, 422, code);
    t.is(response.body.error.param, param, JSON.stringify(overrides));
  }
  t.is((await api.post('/v1/bookings', bookingBody(room.id, { attendees: 4 }))).status, 201);
});

test('of a concurrent blackout and booking of the same time, only one succeeds', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const on = everywhere(workspace);
  const outcomes = { booked: 0, blackedOut: 0 };
  const race = async (turn: number) => {
    const slot = freeHour();
    const [booking, blackout] = await Promise.all([
      on(turn).post('/v1/bookings', bookingBody(room.id, slot)),
      on(turn + 1).post(`/v1/rooms/${room.id}/blackouts`, slot),
    ]);
    if (booking.status === 201) {
      outcomes.booked++;
      refused(t, blackout, 409, 'slot_unavailable', 'booked');
    } else {
      outcomes.blackedOut++;
      refused(t, booking, 409, 'slot_unavailable', 'blackout');
      t.is(blackout.status, 201, JSON.stringify(blackout.body));
    }
  };
  for (let round = 0; round < 5; round++)
    await Promise.all(Array.from({ length: 12 }, (_, turn) => race(turn)));
  t.log(outcomes);
  const both = await db.query(
    `SELECT b.id FROM bookings b
      JOIN blackouts o ON o.room_id = b.room_id AND o.during && tstzrange(b.start_at, b.end_at)
     WHERE b.workspace_id = $1`,
    [workspace.id],
  );
  t.deepEqual(both, []);
  await sweep(t, workspace);
});
