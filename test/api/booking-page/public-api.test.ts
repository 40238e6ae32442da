import test from 'ava';
import { randomUUID } from 'node:crypto';
import { client } from '../../support/api-client.js';
import { bookingBody, createBooking, hoursLater, pay, untilStatus } from '../../support/bookings.js';
import { ON_NEXT_MONDAY } from '../../support/days.js';
import { sweep } from '../../support/invariants.js';
import { mailTo } from '../../support/simulators.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { addresses, anyAddress } from '../../support/limit-calls.js';
import { newSite, ORIGIN, publicBookingBody } from '../../support/publishable-calls.js';

const PATH = '/v1/public/rooms';

test('on a website a public guest sees rooms, free times and a price, books, pays, and reads their booking', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { name: 'Garden room', capacity: 8 });
  await newRoom(api, { name: 'For members', tiers: ['pro'] });
  const { site } = await newSite(api);
  const { body: rooms } = await site.get(PATH);
  t.deepEqual(
    rooms.data.map(({ id, hour_price }) => [id, hour_price]),
    [[room.id, { currency: 'GBP', amount_minor: 3_000 }]],
  );
  const body = publicBookingBody(room.id, { attendees: 4 });
  const day = `from=${body.start_at}&to=${hoursLater(body.start_at, 24)}`;
  const free = async () =>
    (await site.get(`/v1/public/availability?room_id=${room.id}&${day}`)).body.free[0]!.start_at;
  t.is(Date.parse(await free()), Date.parse(body.start_at));
  const { room_id, start_at, end_at, attendees } = { attendees: 4, ...body };
  const quoted = await site.post('/v1/public/quotes', { room_id, start_at, end_at, attendees });
  t.is(quoted.status, 200);
  t.like(quoted.body, { price: { currency: 'GBP', amount_minor: 3_000 }, available: true });

  const paying = { ...body, expected_price_minor: 3_000 };
  const other = await site.post('/v1/public/bookings', { ...body, expected_price_minor: 2_900 });
  isError(t, other, 422, 'validation_failed');
  const [made, ...more] = await Promise.all(
    Array.from({ length: 3 }, () => site.post('/v1/public/bookings', paying)),
  );
  t.deepEqual([made!.status, ...more.map(({ status }) => status)].sort(), [200, 200, 201]);
  const { body: booking } = made!;
  t.like(booking, { status: 'pending_payment', price: { currency: 'GBP', amount_minor: 3_000 } });
  t.is(Date.parse(await free()), Date.parse(body.end_at), 'the slot is held');
  isError(
    t,
    await site.post('/v1/public/bookings', { ...paying, attendees: 5 }),
    409,
    'idempotency_conflict',
  );
  const taken = await site.post('/v1/public/bookings', { ...paying, idempotency_key: randomUUID() });
  isError(t, taken, 409, 'slot_unavailable');
  const { data } = (await api.get(`/v1/bookings?reference=${booking.reference}`)).body;
  t.is(data.length, 1);
  t.like(data[0]!, { source: 'page', attendees: 4 });
  await pay(data[0]!);
  await untilStatus(api, data[0]!.id, 'confirmed');
  const own = await site.get(`/v1/public/bookings/${booking.manage_token!}`);
  t.like(own.body, { status: 'confirmed', reference: booking.reference, checkout_url: null });
  t.false(JSON.stringify(own.body).includes(body.guest.email), 'nothing about the guest');
  t.is((await site.post('/v1/public/bookings', paying)).body.manage_url, booking.manage_url);
  await api.post(`/v1/bookings/${data[0]!.id}/rotate-manage-link`);
  t.is((await site.post('/v1/public/bookings', paying)).body.manage_url, null, 'staff have replaced it');
  await sweep(t, workspace);
});

test('the link to a free booking is only in its mail', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const { site } = await newSite(api);
  const body = publicBookingBody(room.id);
  const made = await site.post('/v1/public/bookings', body);
  t.is(made.status, 201);
  t.like(made.body, { status: 'to_confirm', manage_url: null, manage_token: null, checkout_url: null });
  t.truthy(made.body.expires_at);
  const mail = await until(async () => (await mailTo(body.guest.email))[0]);
  const link = mail.links.find((each) => each.includes('/confirm/'))!;
  await fetch(link, { method: 'POST' });
  const again = await until(async () => {
    const repeat = await site.post('/v1/public/bookings', body);
    return repeat.body.status === 'confirmed' && repeat;
  });
  t.is(again.body.manage_url, null, 'who entered the address has not shown that it is theirs');
});

test('questions and terms of the booking page apply to websites', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const questions = [
    { id: 'diet', label: 'Anything you do not eat?', kind: 'text', required: true, choices: [] },
  ];
  const terms = { url: 'https://harbour.example/terms', version: '2' };
  await api.put('/v1/booking-page', { slug: `house-${randomUUID().slice(0, 8)}`, questions, terms });
  const { site } = await newSite(api);
  const { body } = await site.get(PATH);
  t.deepEqual([body.questions, body.terms], [questions, terms] as never);
  const refused = async (more: object, param: string): Promise<void> => {
    const response = await site.post('/v1/public/bookings', publicBookingBody(room.id, { ...more }));
    isError(t, response, 422, 'validation_failed');
    t.is(response.body.error.param, param);
  };
  await refused({ terms_version: '2' }, 'answer_diet');
  await refused({ answers: { diet: 'Nuts' }, terms_version: '1' }, 'terms_version');
  const answered = publicBookingBody(room.id, { answers: { diet: 'Nuts' }, terms_version: '2' });
  t.is((await site.post('/v1/public/bookings', answered)).status, 201);
});

test('a site books only the rooms of its key, and reads only guests’ bookings of those rooms', async (t) => {
  const [{ api, ownerId }, theirs] = await Promise.all([newWorkspace(), newWorkspace()]);
  const [room, other] = [await newRoom(api), await newRoom(api)];
  const { site } = await newSite(api, { room_ids: [room.id] });
  const all = (await newSite(api)).site;
  const foreign = (await newSite(theirs.api)).site;
  isError(t, await site.post('/v1/public/bookings', publicBookingBody(other.id)), 404, 'room_not_found');
  isError(t, await foreign.post('/v1/public/bookings', publicBookingBody(room.id)), 404, 'room_not_found');
  isError(
    t,
    await site.get(`/v1/public/availability?room_id=${other.id}&${ON_NEXT_MONDAY}`),
    404,
    'room_not_found',
  );
  const { room_id, start_at, end_at } = publicBookingBody(other.id);
  isError(t, await site.post('/v1/public/quotes', { room_id, start_at, end_at }), 404, 'room_not_found');

  const tokenInUrl = (url: string | null): string => url!.split('/').at(-1)!;
  const guests = tokenInUrl((await createBooking(api, bookingBody(other.id))).manage_url);
  t.is((await all.get(`/v1/public/bookings/${guests}`)).status, 200);
  for (const one of [site, foreign])
    isError(t, await one.get(`/v1/public/bookings/${guests}`), 404, 'booking_not_found');
  isError(t, await all.get(`/v1/public/bookings/${guests}x`), 404, 'booking_not_found');
  const members = bookingBody(room.id, { booked_by: { member_id: ownerId } });
  const url = tokenInUrl((await createBooking(api, members)).manage_url);
  isError(t, await all.get(`/v1/public/bookings/${url}`), 404, 'booking_not_found');
});

test('browsers may use a key from exactly its origins, also in preflights, and secret keys from none', async (t) => {
  const { api } = await newWorkspace();
  // Origins that no other test's key has.
  const [mine, other] = [`https://${randomUUID()}.example`, `https://${randomUUID()}.example`];
  const { site, key } = await newSite(api, { origins: [mine] });
  const cors = (headers: Headers) =>
    [...headers].filter(([name]) => name.startsWith('access-control-')).map(([name]) => name);
  const preflight = (origin: string, path = '/v1/public/bookings') =>
    fetch(dev.baseUrl + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
  const asked = await preflight(mine);
  t.is(asked.status, 204);
  t.is(asked.headers.get('access-control-allow-origin'), mine);
  t.is(asked.headers.get('access-control-allow-credentials'), null);
  const sendable = asked.headers.get('access-control-allow-headers')!.toLowerCase().split(', ');
  for (const name of ['authorization', 'content-type', 'baggage', 'sentry-trace', 'traceparent'])
    t.true(sendable.includes(name), name);
  t.regex(asked.headers.get('vary')!, /Origin/);
  for (const origin of [other, 'null', mine.replace('https', 'http'), `${mine}.evil.example`]) {
    const refused = await preflight(origin);
    t.is(refused.status, 403, origin);
    t.deepEqual(cors(refused.headers), [], origin);
    const sent = await site.get(PATH, undefined, { origin });
    isError(t, sent, 403, 'origin_not_allowed', origin);
    t.deepEqual(cors(sent.headers), [], origin);
  }
  t.deepEqual(cors((await preflight(mine, '/v1/bookings')).headers), [], 'only for publishable keys');

  const shown = await site.get(PATH, undefined, { origin: mine });
  t.is(shown.status, 200);
  t.is(shown.headers.get('access-control-allow-origin'), mine);
  t.is(shown.headers.get('access-control-allow-credentials'), null);
  t.is((await site.get(PATH)).status, 200, 'a program sends no origin');
  const invalid = await site.post('/v1/public/quotes', {}, { origin: mine });
  t.is(invalid.headers.get('access-control-allow-origin'), mine, 'the site can read errors');
  const secret = await client(api.token).get(PATH, undefined, { origin: mine });
  t.is(secret.status, 401);
  t.deepEqual(cors(secret.headers), []);
  const elsewhere = await api.get('/v1/rooms', undefined, { origin: mine });
  t.is(elsewhere.status, 200);
  t.deepEqual(cors(elsewhere.headers), []);
  await api.delete(`/v1/api-keys/${key.id}`);
  t.is((await preflight(mine)).status, 403, 'once it is revoked');
});

test('a website has its own limits, by address and by key, and uses nothing of the calendar bucket', async (t) => {
  // A tenth of the limits: 6 for an address, 60 for a key.
  const { here } = await addresses();
  const { api } = await newWorkspace();
  await newRoom(api);
  const { site } = await newSite(api, {}, here);
  const from = (address: string) => site.get(PATH, undefined, { 'x-forwarded-for': address });
  const staff = async () =>
    (
      await client(api.token, here).get('/v1/rooms', undefined, { 'x-forwarded-for': '192.0.2.1' })
    ).headers.get('x-ratelimit-remaining');
  const before = Number(await staff());
  const one = anyAddress();
  // Concurrently, since the bucket refills in the meantime.
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => from(one)))).map(
    ({ status }) => status,
  );
  t.is(statuses.filter((status) => status === 200).length, 6);
  const refused = await from(one);
  isError(t, refused, 429, 'rate_limited');
  t.truthy(refused.headers.get('retry-after'));
  t.is((await from(anyAddress())).status, 200, 'another address');
  const many = await Promise.all(Array.from({ length: 80 }, (_, n) => from(`100.65.${n}.1`)));
  t.true(many.filter(({ status }) => status === 429).length >= 10, 'all addresses of a key together');
  t.true(Number(await staff()) >= before - 2, 'the calendar’s bucket is as full as it was');
});

test('the limit of unpaid bookings of a mailbox is the same on the page and on websites', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const { site } = await newSite(api, { origins: [ORIGIN] });
  const guest = { email: uniqueEmail(), name: 'Grace Guest' };
  for (const expected of [201, 201, 429]) {
    const response = await site.post('/v1/public/bookings', publicBookingBody(room.id, { guest }));
    t.is(response.status, expected);
  }
});

test('websites get no service during maintenance', async (t) => {
  const { api, id } = await newWorkspace();
  const { site } = await newSite(api);
  await db.query(
    `UPDATE workspaces SET maintenance_starts_at = now() - interval '1 minute',
       maintenance_ends_at = now() + interval '1 hour' WHERE id = $1`,
    [id],
  );
  const closed = await site.get(PATH);
  isError(t, closed, 503, 'maintenance');
  t.truthy(closed.headers.get('retry-after'));
});

test('a website is told if a part of a room, or the whole it belongs to, is booked', async (t) => {
  const { api } = await newWorkspace();
  const part = await newRoom(api, { name: 'Hall, left' });
  const hall = await newRoom(api, { name: 'Hall', parts: [part.id] });
  const { site } = await newSite(api);
  const body = publicBookingBody(part.id);
  t.is((await site.post('/v1/public/bookings', body)).status, 201);
  const { start_at, end_at } = body;
  const quoted = await site.post('/v1/public/quotes', { room_id: hall.id, start_at, end_at });
  t.like(quoted.body, { available: false, reason: 'part_booked' });
  const day = `from=${start_at}&to=${hoursLater(start_at, 2)}`;
  const { body: free } = await site.get(`/v1/public/availability?room_id=${hall.id}&${day}`);
  t.deepEqual(
    free.free.map(({ start_at: start }) => Date.parse(start)),
    [Date.parse(end_at)],
  );
  const taken = await site.post('/v1/public/bookings', publicBookingBody(hall.id, { start_at, end_at }));
  isError(t, taken, 409, 'slot_unavailable');
  t.is(taken.body.error.details!.reason, 'part_booked');
});

test('extras of a room can be booked with it on a website, and internal ones are not shown', async (t) => {
  const { api } = await newWorkspace();
  const [room, other] = [await newRoom(api), await newRoom(api)];
  const price = { currency: 'GBP', amount_minor: 1_000 };
  const make = async (more: object) =>
    (await api.post('/v1/extras', { name: 'Lunch', unit: 'piece', price, tax_code: 'STANDARD', ...more }))
      .body;
  const lunch = await make({ rooms: [room.id], stock: 3 });
  await make({ name: 'Key', internal: true });
  const { site } = await newSite(api);
  const { body } = await site.get(PATH);
  const shown = (id: string) => body.data.find((each) => each.id === id)!.extras;
  t.deepEqual(shown(room.id), [{ id: lunch.id, name: 'Lunch', unit: 'piece', price }]);
  t.deepEqual(shown(other.id), []);
  const extras = [{ extra_id: lunch.id, quantity: 2 }];
  const booking = publicBookingBody(room.id, { extras });
  const { room_id, start_at, end_at } = booking;
  const quoted = await site.post('/v1/public/quotes', { room_id, start_at, end_at, extras });
  // An hour and two lunches, each with 20 % tax.
  t.is(quoted.body.price.amount_minor, 3_000 + 2_400);
  const made = await site.post('/v1/public/bookings', { ...booking, expected_price_minor: 5_400 });
  t.is(made.status, 201);
  t.is(made.body.price.amount_minor, 5_400);
  const elsewhere = await site.post('/v1/public/bookings', {
    ...publicBookingBody(other.id),
    extras,
  });
  t.is(elsewhere.status, 422);
});

test('a discount code lowers the price on a website as elsewhere', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  t.is((await api.post('/v1/discounts', { code: 'SPRING', percent: 50, max_uses: 1 })).status, 201);
  const { site } = await newSite(api);
  const booking = publicBookingBody(room.id, { discount_code: 'spring', expected_price_minor: 1_500 });
  const { room_id, start_at, end_at } = booking;
  const wanted = { room_id, start_at, end_at };
  const quoted = await site.post('/v1/public/quotes', { ...wanted, discount_code: 'spring' });
  t.is(quoted.body.price.amount_minor, 1_500);
  t.is((await site.post('/v1/public/bookings', booking)).status, 201);
  const again = publicBookingBody(room.id, { discount_code: 'SPRING' });
  isError(t, await site.post('/v1/public/bookings', again), 409, 'discount_unavailable');
});
