import test from 'ava';
import { freeHour } from '../../support/bookings.js';
import { newPng } from '../../support/png.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';

const DESCRIBED = {
  description: 'Under the roof',
  image_urls: ['https://pictures.example/hall.jpg'],
  features: ['Projector'],
  floor: '2nd floor',
  size_m2: 40,
  address: '1 Mill Lane',
  directions: 'Through the yard',
  access_notes: 'Code 4711',
  reminder_hours: 24,
  time_zone: 'Europe/Paris',
  slot_minutes: 60,
  min_minutes: 60,
  max_minutes: 480,
  capacity: 12,
  opening_hours: { mon: [['09:00', '17:00']] },
  turnaround_minutes: 15,
  edit_window_minutes: 30,
  price_per_hour: { currency: 'EUR', amount_minor: 3_100 },
  tax_code: 'REDUCED',
  tiers: ['pro'],
  tier_discounts: { pro: 20 },
  refund_steps: [{ hours_before: 48, percent: 50 }],
  self_service: false,
};

test('a copy has all that describes the room and its rates, and nothing that belongs to the original', async (t) => {
  const { api } = await newWorkspace();
  const part = await newRoom(api);
  const original = await newRoom(api, {
    ...DESCRIBED,
    name: 'Hall',
    parts: [part.id],
    metadata: { door_lock: 'lock-12' },
  });
  const at = `/v1/rooms/${original.id}` as '/v1/rooms/*';
  const { body: rates } = await api.put(`${at}/rates`, {
    rates: [
      { name: 'Evening', days: ['mon'], from: '18:00', to: '23:00', amount_minor: 4_000 },
      { name: 'Members', audience: { kind: 'members', tiers: ['pro'] }, unit: 'day', amount_minor: 9_000 },
    ],
  });
  await api.post(`${at}/blackouts`, freeHour());
  await api.post(`${at}/pictures`, newPng(), { 'content-type': 'image/png' });
  await api.patch(at, { archived: true });
  const { body: before } = await api.get(at);

  const copied = await api.post(`${at}/copy`, { name: 'Hall 2' });
  t.is(copied.status, 201);
  const { body: copy } = copied;
  t.not(copy.id, original.id);
  t.deepEqual(copy, {
    ...before,
    id: copy.id,
    name: 'Hall 2',
    parts: [],
    archived: false,
    metadata: {},
    created_at: copy.created_at,
    updated_at: copy.updated_at,
  });
  t.is(copy.image_urls.length, 2, 'both rooms show the uploaded picture');
  const { body: copiedRates } = await api.get(`/v1/rooms/${copy.id}/rates`);
  const withoutIds = (list: typeof rates.rates) => list.map((rate) => ({ ...rate, id: null }));
  t.deepEqual(withoutIds(copiedRates.rates), withoutIds(rates.rates));
  t.is(copiedRates.version, 1);
  for (const { id } of rates.rates) t.false(copiedRates.rates.some((rate) => rate.id === id));
  t.deepEqual((await api.get(`/v1/rooms/${copy.id}/blackouts`)).body.data, []);

  // The copy changes without the original.
  await api.put(`/v1/rooms/${copy.id}/rates`, { rates: [] });
  t.deepEqual((await api.get(`${at}/rates`)).body, rates);
  t.deepEqual((await api.get(at)).body, before);
  const { body: log } = await api.get('/v1/audit-log?action=room.created');
  t.is(log.data.find(({ object }) => object === copy.id)!.details.copied_from, original.id);
});

test('a room without rates is copied without a version of rates, and an unknown room is not found', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await newRoom(api);
  const { body: copy } = await api.post(`/v1/rooms/${id}/copy`, { name: 'Again' });
  t.deepEqual((await api.get(`/v1/rooms/${copy.id}/rates`)).body, { version: 0, rates: [] });
  const missing = await api.post(`/v1/rooms/${crypto.randomUUID()}/copy`, { name: 'Again' });
  t.is(missing.body.error.code, 'room_not_found');
  const unnamed = await api.post(`/v1/rooms/${id}/copy`, {});
  t.is(unnamed.body.error.param, 'name');
});
