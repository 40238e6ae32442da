import { randomUUID } from 'node:crypto';
import test from '../support/suite.js';
import { newId } from '../../db/ids.js';
import { confirmedBooking, pendingBooking } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import {
  bookingBody,
  db,
  internal,
  newWorkspace,
  pay,
  simulator,
  until,
  untilStatus,
  withFaults,
  type TestWorkspace,
  processorLedger,
  withRefundMode,
} from '../support/stack.js';
import { temporal } from '../support/temporal.js';

const runOf = (bookingId: string) => temporal.workflow.getHandle(bookingId);
const selfHeal = async ({ id }: TestWorkspace): Promise<any> =>
  (await internal('run_job', { job: 'self_heal', workspace_id: id })).body;

test('self-heal restarts the run of a booking, and the booking expires at its time', async (t) => {
  const { workspace, booking } = await pendingBooking(10);
  await runOf(booking.id).terminate('lost');
  const summary = await until(async () => {
    const seen = await selfHeal(workspace);
    return seen.revived > 0 && seen;
  });
  t.is(summary.revived, 1);
  await untilStatus(workspace.api, booking.id, 'expired');
  await sweep(t, workspace);
});

test('a payment for a booking whose run is lost confirms it, and the run continues', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await runOf(booking.id).terminate('lost');
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await until(async () => (await runOf(booking.id).describe()).status.name === 'RUNNING');
  await sweep(t, workspace);
});

test('a reservation whose create died before its workflow started is released by the next create for the slot', async (t) => {
  const { workspace, room, booking } = await pendingBooking();
  // What a crash between the claim and the workflow start leaves: the row, its claim and its idempotency key.
  const { start_at, end_at } = bookingBody(room.id);
  const dead = { id: newId('bk'), key: randomUUID() };
  await db.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO booking_requests (booking_id, workspace_id, idempotency_key, fingerprint) VALUES ($1, $2, $3, '')`,
      [dead.id, workspace.id, dead.key],
    );
    await tx.query(
      `WITH dead AS (
         INSERT INTO bookings (id, workspace_id, room_id, start_at, end_at, occupies, guest_email, guest_name, attendees,
           currency, net_minor, tax_minor, price_minor, tax_code, tax_rate_bps, price_per_hour_minor, discount_percent,
           hold_seconds, created_at)
         SELECT $1, workspace_id, room_id, $2, $3, tstzrange($2, $3), guest_email, guest_name, attendees, currency,
           net_minor, tax_minor, price_minor, tax_code, tax_rate_bps, price_per_hour_minor, discount_percent,
           hold_seconds, now() - interval '2 minutes'
         FROM bookings WHERE id = $4 RETURNING id, room_id, occupies)
       INSERT INTO slot_claims (booking_id, room_id, during) SELECT id, room_id, occupies FROM dead`,
      [dead.id, start_at, end_at, booking.id],
    );
  });
  const next = await workspace.api.post('/v1/bookings', bookingBody(room.id, { start_at, end_at }));
  t.is(next.status, 201, JSON.stringify(next.body));
  await sweep(t, workspace);
});

test('a confirmed booking is completed after its end, even if its run was lost meanwhile', async (t) => {
  const { workspace, room, booking } = await pendingBooking();
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await runOf(booking.id).terminate('lost');
  // As if time had passed: the booking and its claim are moved two days back.
  const past = `tstzrange(date_trunc('day', now()) - interval '2 days', date_trunc('day', now()) - interval '1 day')`;
  await db.query(`INSERT INTO slot_claims (booking_id, room_id, during) VALUES ($1, $2, ${past})`, [
    booking.id,
    room.id,
  ]);
  await db.query(
    `UPDATE bookings SET start_at = lower(${past}), end_at = upper(${past}), occupies = ${past} WHERE id = $1`,
    [booking.id],
  );
  await until(async () => (await selfHeal(workspace)).revived === 1);
  t.truthy((await untilStatus(workspace.api, booking.id, 'completed')).completed_at);
  await sweep(t, workspace);
});

test('the hourly job confirms a booking whose webhooks were lost', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(booking));
  await until(async () => (await selfHeal(workspace)).confirmed === 1);
  t.is(
    (await untilStatus(workspace.api, booking.id, 'confirmed')).confirmation_source,
    'scheduler_self_heal',
  );
});

test('the hourly job restarts the lost run of a refund, which follows it to its end', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  await withRefundMode(workspace, 'pending', async () => {
    const { body } = await workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
    await temporal.workflow.getHandle(body.refund.id).terminate('lost');
    await db.query(`UPDATE payments SET created_at = now() - interval '2 minutes' WHERE id = $1`, [
      body.refund.id,
    ]);
    const job = await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
    t.is(job.body.revived, 1);
    const { refunds } = await processorLedger(workspace);
    const made = refunds.find((refund: any) => refund.metadata.refund_id === body.refund.id);
    await simulator('POST', `/_sim/refunds/${made.id}/settle`, { status: 'succeeded' });
    t.is(await temporal.workflow.getHandle(body.refund.id).result(), 'succeeded');
  });
  await sweep(t, workspace);
});
