import { randomUUID } from 'node:crypto';
import test from 'ava';
import { newMember } from '../support/people.js';
import {
  confirmedBooking,
  createBooking,
  bookingBody,
  hoursLater,
  pendingBooking,
} from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { db } from '../support/stack.js';
import { newWorkspace, newRoom } from '../support/workspaces.js';
import { STEPS } from './cancel-calls.js';

const cash = { method: 'cash', amount_minor: 3_000 };
const paymentsPath = ({ id }: { id: string }) => `/v1/bookings/${id}/payments` as const;

const sumRefunded = async (bookingId: string): Promise<number> =>
  Number(
    (
      await db.query(
        `SELECT coalesce(sum(amount_minor), 0) AS sum FROM payments
          WHERE booking_id = $1 AND kind = 'refund'`,
        [bookingId],
      )
    )[0].sum,
  );

test('a desk takes payments of its own workspace only, and a key of one workspace has no effect in another', async (t) => {
  const [one, other] = [await pendingBooking(), await pendingBooking()];
  const desk = await newMember(one.workspace, { role: 'front_desk' });
  const headers = { 'idempotency-key': randomUUID() };
  t.is(
    (await desk.api.post(paymentsPath(other.booking), cash, headers)).body.error?.code,
    'booking_not_found',
  );
  const own = await desk.api.post(paymentsPath(one.booking), cash, headers);
  t.is(own.status, 201, JSON.stringify(own.body));
  const theirs = await other.workspace.api.post(paymentsPath(other.booking), cash, headers);
  t.is(theirs.status, 201, 'the same key');
  t.not(theirs.body.payment.id, own.body.payment.id);
  const again = await desk.api.post(paymentsPath(other.booking), cash, headers);
  t.is(again.body.error?.code, 'booking_not_found', 'nor does a key show what is bound to it elsewhere');
  for (const role of ['member', 'billing_contact'] as const) {
    const { api, id } = await newMember(one.workspace, { role });
    const room = await newRoom(one.workspace.api);
    const held = await createBooking(api, bookingBody(room.id, { booked_by: { member_id: id } }));
    t.is((await api.post(paymentsPath(held), cash)).body.error?.code, 'role_insufficient', role);
  }
  await sweep(t, one.workspace);
  await sweep(t, other.workspace);
});

test('racing desk payments without a key are recorded as one, and so are cancellations', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const desk = await newMember(workspace, { role: 'front_desk' });
  await workspace.api.patch('/v1/workspace', { desk_refund_limit_minor: 1_000 });
  const taken = await Promise.all(
    Array.from({ length: 4 }, () => desk.api.post(paymentsPath(booking), cash)),
  );
  t.deepEqual(taken.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
  await Promise.all(
    [600, 700, 800, 900].map((refund_amount_minor) =>
      desk.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_amount_minor }),
    ),
  );
  t.true((await sumRefunded(booking.id)) < 1_000, 'one of them, not their sum');
  await sweep(t, workspace);
});

test('the front desk cannot get around the terms by moving or shortening a booking, or by another currency', async (t) => {
  const workspace = await newWorkspace();
  const desk = await newMember(workspace, { role: 'front_desk' });
  const room = await newRoom(workspace.api, { ...STEPS, edit_window_minutes: 0 });
  const book = async () => (await confirmedBooking(workspace.api, { room_id: room.id, hours: 2 })).booking;

  // £60.00; the terms for this time give a third.
  const moved = await book();
  const later = { start_at: hoursLater(moved.start_at, 2_000), end_at: hoursLater(moved.end_at, 2_000) };
  t.is((await desk.api.patch(`/v1/bookings/${moved.id}`, later)).status, 200);
  const full = await desk.api.post(`/v1/bookings/${moved.id}/cancel`, { refund_policy: 'full' });
  t.is(full.body.error?.code, 'role_insufficient');
  t.is((await desk.api.post(`/v1/bookings/${moved.id}/cancel`, {})).status, 200);
  t.is(await sumRefunded(moved.id), 2_000, 'what the terms gave before the move');

  const shortened = await book();
  t.is(
    (await desk.api.patch(`/v1/bookings/${shortened.id}`, { end_at: hoursLater(shortened.end_at, -1) }))
      .status,
    200,
  );
  t.is(await sumRefunded(shortened.id), 1_000);
  t.is((await desk.api.post(`/v1/bookings/${shortened.id}/cancel`, {})).status, 200);
  t.true((await sumRefunded(shortened.id)) <= 2_000, 'no more than at once');

  await workspace.api.patch('/v1/workspace', { desk_refund_limit_minor: 6_000, currency: 'EUR' });
  const pounds = await book();
  const over = await desk.api.post(`/v1/bookings/${pounds.id}/cancel`, { refund_amount_minor: 2_001 });
  t.is(over.body.error?.code, 'role_insufficient', 'a limit in euros is none in pounds');
  await sweep(t, workspace);
});
