import test from 'ava';
import { client } from '../support/api-client.js';
import { confirmedBooking, freeHour, hoursLater } from '../support/bookings.js';
import { withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';

const FREE = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };

/** Live bookings that overlap a blackout of the workspace. */
const overlapping = (workspaceId: string): Promise<{ id: string }[]> =>
  db.query(
    `SELECT b.id FROM bookings b
     JOIN blackouts o ON o.room_id = b.room_id AND o.during && tstzrange(b.start_at, b.end_at)
     WHERE b.workspace_id = $1 AND b.live_room_id IS NOT NULL`,
    [workspaceId],
  );

test('of a concurrent move and blackout of one slot only one succeeds, for moves to another room or time', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const on = (turn: number) => client(api.token, dev.baseUrls[turn % dev.baseUrls.length]);
  const [from, to] = [await newRoom(api, FREE), await newRoom(api, FREE)];
  const outcomes = { moved: 0, blackedOut: 0 };
  let pauseMs = 8;
  const race = async (turn: number): Promise<void> => {
    const slot = freeHour();
    const { booking } = await confirmedBooking(api, { room_id: from.id, slot });
    // Every other booking moves to another time in its room.
    const place = turn % 2 ? { room_id: to.id, ...slot } : { room_id: from.id, ...freeHour() };
    const { room_id, start_at, end_at } = place;
    const blackOut = async () => {
      // The blackout is sent at different moments of the move.
      await new Promise((resolve) => setTimeout(resolve, (turn % 8) ** 2 * pauseMs));
      return on(turn + 1).post(`/v1/rooms/${room_id}/blackouts`, { start_at, end_at });
    };
    const [moved, blackout] = await Promise.all([
      on(turn).patch(`/v1/bookings/${booking.id}`, place),
      blackOut(),
    ]);
    const { body: now } = await api.get(`/v1/bookings/${booking.id}`);
    if (moved.status === 200) {
      outcomes.moved++;
      t.like(blackout, { status: 409, body: { error: { code: 'slot_unavailable' } } });
      t.deepEqual(blackout.body.error.details, { reason: 'booked', booking_ids: [booking.id] });
      t.like(now, place);
    } else {
      outcomes.blackedOut++;
      t.is(blackout.status, 201, JSON.stringify(blackout.body));
      t.like(moved, { status: 409, body: { error: { details: { reason: 'blackout' } } } });
      t.deepEqual(now, booking, 'it is unchanged');
    }
  };
  const bothHappened = () => outcomes.moved > 0 && outcomes.blackedOut > 0;
  for (let round = 0; round < 3 || (round < 10 && !bothHappened()); round++) {
    await Promise.all(Array.from({ length: 8 }, (_, turn) => race(turn)));
    // How long a move takes depends on the load.
    if (outcomes.moved === 0) pauseMs *= 2;
    if (outcomes.blackedOut === 0) pauseMs /= 2;
  }
  t.log(outcomes);
  t.true(bothHappened(), 'each succeeds sometimes');
  t.deepEqual(await overlapping(workspace.id), []);
  await sweep(t, workspace);
});

test('while a move waits for its charge, a blackout of its new slot is refused unless forced', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const expensive = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 5_000 } });
  const { start_at, end_at } = booking;
  const blackouts = `/v1/rooms/${expensive.id}/blackouts` as const;
  const availability = new URLSearchParams({ room_id: expensive.id, from: start_at, to: end_at });
  const forcedPart = { start_at, end_at: hoursLater(start_at, 0.5), force: true };
  await withFaults(workspace, { latency_ms: 1_500 }, async () => {
    const asked = api.patch(`/v1/bookings/${booking.id}`, { room_id: expensive.id });
    await until(() =>
      db
        .query(`SELECT FROM booking_changes WHERE booking_id = $1 AND state = 'charging'`, [booking.id])
        .then((rows) => rows.length > 0),
    );
    const refused = await api.post(blackouts, { start_at, end_at });
    t.like(refused, { status: 409, body: { error: { code: 'slot_unavailable' } } });
    t.deepEqual(refused.body.error.details, { reason: 'booked', booking_ids: [booking.id] });
    const { body: seen } = await api.get(`/v1/availability?${availability}`);
    t.deepEqual(
      seen.data[0]!.busy,
      [{ start_at, end_at, reason: 'booked' }],
      'availability shows it as booked',
    );
    const forced = await api.post(blackouts, forcedPart);
    t.is(forced.status, 201);
    t.deepEqual(forced.body.booking_ids, [booking.id], 'a forced blackout lists the booking');
    const moved = await asked;
    t.is(moved.status, 200, JSON.stringify(moved.body));
    t.is(moved.body.room_id, expensive.id, 'the paid move succeeds');
  });
  const { body: after } = await api.get(`/v1/availability?${availability}`);
  t.deepEqual(
    after.data[0]!.busy.map((window) => window.reason),
    ['blackout', 'booked'],
  );
  await sweep(t, workspace);
});

test('a move whose charge fails releases its new slot', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { card: '4000000000000341' });
  const later = { start_at: hoursLater(booking.start_at, 3), end_at: hoursLater(booking.end_at, 4) };
  t.is((await api.patch(`/v1/bookings/${booking.id}`, later)).status, 402);
  t.is((await api.post(`/v1/rooms/${booking.room_id}/blackouts`, later)).status, 201);
  t.deepEqual(await overlapping(workspace.id), []);
  await sweep(t, workspace);
});
