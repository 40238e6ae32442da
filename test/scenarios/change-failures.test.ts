import test from 'ava';
import { sweep } from '../support/invariants.js';
import { bookingBody, confirmedBooking, hoursLater } from '../support/bookings.js';
import { processorLedger, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';

test('a declined charge leaves the booking unchanged', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { card: '4000000000000341' });
  const before = (await api.get(`/v1/bookings/${booking.id}`)).body;
  const end_at = hoursLater(booking.end_at, 1);
  const refused = await api.patch(`/v1/bookings/${booking.id}`, { end_at });
  t.is(refused.status, 402);
  t.is(refused.body.error.code, 'payment_failed');
  t.deepEqual((await api.get(`/v1/bookings/${booking.id}`)).body, before);
  const next = bookingBody(booking.room_id, { start_at: booking.end_at, end_at });
  t.is((await api.post('/v1/bookings', next)).status, 201, 'the new slot is free');
  await sweep(t, workspace);
});

test('two bookings that swap rooms concurrently are both refused and keep their slots', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const first = await confirmedBooking(api);
  const second = await confirmedBooking(api, {
    slot: { start_at: first.booking.start_at, end_at: first.booking.end_at },
  });
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      api.patch(`/v1/bookings/${first.booking.id}`, { room_id: second.booking.room_id }),
      api.patch(`/v1/bookings/${second.booking.id}`, { room_id: first.booking.room_id }),
    ]);
    t.deepEqual(
      answers.map((answer) => answer.status),
      [409, 409],
    );
    t.is(answers[0]!.body.error.code, 'slot_unavailable');
  }
  await sweep(t, workspace);
});

test('both slots are held while the outcome of a charge is unknown, and the charge is made once', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const end_at = hoursLater(booking.end_at, 1);
  const lost = {
    fail: [{ method: 'POST', path: '/v1/payment_intents', status: 500, times: 3, after_effect: true }],
  };
  const answer = await withFaults(workspace, lost, () => api.patch(`/v1/bookings/${booking.id}`, { end_at }));
  t.is(answer.status, 200);
  t.is(answer.body.adjustment!.amount_minor, 3_000);
  const { charges } = await processorLedger(workspace);
  const mine = charges.filter((charge) => charge.metadata.booking_id === booking.id);
  t.is(mine.length, 2, 'charged once for the booking and once for the change');
  await sweep(t, workspace);
});

test('while the outcome of a charge is unknown, changes return 502, and waiting ones are never applied', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const path = `/v1/bookings/${booking.id}` as const;
  const end_at = hoursLater(booking.end_at, 1);
  const down = { fail: [{ method: 'POST', path: '/v1/payment_intents', status: 500, times: 1_000 }] };
  await withFaults(workspace, down, async () => {
    const longer = api.patch(path, { end_at });
    const charging = `SELECT FROM booking_changes WHERE booking_id = $1 AND state = 'charging'`;
    await until(async () => (await db.query(charging, [booking.id])).length);
    const behind = [api.patch(path, { notes: 'Window' }), api.post(`${path}/cancel`, {})];
    const { status, body } = await longer;
    t.is(status, 502, JSON.stringify(body));
    t.is(body.error.code, 'processor_error');
    for (const { status, body } of await Promise.all(behind)) {
      t.is(status, 503, JSON.stringify(body));
      t.is(body.error.message, 'The request was not processed in time. Nothing was changed. Try again.');
    }
  });
  const changed = await until(async () => {
    const { body } = await api.get(path);
    return body.end_at === end_at && body;
  });
  // Once the run accepts an update again, the change that waited behind the charge has been dropped.
  t.is((await api.patch(path, { attendees: 2 })).status, 200);
  t.like((await api.get(path)).body, { status: 'confirmed', notes: changed.notes, sequence: 2 });
  t.not(changed.notes, 'Window');
  const { charges } = await processorLedger(workspace);
  t.is(charges.filter((charge) => charge.metadata.booking_id === booking.id).length, 2);
  await sweep(t, workspace);
});
