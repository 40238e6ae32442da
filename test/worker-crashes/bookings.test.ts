import { randomUUID } from 'node:crypto';
import test from 'ava';
import {
  bookingBody,
  confirmedBooking,
  hoursLater,
  pay,
  pendingBooking,
  checkoutSessionId,
  untilStatus,
} from '../support/bookings.js';
import { listIntercepted, withProxyFaults } from '../support/proxy-faults.js';
import { processorLedger, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { killWorkers, replaceWorkers } from '../support/outages.js';

test('a booking survives one worker killed during the hold and another after the payment', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await replaceWorkers();
  await pay(booking);
  await replaceWorkers();
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await sweep(t, workspace);
});

test('a create whose worker is killed while the processor responds opens one session, and publishes once', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const body = bookingBody(room.id);
  const silent = {
    fault: 'silent',
    method: 'POST',
    path: '/v1/checkout/sessions',
    after_effect: true,
  } as const;
  const opening = withProxyFaults(workspace, [{ ...silent, times: 1 }], async () => {
    const asked = workspace.api.post('/v1/bookings', body);
    await until(async () => (await processorLedger(workspace)).sessions.length > 0);
    killWorkers();
    return asked;
  });
  // Another worker repeats it within the time of the request, or the client does.
  t.true([201, 503].includes((await opening).status));
  const booking = await until(async () => {
    const { status, body: found } = await workspace.api.post('/v1/bookings', body);
    return status < 300 && found;
  });
  const { sessions } = await processorLedger(workspace);
  t.deepEqual(
    sessions.map(({ metadata }) => metadata!.booking_id),
    [booking.id],
  );
  const events = await db.query(`SELECT type FROM events WHERE object_id = $1`, [booking.id]);
  t.deepEqual(events, [{ type: 'booking.created' }]);
  await sweep(t, workspace);
});

test('a payment whose worker is killed while the processor is queried is settled once', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const silent = { fault: 'silent', method: 'GET', path: '*', times: 1 } as const;
  await withProxyFaults(workspace, [silent], async () => {
    await pay(booking);
    await until(async () => (await listIntercepted(workspace)).length > 0);
    killWorkers();
  });
  await untilStatus(workspace.api, booking.id, 'confirmed');
  const payments = await db.query(`SELECT kind FROM payments WHERE booking_id = $1`, [booking.id]);
  t.deepEqual(payments, [{ kind: 'charge' }]);
  await sweep(t, workspace);
});

test('a change whose worker is killed is finished by another one', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const end_at = hoursLater(booking.end_at, 1);
  await withFaults(workspace, { latency_ms: 1_500 }, async () => {
    let killed = false;
    // Other tests kill workers too, so the first request can end before the change has begun.
    const ask = async (): Promise<unknown> => {
      const { status } = await api.patch(`/v1/bookings/${booking.id}`, { end_at });
      return status === 503 && !killed ? ask() : status;
    };
    const asked = ask();
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
    killed = true;
    await asked;
  });
  const changed = await until(async () => {
    const { body } = await api.get(`/v1/bookings/${booking.id}`);
    return body.end_at === end_at && body;
  });
  t.is(changed.price.amount_minor, 6_000);
  await sweep(t, workspace);
});

/**
 * Takes a payment at the desk, and kills the workers once its page is closed. Repeats this if it did not
 * succeed in time, as other tests kill workers too.
 */
async function takeUntilKilled<R extends { status: number }>(
  take: () => Promise<R>,
  isClosed: () => Promise<boolean>,
): Promise<R> {
  const attempts = until(async () => {
    const response = await take();
    return (response.status < 500 || (await isClosed())) && response;
  });
  const [response] = await Promise.all([attempts, until(isClosed).then(killWorkers)]);
  return response;
}

test('a difference taken at the desk is recorded once if the worker is killed after the page was closed', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  const path = `/v1/bookings/${booking.id}` as const;
  await until(async () => {
    await api.post(`${path}/payments`, { method: 'cash', amount_minor: 3_000 });
    return (await api.get(path)).body.status === 'confirmed';
  });
  const end_at = hoursLater(booking.end_at, 1);
  // Other tests kill workers too.
  await until(async () => {
    await api.patch(path, { end_at, on_authentication: 'link' });
    return (await api.get(`${path}/pending-change`)).status === 200;
  });
  const { body: pending } = await api.get(`${path}/pending-change`);
  const session = checkoutSessionId(pending);
  const body = { method: 'cash', amount_minor: 3_000, pending_change_id: pending.id };
  const headers = { 'idempotency-key': randomUUID() };
  const take = () => api.post(`${path}/payments`, body, headers);
  const first = await takeUntilKilled(take, async () => {
    const { sessions } = await processorLedger(workspace);
    return sessions.some(({ id, status }) => id === session && status === 'expired');
  });
  t.true([201, 502, 503].includes(first.status), JSON.stringify(first.body));
  const taken = await until(async () => {
    const { status, body: made } = await take();
    return status < 300 && made;
  });
  t.like(taken, { end_at, price: { amount_minor: 6_000 } });
  const topUps = await db.query(`SELECT id FROM payments WHERE booking_id = $1 AND kind = 'top_up'`, [
    booking.id,
  ]);
  t.deepEqual(topUps, [{ id: taken.payment.id }]);
  await sweep(t, workspace);
});

test('a payment at the desk is recorded once if the worker is killed after the page was closed', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  const body = { method: 'cash', amount_minor: booking.price.amount_minor };
  const headers = { 'idempotency-key': booking.id };
  const take = () => api.post(`/v1/bookings/${booking.id}/payments`, body, headers);
  const first = await takeUntilKilled(take, async () => {
    const { sessions } = await processorLedger(workspace);
    return sessions.some(({ status }) => status === 'expired');
  });
  t.true([201, 502, 503].includes(first.status), JSON.stringify(first.body));
  const taken = await until(async () => {
    const { status, body: made } = await take();
    return status < 300 && made;
  });
  t.like(taken, { status: 'confirmed', settle: 'desk' });
  const payments = await db.query(`SELECT kind, id FROM payments WHERE booking_id = $1`, [booking.id]);
  t.deepEqual(payments, [{ kind: 'manual', id: taken.payment.id }]);
  await sweep(t, workspace);
});
