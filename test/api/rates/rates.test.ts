import test from 'ava';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import { bookingBody, createBooking, hoursLater } from '../../support/bookings.js';
import { get } from '../../support/manage-link-calls.js';
import { newSite } from '../../support/publishable-calls.js';
import { dev } from '../../support/stack.js';
import { WebSession } from '../../support/web-session.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { refused } from '../../support/booking-calls.js';
import { newMember } from '../../support/people.js';

const rate = (overrides: Record<string, unknown> = {}) => ({
  name: 'Peak',
  amount_minor: 4_000,
  ...overrides,
});

test('rates are replaced as a whole under a version, which If-Match can require', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await newRoom(api);
  const path = `/v1/rooms/${id}/rates` as const;
  t.deepEqual((await api.get(path)).body, { version: 0, rates: [] });
  const first = await api.put(path, { rates: [rate(), rate({ name: 'Night', from: '22:00', to: '06:00' })] });
  t.is(first.status, 200);
  t.is(first.headers.get('etag'), '"1"');
  t.like(first.body, { version: 1, rates: [{ name: 'Peak', unit: 'hour', days: null }, { name: 'Night' }] });
  t.deepEqual((await api.get(path)).body, first.body);

  // The same list is no change; one rate keeps its id.
  t.is((await api.put(path, { rates: first.body.rates })).body.version, 1);
  const night = first.body.rates[1]!;
  const second = await api.put(path, { rates: [{ ...night, amount_minor: 1_000 }] }, { 'If-Match': '"1"' });
  t.like(second.body, { version: 2, rates: [{ id: night.id, amount_minor: 1_000 }] });
  const stale = await api.put(path, { rates: [] }, { 'If-Match': '1' });
  t.like(stale, { status: 412, body: { error: { code: 'version_conflict', details: { version: 2 } } } });
  for (const invalid of ['W/x', '', ' '])
    refused(t, await api.put(path, { rates: [] }, { 'If-Match': invalid }), 422, 'validation_failed');
  t.is((await api.get(path)).body.version, 2);
  t.like((await api.put(path, { rates: [] }, { 'If-Match': '*' })).body, { version: 3, rates: [] });
  const { data } = (await api.get('/v1/audit-log')).body;
  t.is(data.filter(({ action }) => action === 'room.rates_changed').length, 3);
});

test('of two changes to the same version, one is refused', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await newRoom(api);
  const put = (name: string) =>
    api.put(`/v1/rooms/${id}/rates`, { rates: [rate({ name })] }, { 'If-Match': '"0"' });
  const statuses = (await Promise.all(['A', 'B', 'C'].map(put))).map(({ status }) => status);
  t.deepEqual(statuses.toSorted(), [200, 412, 412]);
});

const CONTRADICTIONS: Record<string, [Record<string, unknown>, string]> = {
  'no amount': [{ amount_minor: undefined }, 'amount_minor'],
  'an end without a start': [{ to: '10:00' }, 'from'],
  'dates that end before they begin': [{ dates: { from: '2027-02-01', to: '2027-01-01' } }, 'dates.to'],
  'a day that does not exist': [{ dates: { from: '2027-02-30' } }, 'dates.from'],
  'a time that does not exist': [{ from: '24:00', to: '10:00' }, 'from'],
  'tiers of guests': [{ audience: { kind: 'guests', tiers: ['pro'] } }, 'audience.tiers'],
  'a cap under the minimum': [{ cap_minor: 100, minimum_minor: 200 }, 'cap_minor'],
  'an hourly price that is always charged': [{ always: true }, 'always'],
  'a price while closed': [{ closed: true }, 'amount_minor'],
  'closed for short bookings': [{ closed: true, amount_minor: 0, min_minutes: 60 }, 'min_minutes'],
  'notice that nobody can give': [{ notice: { min_minutes: 3_000, max_days: 2 } }, 'notice.max_days'],
  'an id of another room': [{ id: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4c01' }, 'id'],
  'no weekday': [{ days: [] }, 'days'],
  'a currency': [{ currency: 'EUR' }, 'currency'],
};

test('a contradictory rate is refused, the error names the field, and nothing is stored', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await newRoom(api);
  const path = `/v1/rooms/${id}/rates` as const;
  for (const [what, [overrides, field]] of Object.entries(CONTRADICTIONS)) {
    const { status, body } = await api.put(path, { rates: [rate(), rate(overrides)] });
    t.is(status, 422, what);
    t.like(body, { error: { code: 'validation_failed', param: `rates.1.${field}` } }, what);
  }
  t.is((await api.put(path, { rates: Array.from({ length: 101 }, () => rate()) })).status, 422);
  t.is((await api.get(path)).body.version, 0);
  // Windows that hide one another, and a window that ends on the next day, are allowed.
  const rates = [rate(), rate(), rate({ from: '20:00', to: '20:00', days: ['sat'] })];
  t.is((await api.put(path, { rates })).status, 200);
});

test('members see a room’s rates except those for companies, and cannot change them', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { id } = await newRoom(api);
  const company = await api.post('/v1/companies', { name: 'Acme' });
  const ofAcme = rate({ name: 'Acme', audience: { kind: 'members', company_ids: [company.body.id] } });
  await api.put(`/v1/rooms/${id}/rates`, { rates: [ofAcme, rate()] });
  const member = await newMember(workspace);
  const { body } = await member.api.get(`/v1/rooms/${id}/rates`);
  t.deepEqual(
    body.rates.map(({ name }) => name),
    ['Peak'],
  );
  t.is((await member.api.put(`/v1/rooms/${id}/rates`, { rates: [] })).status, 403);
});

test('a room is closed where its first matching rate closes it: in availability, quotes, bookings and changes', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { time_zone: 'UTC' });
  const pro = await newMember(workspace, { tier: 'pro' });
  const day = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 20 * DAY_MS).toISOString();
  const at = (hour: number): string => hoursLater(day, hour);
  await api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [
      rate({ name: 'Pros', audience: { kind: 'members', tiers: ['pro'] }, from: '12:00', to: '14:00' }),
      { name: 'Lunch', from: '12:00', to: '13:00', closed: true },
    ],
  });
  const windows = async (of: string) => {
    const { body } = await api.get(`/v1/availability?${of}&from=${at(10)}&to=${at(15)}`);
    const { free, busy } = body.data[0]!;
    return [free, busy].map((list) => list.map(({ start_at, end_at }) => [start_at, end_at]));
  };
  const open = [
    [at(10), at(12)],
    [at(13), at(15)],
  ];
  t.deepEqual(await windows(`room_id=${room.id}`), [open, [[at(12), at(13)]]]);
  t.deepEqual(await windows('tier=plus'), [open, [[at(12), at(13)]]]);
  t.deepEqual(await windows('tier=pro'), [[[at(10), at(15)]], []]);

  const lunch = { start_at: at(11), end_at: at(12.5) };
  const { idempotency_key, ...asked } = bookingBody(room.id, lunch);
  t.like((await api.post('/v1/quotes', asked)).body, { available: false, reason: 'closed' });
  refused(
    t,
    await api.post('/v1/bookings', { ...asked, idempotency_key }),
    409,
    'slot_unavailable',
    'closed',
  );
  const asPro = bookingBody(room.id, { ...lunch, booked_by: { member_id: pro.id } });
  t.like((await api.post('/v1/bookings', asPro)).body, { price: { amount_minor: 5_400 } });
});

test('pages that know who books show the times that a rate leaves open to them', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { time_zone: 'UTC', price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const closed = (kind: string, from: string, to: string) => ({
    name: `Not for ${kind}`,
    audience: { kind },
    from,
    to,
    closed: true,
  });
  const rates = [closed('members', '12:00', '13:00'), closed('guests', '18:00', '19:00')];
  t.is((await api.put(`/v1/rooms/${room.id}/rates`, { rates })).status, 200);
  const day = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 20 * DAY_MS).toISOString();
  const [noon, evening] = [hoursLater(day, 12), hoursLater(day, 18)];
  const slot = { start_at: hoursLater(day, 9), end_at: hoursLater(day, 10) };
  const chosen = `day=${day.slice(0, 10)}&minutes=60`;
  const offers = (html: string, form: (at: string) => string) =>
    [noon, evening].map((at) => html.includes(form(at)));
  const inAddress = (at: string): string => `start=${encodeURIComponent(new Date(at).toISOString())}`;

  const { site } = await newSite(api);
  const query = `room_id=${room.id}&from=${hoursLater(day, 11)}&to=${hoursLater(day, 20)}`;
  const { free } = (await site.get(`/v1/public/availability?${query}`)).body;
  t.deepEqual(
    free.map(({ start_at, end_at }) => [start_at, end_at].map((time) => new Date(time).getUTCHours())),
    [
      [11, 18],
      [19, 20],
    ],
  );
  const slug = `closed-${room.id.slice(-12)}`;
  t.is((await api.put('/v1/booking-page', { slug })).status, 200);
  const page = await fetch(`${dev.baseUrl}/book/${slug}/rooms/${room.id}?${chosen}`);
  t.deepEqual(offers(await page.text(), inAddress), [true, false], 'the booking page');

  const member = await newMember(workspace);
  const moves = async (booked_by: object): Promise<boolean[]> => {
    const { manage_url, id } = await createBooking(api, bookingBody(room.id, { ...slot, booked_by }));
    const offered = offers(await (await get(`${manage_url}/move?${chosen}`)).text(), inAddress);
    await api.post(`/v1/bookings/${id}/cancel`);
    return offered;
  };
  t.deepEqual(
    await moves({ guest: { email: uniqueEmail(), name: 'Grace Guest' } }),
    [true, false],
    'a guest',
  );
  t.deepEqual(await moves({ member_id: member.id }), [false, true], 'a member');
  const session = await WebSession.start(member.email);
  const html = await session.getText(`/dashboard/${workspace.id}/book?room_id=${room.id}&${chosen}`);
  const local = (at: string): string => `start_at=${encodeURIComponent(at.slice(0, 16))}`;
  t.deepEqual(offers(html, local), [false, true], 'the form of a member');
});

test('the notice and length of a booking decide which rate applies', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  await api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [
      rate({ name: 'Last minute', amount_minor: 1_000, notice: { max_days: 2 } }),
      rate({ name: 'Long', amount_minor: 2_000, min_minutes: 240 }),
      rate({ name: 'Early', amount_minor: 3_000, notice: { min_minutes: 20 * 1_440 } }),
    ],
  });
  const soon = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + DAY_MS).toISOString();
  const quoteNet = async (start_at: string, hours: number) => {
    const slot = { start_at, end_at: hoursLater(start_at, hours) };
    const { idempotency_key: _, ...asked } = bookingBody(room.id, slot);
    return (await api.post('/v1/quotes', asked)).body.net_minor;
  };
  t.is(await quoteNet(soon, 4), 4_000);
  t.is(await quoteNet(hoursLater(soon, 10 * 24), 4), 8_000);
  t.is(await quoteNet(hoursLater(soon, 10 * 24), 2), 5_000);
  t.is(await quoteNet(hoursLater(soon, 25 * 24), 2), 6_000);
});
