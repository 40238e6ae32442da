import createClient from 'openapi-fetch';
import type { paths } from './generated/schema.js';
import { day, pay } from './day.js';

const api = createClient<paths>({ baseUrl: day.url, headers: { authorization: `Bearer ${day.token}` } });

const rooms = await api.GET('/v1/rooms');
if (!rooms.data) throw new Error(rooms.error.error.message);
const room = rooms.data.data[0]!;

const made = await api.POST('/v1/bookings', {
  body: {
    room_id: room.id,
    start_at: day.start_at,
    end_at: day.end_at,
    booked_by: { guest: { name: 'Grace Guest', email: day.email } },
    idempotency_key: day.idempotency_key,
  },
});
if (!made.data) throw new Error(made.error.error.message);
const path = { id: made.data.id };
await pay(made.data.checkout_url!);

const retrieve = async (from: typeof api) => {
  const { data, error } = await from.GET('/v1/bookings/{id}', { params: { path } });
  if (!data) throw new Error(error.error.message);
  return data;
};
while ((await retrieve(api)).status !== 'confirmed') await new Promise((resolve) => setTimeout(resolve, 500));

const changed = await api.PATCH('/v1/bookings/{id}', {
  params: { path },
  body: { start_at: day.end_at, end_at: day.later_end_at, notes: 'By the window' },
});
if (!changed.data) throw new Error(changed.error.error.message);

const cancelled = await api.POST('/v1/bookings/{id}/cancel', { params: { path } });
if (!cancelled.data) throw new Error(cancelled.error.error.message);

const later = createClient<paths>({
  baseUrl: day.later_url,
  headers: { authorization: `Bearer ${day.token}` },
});
const { status } = await retrieve(later);
// Compiles only if the document says that there can be other statuses.
const isNew = status === 'some_new_status';

if (!('start_at' in changed.data)) throw new Error('the change waits for a payment');
const { start_at, notes } = changed.data;
console.log(JSON.stringify({ room: room.name, start_at, notes, cancelled: cancelled.data.status, isNew }));
