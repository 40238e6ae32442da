import test from '../support/suite.js';
import { confirmedBooking, hoursLater, pendingBooking } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { killWorkers, replaceWorkers } from '../support/outages.js';
import { bookingBody, db, newWorkspace, pay, until, untilStatus, withFaults } from '../support/stack.js';

test('a booking survives a worker killed during the hold and another after the payment', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await replaceWorkers();
  await pay(booking);
  await replaceWorkers();
  await untilStatus(workspace.api, booking.id, 'confirmed', 60_000);
  await sweep(t, workspace);
});

test('a change whose worker is killed is finished by another one', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const end_at = hoursLater(booking.end_at, 1);
  await withFaults(workspace, { latency_ms: 1_500 }, async () => {
    const asked = api.patch(`/v1/bookings/${booking.id}`, { end_at });
    await until(async () => {
      const rows = await db.query(
        `SELECT FROM booking_changes WHERE booking_id = $1 AND state = 'charging'`,
        [booking.id],
      );
      return rows.length > 0;
    });
    const blocked = bookingBody(booking.room_id, { start_at: booking.end_at, end_at });
    t.is((await api.post('/v1/bookings', blocked)).body.error?.details?.reason, 'booked');
    killWorkers();
    await asked;
  });
  const changed = await until(async () => {
    const { body } = await api.get(`/v1/bookings/${booking.id}`);
    return body.end_at === end_at && body;
  }, 60_000);
  t.is(changed.price.amount_minor, 6_000);
  await sweep(t, workspace);
});
