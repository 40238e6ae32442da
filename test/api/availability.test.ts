import test, { type ExecutionContext } from 'ava';
import { bookingBody, newRoom, newWorkspace, freeHour, type ApiClient } from '../support/stack.js';
import { later } from './booking-calls.js';
test('try', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { turnaround_minutes: 15 });
  const { start_at, end_at } = freeHour();
  t.is((await api.post('/v1/bookings', bookingBody(room.id, { start_at, end_at }))).status, 201);
  const q = new URLSearchParams({ room_id: room.id, from: later(start_at, -5), to: later(end_at, 5) });
  const a = await api.get(`/v1/availability?${q}`);
  t.log(JSON.stringify(a.body, null, 1));
  t.pass();
});
