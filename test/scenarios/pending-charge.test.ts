import test from 'ava';
import { bookingBody, confirmedBooking, listEvents, hoursLater } from '../support/bookings.js';
import { processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { withProxyFaults } from '../support/proxy-faults.js';
import { temporal } from '../support/temporal.js';

/** Its bank gives the payer a day's notice of an off-session charge. */
const MANDATE_CARD = '4000003560000297';
/** Its bank requires the payer's authentication for an off-session charge. */
const AUTHENTICATION_CARD = '4000002760003184';

const countClaims = async (bookingId: string): Promise<number> =>
  (await db.query(`SELECT FROM slot_claims WHERE booking_id = $1`, [bookingId])).length;

/** The intent that charges a difference. */
async function pendingIntent(workspace: TestWorkspace) {
  const { payment_intents } = await processorLedger(workspace);
  return payment_intents.find(({ metadata }) => metadata.change_id)!;
}

/** A booking whose additional hour is being charged. */
async function pendingChange(workspace: TestWorkspace, card = MANDATE_CARD) {
  const { booking } = await confirmedBooking(workspace.api, { card });
  const end_at = hoursLater(booking.end_at, 1);
  const path = `/v1/bookings/${booking.id}` as const;
  const { status, body } = await workspace.api.patch(path, { end_at });
  return { booking, end_at, path, response: { status, code: body.error?.code } };
}

const PENDING = { status: 502, code: 'processor_error' };

test('a charge that is processing is pending: both slots are held, and its later success makes the change', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, end_at, path, response } = await pendingChange(workspace);
  t.deepEqual(response, PENDING);
  t.is(await countClaims(booking.id), 2);
  t.is((await api.get(path)).body.end_at, booking.end_at);
  const second = await api.patch(path, { notes: 'Window' });
  t.like(second, { status: 409, body: { error: { code: 'change_pending' } } });
  const intent = await pendingIntent(workspace);
  t.is(intent.status, 'processing');
  const taken = await api.post(
    '/v1/bookings',
    bookingBody(booking.room_id, { start_at: booking.end_at, end_at }),
  );
  t.is(taken.status, 409);

  await simulator('POST', `/_sim/payment_intents/${intent.id}/settle`, {});
  const changed = await until(async () => {
    const { body } = await api.get(path);
    return body.end_at === end_at && body;
  });
  t.is(changed.price.amount_minor, 6_000);
  t.is(await countClaims(booking.id), 1);
  t.deepEqual(
    (await listEvents(booking.id)).map(({ type }) => type),
    ['booking.created', 'booking.confirmed', 'booking.updated'],
  );
  t.is((await api.patch(path, { notes: 'Window' })).status, 200);
  await sweep(t, workspace);
});

test('a pending charge is looked up without any webhook', async (t) => {
  const workspace = await newWorkspace();
  const { booking, end_at, path } = await pendingChange(workspace);
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const { id } = await pendingIntent(workspace);
    await simulator('POST', `/_sim/payment_intents/${id}/settle`, {});
    await until(async () => (await workspace.api.get(path)).body.end_at === end_at);
  });
  t.is(await countClaims(booking.id), 1);
  await sweep(t, workspace);
});

test('a pending charge that fails leaves the booking unchanged', async (t) => {
  const workspace = await newWorkspace();
  const { booking, end_at, path } = await pendingChange(workspace);
  const { id } = await pendingIntent(workspace);
  await simulator('POST', `/_sim/payment_intents/${id}/settle`, { status: 'failed' });
  await until(async () => (await countClaims(booking.id)) === 1);
  t.is((await workspace.api.get(path)).body.end_at, booking.end_at);
  t.is((await pendingIntent(workspace)).status, 'canceled', 'it can never be paid');
  const next = bookingBody(booking.room_id, { start_at: booking.end_at, end_at });
  t.is((await workspace.api.post('/v1/bookings', next)).status, 201);
  await sweep(t, workspace);
});

test('a cancellation does not wait for a pending charge, and a later success is refunded', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, path } = await pendingChange(workspace);
  const cancelled = await api.post(`${path}/cancel`, { refund_policy: 'full' });
  t.is(cancelled.status, 200, JSON.stringify(cancelled.body));
  t.is(cancelled.body.refund!.amount_minor, 3_000);
  t.is(await countClaims(booking.id), 0);
  const intent = await pendingIntent(workspace);
  await simulator('POST', `/_sim/payment_intents/${intent.id}/settle`, {});
  const [late] = await until(async () => {
    const rows = await db.query(
      `SELECT kind, amount_minor, refunded_minor, status FROM payments
       WHERE processor_payment_intent_id = $1 AND kind <> 'refund' AND status = 'refunded'`,
      [intent.id],
    );
    return rows.length > 0 && rows;
  });
  t.like(late, { kind: 'charge', amount_minor: 3_000, refunded_minor: 3_000 });
  const repeated = await simulator('GET', `/_sim/ledger?account=${workspace.accountId}`);
  t.is(repeated.refunds.length, 2);
  await sweep(t, workspace);
});

test('a pending charge of a cancelled booking is followed without any webhook', async (t) => {
  const workspace = await newWorkspace();
  const { booking, path } = await pendingChange(workspace);
  t.is((await workspace.api.post(`${path}/cancel`, { refund_policy: 'full' })).status, 200);
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const { id } = await pendingIntent(workspace);
    await simulator('POST', `/_sim/payment_intents/${id}/settle`, {});
    await until(async () => (await processorLedger(workspace)).refunds.length === 2);
  });
  await until(async () => {
    const [run] = await db.query(
      `SELECT state FROM booking_changes WHERE booking_id = $1 AND kind = 'change'`,
      [booking.id],
    );
    return run.state === 'refused';
  });
  await until(
    async () => (await temporal.workflow.getHandle(booking.id).describe()).status.name === 'COMPLETED',
  );
  await until(async () => {
    const open = await db.query(`SELECT FROM payments WHERE booking_id = $1 AND status = 'pending'`, [
      booking.id,
    ]);
    return open.length === 0;
  });
  await sweep(t, workspace);
});

test('a charge that cannot be cancelled does not count as refused until it is cancelled', async (t) => {
  const workspace = await newWorkspace();
  const uncancellable = {
    fault: 'status' as const,
    method: 'POST',
    path: '/v1/payment_intents/*',
    status: 400,
    body: {
      error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message: 'No.' },
    },
  };
  const { booking, path } = await withProxyFaults(workspace, [uncancellable], async () => {
    const pending = await pendingChange(workspace, AUTHENTICATION_CARD);
    t.deepEqual(pending.response, PENDING);
    t.is(await countClaims(pending.booking.id), 2);
    return pending;
  });
  await until(async () => (await countClaims(booking.id)) === 1);
  t.is((await workspace.api.get(path)).body.end_at, booking.end_at);
  t.is((await pendingIntent(workspace)).status, 'canceled');
  await sweep(t, workspace);
});
