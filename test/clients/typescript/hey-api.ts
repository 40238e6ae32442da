import { createClient } from './generated/sdk/client/index.js';
import { cancelBooking, updateBooking, createBooking, getBooking, listRooms } from './generated/sdk/index.js';
import { day, pay } from './day.js';

const client = createClient({ baseUrl: day.url, auth: day.token, throwOnError: true });

const rooms = await listRooms({ client, throwOnError: true });
const room = rooms.data.data[0]!;

const made = await createBooking({
  client,
  throwOnError: true,
  body: {
    room_id: room.id,
    start_at: day.start_at,
    end_at: day.end_at,
    booked_by: { guest: { name: 'Grace Guest', email: day.email } },
    idempotency_key: day.idempotency_key,
  },
});
const path = { id: made.data.id };
await pay(made.data.checkout_url!);

const retrieve = async (from: typeof client) =>
  (await getBooking({ client: from, path, throwOnError: true })).data;
while ((await retrieve(client)).status !== 'confirmed')
  await new Promise((resolve) => setTimeout(resolve, 500));

const changed = await updateBooking({
  client,
  path,
  throwOnError: true,
  body: { start_at: day.end_at, end_at: day.later_end_at, notes: 'By the window' },
});

const cancelled = await cancelBooking({ client, path, throwOnError: true });

const later = createClient({ baseUrl: day.later_url, auth: day.token });
const { status } = await retrieve(later);
// Compiles only if the document says that there can be other statuses.
const isNew = status === 'some_new_status';

if (!('start_at' in changed.data)) throw new Error('the change waits for a payment');
const { start_at, notes } = changed.data;
console.log(JSON.stringify({ room: room.name, start_at, notes, cancelled: cancelled.data.status, isNew }));
