import test from 'ava';
import { sweep } from '../../support/invariants.js';
import { bookingBody, freeHour } from '../../support/bookings.js';
import { db } from '../../support/stack.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { later, refused, listSessions } from '../../support/booking-calls.js';
import { newMember } from '../../support/people.js';
import type { Room } from '../../support/api-bodies.js';

test('the price is rate × minutes minus the tier discount, plus tax, each rounded once', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const pro = await newMember(workspace, { tier: 'pro' });
  const room = async (currency: string, amount_minor: number, rest = {}) =>
    newRoom(api, {
      slot_minutes: 15,
      price_per_hour: { currency, amount_minor },
      tier_discounts: { pro: 15 },
      ...rest,
    });
  const quarter = (): Record<string, unknown> => {
    const { start_at } = freeHour();
    return { start_at, end_at: later(start_at, 0.25) };
  };
  const byPro = { booked_by: { member_id: pro.id } };
  const cases: [Room, Record<string, unknown>, string, number][] = [
    [await room('GBP', 2_506), quarter(), 'GBP', 752], // 626.5 → 627; tax 125.4 → 125
    [await room('GBP', 2_506), { ...quarter(), ...byPro }, 'GBP', 640], // 532.525 → 533; tax 106.6 → 107
    [await room('gbp', 1_999, { tax_code: 'REDUCED' }), quarter(), 'GBP', 525], // 499.75 → 500; tax 25
    [await room('JPY', 1_250), quarter(), 'JPY', 376], // 312.5 → 313; tax 62.6 → 63
    [await room('KWD', 5_125, { tax_code: 'ZERO' }), freeHour(), 'KWD', 5_130], // a last digit of 0
  ];
  for (const [{ id }, overrides, currency, amount_minor] of cases) {
    const { status, body } = await api.post('/v1/bookings', bookingBody(id, overrides));
    t.is(status, 201, JSON.stringify(body));
    t.deepEqual(body.price, { currency, amount_minor });
  }
  const charged = (await listSessions(workspace)).map((session) => session.amount_total).toSorted();
  t.deepEqual(charged, cases.map(([, , , amount]) => amount).toSorted());
  await sweep(t, workspace);
});

test('a change of the room does not change the price of an existing booking', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  await api.patch(`/v1/rooms/${room.id}`, { price_per_hour: { currency: 'EUR', amount_minor: 9_900 } });
  t.deepEqual((await api.get(`/v1/bookings/${booking.id}`)).body.price, booking.price);
  const { body: next } = await api.post('/v1/bookings', bookingBody(room.id));
  t.deepEqual(next.price, { currency: 'EUR', amount_minor: 11_880 });
});

test('a free booking is confirmed immediately, even without a processor', async (t) => {
  const workspace = await newWorkspace({ processor_account_id: null });
  const { api } = workspace;
  const free = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const dear = await newRoom(api, { tier_discounts: { pro: 100 } });
  const pro = await newMember(workspace, { tier: 'pro' });
  for (const body of [
    bookingBody(free.id),
    bookingBody(dear.id, { booked_by: undefined, member_id: pro.id }),
  ]) {
    const made = await api.post('/v1/bookings', body);
    t.is(made.status, 201, JSON.stringify(made.body));
    t.like(made.body, { status: 'confirmed', checkout_url: null, expires_at: null });
    t.is(made.body.price.amount_minor, 0);
    t.truthy(made.body.confirmed_at);
    t.is((await api.post('/v1/bookings', body)).status, 200);
    const { start_at, end_at } = body;
    refused(
      t,
      await api.post('/v1/bookings', bookingBody(body.room_id, { start_at, end_at, member_id: undefined })),
      body.room_id === free.id ? 409 : 412,
      body.room_id === free.id ? 'slot_unavailable' : 'processor_unconfigured',
    );
  }
  await sweep(t, workspace);
});

test('without an onboarded processor, a booking with a price returns 412 and nothing is stored', async (t) => {
  const workspace = await newWorkspace({ processor_account_id: null });
  const { api } = workspace;
  const room = await newRoom(api);
  refused(t, await api.post('/v1/bookings', bookingBody(room.id)), 412, 'processor_unconfigured');
  const stored = await db.query(
    `SELECT 1 FROM bookings WHERE workspace_id = $1 UNION ALL SELECT 1 FROM booking_requests
      WHERE workspace_id = $1`,
    [workspace.id],
  );
  t.deepEqual(stored, []);
});
