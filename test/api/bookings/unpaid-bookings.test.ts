import test from 'ava';
import { bookingBody } from '../../support/bookings.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';

import { everywhere, isError } from '../../support/booking-calls.js';
import { newMember } from '../../support/people.js';

test('a member holds at most 10 unpaid slots, also with concurrent creates, and staff hold any number', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  const own = () => bookingBody(room.id, { booked_by: { member_id: member.id } });
  const on = everywhere({ ...workspace, api: member.api });
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, turn) => on(turn).post('/v1/bookings', own())),
  );
  const refused = responses.filter(({ status }) => status !== 201);
  t.is(refused.length, 2);
  for (const response of refused) {
    isError(t, response, 409, 'too_many_unpaid_bookings');
    t.deepEqual(response.body.error.details, { limit: 10 });
  }
  t.is((await api.post('/v1/bookings', own())).status, 201, 'an admin books for the member');
  const free = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const gratis = await member.api.post('/v1/bookings', { ...own(), room_id: free.id });
  t.is(gratis.status, 201, 'a free one');
  const costlier = { room_id: room.id, on_authentication: 'link' };
  const path = `/v1/bookings/${gratis.body.id}` as const;
  isError(t, await member.api.patch(path, costlier), 409, 'too_many_unpaid_bookings', 'another slot by link');

  const [first, second] = responses.filter(({ status }) => status === 201);
  const key = own();
  isError(t, await member.api.post('/v1/bookings', key), 409, 'too_many_unpaid_bookings', 'eleven');
  for (const { body } of [first!, second!])
    t.is((await member.api.post(`/v1/bookings/${body.id}/cancel`)).status, 200);
  t.is((await member.api.post('/v1/bookings', key)).status, 201, 'the key stayed free');
  isError(t, await member.api.post('/v1/bookings', own()), 409, 'too_many_unpaid_bookings', 'again');
});
