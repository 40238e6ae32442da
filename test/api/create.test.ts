import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { sweep } from '../support/invariants.js';
import {
  bookingBody,
  client,
  db,
  dev,
  freeHour,
  newRoom,
  newWorkspace,
  simulator,
  type Answer,
  type TestWorkspace,
} from '../support/stack.js';
import { newMember } from './people.js';

const HOUR = 3_600_000;
const later = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * HOUR).toISOString();

function refused(t: ExecutionContext<any>, answer: Answer, status: number, code: string, reason?: string) {
  t.is(answer.status, status, JSON.stringify(answer.body));
  t.is(answer.body.error.code, code);
  if (reason) t.is(answer.body.error.details.reason, reason);
}

/** Clients of one workspace on every API process, to be taken in turn. */
function everywhere({ api }: TestWorkspace) {
  const clients = dev.baseUrls.map((url) => client(api.token, url));
  return (turn: number) => clients[turn % clients.length]!;
}

async function sessionsOf({ accountId }: TestWorkspace): Promise<any[]> {
  const { sessions } = await simulator('GET', '/_sim/ledger');
  return sessions.filter((session: any) => session.account === accountId);
}

test('of 30 identical creates at once, through two processes, one gets the slot', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const slot = freeHour();
  const on = everywhere(workspace);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, turn) => on(turn).post('/v1/bookings', bookingBody(room.id, slot))),
  );
  t.true(dev.baseUrls.length > 1, 'the stack needs API_PROCESSES=2');
  const lost = answers.filter(({ status }) => status !== 201);
  t.is(lost.length, 29);
  for (const answer of lost) refused(t, answer, 409, 'slot_unavailable', 'booked');
  t.is((await sessionsOf(workspace)).length, 1);
  await sweep(t, workspace);
});

test('overlapping slots that are not identical conflict while both are unpaid', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { start_at, end_at } = freeHour();
  const slots = [
    { start_at, end_at: later(end_at, 1) },
    { start_at: later(start_at, 0.5), end_at },
    { start_at: later(start_at, -0.5), end_at: later(start_at, 0.5) },
    { start_at: later(start_at, -0.5), end_at: later(end_at, 1.5) },
    { start_at: later(end_at, 0.5), end_at: later(end_at, 1.5) },
  ];
  const [first, ...rest] = slots;
  t.is((await api.post('/v1/bookings', bookingBody(room.id, first))).status, 201);
  for (const slot of rest) {
    refused(t, await api.post('/v1/bookings', bookingBody(room.id, slot)), 409, 'slot_unavailable', 'booked');
  }
  await sweep(t, workspace);
});

test('overlapping creates at once never both stand, and one of them does', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const on = everywhere(workspace);
  for (let round = 0; round < 6; round++) {
    const { start_at } = freeHour(90 + round);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => {
        // Each one covers the hour's middle; no two are the same.
        const from = later(start_at, -0.5 * (turn % 5));
        const to = later(start_at, 1 + 0.5 * Math.floor(turn / 5));
        return on(turn).post('/v1/bookings', bookingBody(room.id, { start_at: from, end_at: to }));
      }),
    );
    t.is(answers.filter(({ status }) => status === 201).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      refused(t, answer, 409, 'slot_unavailable', 'booked');
  }
  await sweep(t, workspace);
});

test('back-to-back bookings do not conflict, nor does the same time in another room', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [room, other] = [await newRoom(api), await newRoom(api, { name: 'Red room' })];
  const { start_at, end_at } = freeHour();
  const answers = await Promise.all([
    api.post('/v1/bookings', bookingBody(room.id, { start_at: later(start_at, -1), end_at: start_at })),
    api.post('/v1/bookings', bookingBody(room.id, { start_at, end_at })),
    api.post('/v1/bookings', bookingBody(room.id, { start_at: end_at, end_at: later(end_at, 1) })),
    api.post('/v1/bookings', bookingBody(other.id, { start_at, end_at })),
  ]);
  t.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  await sweep(t, workspace);
});

test('a create answers the booking that was asked for, held and payable', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { capacity: 4 });
  const body = bookingBody(room.id, { notes: 'Two screens, please', attendees: 3 });
  const { status, body: booking } = await api.post('/v1/bookings', body);
  t.is(status, 201);
  t.like(booking, {
    status: 'pending_payment',
    room: { id: room.id, name: 'Blue room' },
    room_id: room.id,
    start_at: body.start_at,
    end_at: body.end_at,
    booked_by: body.booked_by,
    notes: 'Two screens, please',
    attendees: 3,
    price: { currency: 'GBP', amount_minor: 3_000 }, // 25.00 and 20 % of it
    member_id: null,
    company_id: null,
    confirmed_at: null,
    confirmation_source: null,
    processor_payment_intent_id: null,
    sequence: 0,
  });
  t.regex(booking.id, /^bk_[0-9a-z]{26}$/);
  t.regex(booking.invoice_id, /^inv_[0-9a-z]{26}$/);
  const hold = Date.parse(booking.expires_at) - Date.parse(booking.created_at);
  t.true(Math.abs(hold - 1_800_000) < 15_000, `the hold is half an hour, not ${hold} ms`);
  t.is((await fetch(booking.checkout_url)).status, 200);
  t.deepEqual((await api.get(`/v1/bookings/${booking.id}`)).body, booking);
  const [session] = await sessionsOf(workspace);
  t.is(session.amount_total, 3_000);
  t.is(session.metadata.booking_id, booking.id);
  t.is(session.customer_creation, 'always');
  await sweep(t, workspace);
});

test('times with an offset mean the same instant, and come out in UTC', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const { start_at, end_at } = freeHour();
  const inDelhi = (time: string): string =>
    `${new Date(Date.parse(time) + 5.5 * HOUR).toISOString().slice(0, 19)}+05:30`;
  const body = bookingBody(room.id, { start_at: inDelhi(start_at), end_at: inDelhi(end_at) });
  const made = await api.post('/v1/bookings', body);
  t.is(made.status, 201);
  t.is(made.body.start_at, start_at);
  t.is(made.body.end_at, end_at);
  const again = await api.post('/v1/bookings', { ...body, start_at, end_at });
  t.is(again.status, 200, 'the same instant in other words is the same body');
  t.is(again.body.id, made.body.id);
});

test('resource_id, member_id and duration_minutes mean room_id, booked_by.member_id and end_at', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  const { start_at, end_at } = freeHour();
  const key = randomUUID();
  const aliases = {
    resource_id: room.id,
    start_at,
    duration_minutes: 60,
    member_id: member.id,
    idempotency_key: key,
  };
  const made = await api.post('/v1/bookings', aliases);
  t.is(made.status, 201);
  t.like(made.body, {
    room_id: room.id,
    end_at,
    booked_by: { member_id: member.id },
    member_id: member.id,
    attendees: 1,
  });

  const plain = {
    room_id: room.id,
    start_at,
    end_at,
    booked_by: { member_id: member.id },
    idempotency_key: key,
  };
  for (const same of [plain, { ...plain, ...aliases }, { ...plain, attendees: 1, notes: '' }]) {
    const again = await api.post('/v1/bookings', same);
    t.is(again.status, 200, JSON.stringify(again.body));
    t.is(again.body.id, made.body.id);
  }
  await sweep(t, workspace);
});

test('an alias that disagrees with its field is refused and named', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  const disagreements: [Record<string, unknown>, string][] = [
    [{ resource_id: randomUUID() }, 'resource_id'],
    [{ duration_minutes: 90 }, 'duration_minutes'],
    [{ member_id: member.id }, 'member_id'],
    [{ booked_by: { member_id: workspace.ownerId }, member_id: member.id }, 'member_id'],
  ];
  for (const [overrides, param] of disagreements) {
    const answer = await api.post('/v1/bookings', bookingBody(room.id, overrides));
    refused(t, answer, 422, 'validation_failed');
    t.is(answer.body.error.param, param);
  }
});

test('50 parallel retries with one key make one booking and one checkout session', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const on = everywhere(workspace);
  const body = bookingBody(room.id);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, turn) => on(turn).post('/v1/bookings', body)),
  );
  t.is(answers.filter(({ status }) => status === 201).length, 1);
  t.is(answers.filter(({ status }) => status === 200).length, 49);
  t.is(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1);
  t.is((await sessionsOf(workspace)).length, 1);
  const rows = await db.query('SELECT count(*) FROM bookings WHERE workspace_id = $1', [workspace.id]);
  t.deepEqual(rows, [{ count: 1 }]);
  await sweep(t, workspace);
});

test('a key with another body is a conflict, whatever field differs', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const other = await newRoom(api);
  const body = bookingBody(room.id);
  t.is((await api.post('/v1/bookings', body)).status, 201);
  const differences = [
    { room_id: other.id },
    freeHour(),
    { end_at: later(body.end_at, 0.5) },
    { attendees: 2 },
    { notes: 'other' },
    { booked_by: { member_id: workspace.ownerId } },
    { booked_by: { guest: { ...body.booked_by.guest, name: 'Someone Else' } } },
  ];
  for (const difference of differences) {
    refused(t, await api.post('/v1/bookings', { ...body, ...difference }), 409, 'idempotency_conflict');
  }
  await sweep(t, workspace);
});

test('one key with two bodies at once: one of them wins, the other is a conflict', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const on = everywhere(workspace);
  const body = bookingBody(room.id);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      on(turn).post('/v1/bookings', { ...body, ...(turn % 2 && { notes: 'the other body' }) }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  t.is(statuses.filter((status) => status === 201).length, 1);
  t.is(statuses.filter((status) => status === 200).length, 9);
  for (const answer of answers.filter(({ status }) => status > 201))
    refused(t, answer, 409, 'idempotency_conflict');
  await sweep(t, workspace);
});

test('the Idempotency-Key header may repeat the key of the body and not contradict it', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const body = bookingBody(room.id);
  const differs = await api.post('/v1/bookings', body, { 'idempotency-key': randomUUID() });
  refused(t, differs, 422, 'validation_failed');
  t.is(differs.body.error.param, 'Idempotency-Key');
  const same = await api.post('/v1/bookings', body, { 'idempotency-key': body.idempotency_key });
  t.is(same.status, 201);
  const shouted = body.idempotency_key.toUpperCase();
  const again = await api.post(
    '/v1/bookings',
    { ...body, idempotency_key: shouted, room_id: room.id.toUpperCase() },
    { 'idempotency-key': shouted },
  );
  t.is(again.status, 200, 'a UUID in capitals is the same UUID');
});

test('a key belongs to its workspace', async (t) => {
  const [one, two] = [await newWorkspace(), await newWorkspace()];
  const idempotency_key = randomUUID();
  for (const { api } of [one, two]) {
    const room = await newRoom(api);
    t.is((await api.post('/v1/bookings', bookingBody(room.id, { idempotency_key }))).status, 201);
  }
});

test('the key of a refused create is free for another body', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const taken = bookingBody(room.id);
  t.is((await api.post('/v1/bookings', taken)).status, 201);
  const { start_at, end_at } = taken;
  const body = bookingBody(room.id, { start_at, end_at });
  refused(t, await api.post('/v1/bookings', body), 409, 'slot_unavailable', 'booked');
  t.is((await api.post('/v1/bookings', { ...body, ...freeHour(), attendees: 2 })).status, 201);
  await sweep(t, workspace);
});

test('the price is rate by minutes, less the discount of the tier, plus tax, each rounded once', async (t) => {
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
  const cases: [any, Record<string, unknown>, string, number][] = [
    [await room('GBP', 2_506), quarter(), 'GBP', 752], // 626.5 → 627; tax 125.4 → 125
    [await room('GBP', 2_506), { ...quarter(), ...byPro }, 'GBP', 640], // 532.525 → 533; tax 106.6 → 107
    [await room('gbp', 1_999, { tax_code: 'REDUCED' }), quarter(), 'GBP', 525], // 499.75 → 500; tax 25
    [await room('JPY', 1_250), quarter(), 'JPY', 376], // 312.5 → 313; tax 62.6 → 63
    [await room('KWD', 5_125, { tax_code: 'ZERO' }), freeHour(), 'KWD', 5_125],
  ];
  for (const [{ id }, overrides, currency, amount_minor] of cases) {
    const { status, body } = await api.post('/v1/bookings', bookingBody(id, overrides));
    t.is(status, 201, JSON.stringify(body));
    t.deepEqual(body.price, { currency, amount_minor });
  }
  const charged = (await sessionsOf(workspace)).map((session) => session.amount_total).toSorted();
  t.deepEqual(charged, cases.map(([, , , amount]) => amount).toSorted());
  await sweep(t, workspace);
});

test('a later change of the room does not change the price of a booking', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  await api.patch(`/v1/rooms/${room.id}`, { price_per_hour: { currency: 'EUR', amount_minor: 9_900 } });
  t.deepEqual((await api.get(`/v1/bookings/${booking.id}`)).body.price, booking.price);
  const { body: next } = await api.post('/v1/bookings', bookingBody(room.id));
  t.deepEqual(next.price, { currency: 'EUR', amount_minor: 11_880 });
});

test('what costs nothing is confirmed at once, also where there is no processor', async (t) => {
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

test('without an onboarded processor a booking that costs money is 412, and nothing is stored', async (t) => {
  const workspace = await newWorkspace({ processor_account_id: null });
  const { api } = workspace;
  const room = await newRoom(api);
  refused(t, await api.post('/v1/bookings', bookingBody(room.id)), 412, 'processor_unconfigured');
  const stored = await db.query(
    'SELECT 1 FROM bookings WHERE workspace_id = $1 UNION ALL SELECT 1 FROM booking_requests WHERE workspace_id = $1',
    [workspace.id],
  );
  t.deepEqual(stored, []);
});

test('the turnaround after a booking is kept free, before and after it', async (t) => {
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

test('a blackout, a closed room and an archived one say so', async (t) => {
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
  const date = new Date(Date.now() + 7 * 24 * HOUR);
  while (date.getUTCDay() !== weekday) date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

test("only the room's tiers may book it, and a guest has none", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { tiers: ['pro', 'enterprise'] });
  const [basic, pro] = [await newMember(workspace), await newMember(workspace, { tier: 'pro' })];
  const as = (booked_by: unknown) => api.post('/v1/bookings', bookingBody(room.id, { booked_by }));
  refused(t, await as({ member_id: basic.id }), 403, 'tier_not_allowed');
  refused(t, await as({ guest: { email: 'guest@example.com', name: 'Guest' } }), 403, 'tier_not_allowed');
  t.is((await as({ member_id: pro.id })).status, 201);
});

test('a booking that does not fit the room is refused by the field that is wrong', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { capacity: 4, min_minutes: 60, max_minutes: 120 });
  const { start_at, end_at } = freeHour();
  const past = new Date(Math.floor(Date.now() / HOUR) * HOUR - 24 * HOUR).toISOString();
  const tooFar = new Date(Math.ceil(Date.now() / HOUR) * HOUR + 731 * 24 * HOUR).toISOString();
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
    const answer = await api.post('/v1/bookings', bookingBody(room.id, overrides));
    refused(t, answer, 422, code);
    t.is(answer.body.error.param, param, JSON.stringify(overrides));
  }
  t.is((await api.post('/v1/bookings', bookingBody(room.id, { attendees: 4 }))).status, 201);
});

test('a room or a member that the workspace does not have is 404', async (t) => {
  const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
  const room = await newRoom(workspace.api);
  const foreignRoom = await newRoom(stranger.api);
  const book = (roomId: string, rest = {}) => workspace.api.post('/v1/bookings', bookingBody(roomId, rest));
  refused(t, await book(randomUUID()), 404, 'room_not_found');
  refused(t, await book(foreignRoom.id), 404, 'room_not_found');
  const member_id = stranger.ownerId;
  refused(t, await book(room.id, { booked_by: { member_id } }), 404, 'member_not_found');
});

test('a member books as themselves only, an admin for everyone', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const member = await newMember(workspace);
  const admin = await newMember(workspace, { role: 'admin' });
  const forMember = () => bookingBody(room.id, { booked_by: { member_id: member.id } });
  t.is((await member.api.post('/v1/bookings', forMember())).status, 201);
  t.is((await admin.api.post('/v1/bookings', forMember())).status, 201);
  const forAdmin = bookingBody(room.id, { booked_by: { member_id: admin.id } });
  refused(t, await member.api.post('/v1/bookings', forAdmin), 403, 'role_insufficient');
  refused(t, await member.api.post('/v1/bookings', bookingBody(room.id)), 403, 'role_insufficient');
});

test('a blackout and a booking of the same instant never both stand', async (t) => {
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
    `SELECT b.id FROM bookings b JOIN blackouts o ON o.room_id = b.room_id AND o.during && tstzrange(b.start_at, b.end_at)
     WHERE b.workspace_id = $1`,
    [workspace.id],
  );
  t.deepEqual(both, []);
  await sweep(t, workspace);
});
