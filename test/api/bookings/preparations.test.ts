import test from 'ava';
import { bookingBody } from '../../support/bookings.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { newMember } from '../../support/people.js';
import { daysAfter, NEXT_MONDAY } from '../../support/days.js';

const price = (amount_minor: number) => ({ currency: 'GBP', amount_minor });

test('preparations lists the confirmed bookings of a period, by room and start', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const free = { price_per_hour: price(0) };
  const [red, blue] = [
    await newRoom(api, { ...free, name: 'Red' }),
    await newRoom(api, { ...free, name: 'Blue' }),
  ];
  const { body: lunch } = await api.post('/v1/extras', { name: 'Lunch', price: price(0) });
  const tuesday = daysAfter(NEXT_MONDAY, 1);
  const at = (hour: number) => ({
    start_at: `${NEXT_MONDAY}T${hour}:00:00.000Z`,
    end_at: `${NEXT_MONDAY}T${hour + 1}:00:00.000Z`,
  });
  const extras = [{ extra_id: lunch.id, quantity: 12 }];
  const book = async (room: { id: string }, more: Record<string, unknown>) =>
    (await api.post('/v1/bookings', bookingBody(room.id, { attendees: 12, ...more }))).body;
  const second = await book(red, { ...at(10), notes: 'Round tables' });
  const first = await book(blue, { ...at(15), extras });
  const third = await book(red, { ...at(12), extras });
  // Unpaid, cancelled, and on the next day.
  const paid = await newRoom(api);
  await book(paid, at(10));
  const cancelled = await book(red, at(17));
  await api.post(`/v1/bookings/${cancelled.id}/cancel`, {});
  await book(red, { start_at: `${tuesday}T00:00:00Z`, end_at: `${tuesday}T01:00:00Z` });

  const day = `from=${NEXT_MONDAY}T00:00:00Z&to=${tuesday}T00:00:00Z`;
  const { body } = await api.get(`/v1/preparations?${day}`);
  t.deepEqual(
    body.data.map(({ booking_id }) => booking_id),
    [first.id, second.id, third.id],
  );
  t.deepEqual(body.data[0], {
    booking_id: first.id,
    reference: first.reference,
    room: { id: blue.id, name: 'Blue' },
    ...at(15),
    attendees: 12,
    notes: null,
    extras: [{ extra_id: lunch.id, name: 'Lunch', quantity: 12 }],
  });
  t.like(body.data[1], { notes: 'Round tables', extras: [] });
  const { body: ofRed } = await api.get(`/v1/preparations?${day}&room_id=${red.id}`);
  t.is(ofRed.data.length, 2);

  for (const query of [
    `from=${tuesday}T00:00:00Z&to=${NEXT_MONDAY}T00:00:00Z`,
    `from=${NEXT_MONDAY}T00:00:00Z&to=${daysAfter(NEXT_MONDAY, 32)}T00:00:00Z`,
  ]) {
    const refused = await api.get(`/v1/preparations?${query}`);
    t.deepEqual([refused.status, refused.body.error.param], [422, 'to']);
  }
  // October in London begins at 23:00 UTC and is 745 hours long.
  const year = new Date().getUTCFullYear() + 1;
  const october = `from=${year}-09-30T23:00:00Z&to=${year}-11-01T00:00:00Z`;
  t.is((await api.get(`/v1/preparations?${october}`)).status, 200);
  const member = await newMember(workspace);
  t.is((await member.api.get(`/v1/preparations?${day}`)).status, 403);
});
