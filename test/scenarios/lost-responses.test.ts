import { randomUUID } from 'node:crypto';
import test from 'ava';
import { listSessions } from '../support/booking-calls.js';
import { sweep } from '../support/invariants.js';
import { bookingBody, pay, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';

const OPEN_SESSION = { method: 'POST', path: '/v1/checkout/sessions' };

const unpublished = (workspace: TestWorkspace): Promise<unknown[]> =>
  db.query(`SELECT id FROM bookings WHERE workspace_id = $1 AND published_at IS NULL`, [workspace.id]);

test('a checkout whose response was lost is created once', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const fail = [{ ...OPEN_SESSION, status: 500, times: 2, after_effect: true }];
  const response = await withFaults(workspace, { fail }, () =>
    workspace.api.post('/v1/bookings', bookingBody(room.id)),
  );
  t.is(response.status, 201, JSON.stringify(response.body));
  const sessions = await listSessions(workspace);
  t.deepEqual(
    sessions.map((session) => session.id),
    [checkoutSessionId(response.body)],
  );
  await sweep(t, workspace);
});

test('an expiry whose response was lost releases the slot once', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const room = await newRoom(workspace.api);
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  const fail = [
    {
      method: 'POST',
      path: `/v1/checkout/sessions/${checkoutSessionId(booking)}/expire`,
      status: 500,
      after_effect: true,
    },
  ];
  await withFaults(workspace, { fail }, () => untilStatus(workspace.api, booking.id, 'expired'));
  t.is((await listSessions(workspace))[0]!.status, 'expired');
  await sweep(t, workspace);
});

test('a refund whose response was lost is created once', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const room = await newRoom(workspace.api);
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  const { payment_intent } = await pay(booking, { async: true });
  await untilStatus(workspace.api, booking.id, 'expired');
  const fail = [{ method: 'POST', path: '/v1/refunds', status: 500, times: 2, after_effect: true }];
  await withFaults(workspace, { fail }, async () => {
    await simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/settle`, {});
    await until(async () => {
      const rows = await db.query(`SELECT status FROM payments WHERE booking_id = $1 AND kind = 'refund'`, [
        booking.id,
      ]);
      return rows[0]?.status === 'succeeded';
    });
  });
  const { refunds } = await processorLedger(workspace);
  t.is(refunds.filter((refund) => refund.payment_intent === payment_intent).length, 1);
  await sweep(t, workspace);
});

for (const [name, faults] of Object.entries({
  down: { fail: [{ ...OPEN_SESSION, status: 500, times: 1_000 }] },
  slow: { latency_ms: 20_000 },
})) {
  test(`with a processor that is ${name} a create returns 502 within 15 s, and leaves no slot, key or session`, async (t) => {
    const workspace = await newWorkspace();
    const { api } = workspace;
    const room = await newRoom(api);
    const body = bookingBody(room.id);
    await withFaults(workspace, faults, async () => {
      const started = Date.now();
      const response = await api.post('/v1/bookings', body);
      t.is(response.status, 502, JSON.stringify(response.body));
      t.is(response.body.error.code, 'processor_error');
      t.true(Date.now() - started < 15_000);
      t.deepEqual(await unpublished(workspace), []);
    });
    const another = await api.post('/v1/bookings', { ...body, notes: 'the same key with another body' });
    t.is(another.status, 201, JSON.stringify(another.body));
    const [abandoned] = await db.query(
      `SELECT state FROM checkouts WHERE workspace_id = $1 AND state NOT IN ('open')`,
      [workspace.id],
    );
    t.truthy(abandoned);
    await until(
      async () => (await listSessions(workspace)).filter(({ status }) => status === 'open').length === 1,
    );
    await until(async () => {
      const rows = await db.query(`SELECT FROM checkouts WHERE workspace_id = $1 AND state = 'abandoned'`, [
        workspace.id,
      ]);
      return rows.length === 0;
    });
    await sweep(t, workspace);
  });
}

test('a call of 9 s, longer than a workflow task, leaves one open session if there is a booking, and otherwise none', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const body = bookingBody(room.id);
  const { status } = await withFaults(workspace, { latency_ms: 9_000 }, () =>
    workspace.api.post('/v1/bookings', body),
  );
  // The next attempt has the same key, so it gets the session of the first, if that ends in time.
  t.true([201, 502].includes(status), `${status}`);
  const open = status === 201 ? 1 : 0;
  t.is((await db.query(`SELECT FROM slot_claims WHERE room_id = $1`, [room.id])).length, open);
  await until(async () => {
    const sessions = await listSessions(workspace);
    return sessions.length === 1 && sessions.filter((each) => each.status === 'open').length === open;
  });
  await sweep(t, workspace);
});

test('a refused checkout returns 502 immediately, and its key can be used with another body', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const idempotency_key = randomUUID();
  const fail = [{ ...OPEN_SESSION, status: 400 }];
  const refused = await withFaults(workspace, { fail }, () =>
    workspace.api.post('/v1/bookings', bookingBody(room.id, { idempotency_key })),
  );
  t.is(refused.status, 502);
  const other = await workspace.api.post('/v1/bookings', bookingBody(room.id, { idempotency_key }));
  t.is(other.status, 201);
  await sweep(t, workspace);
});

test('a hold whose account is revoked counts as unpaid and ends on time', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const { api, accountId } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  await simulator('POST', '/_sim/event', {
    type: 'account.application.deauthorized',
    object: { object: 'application', id: 'ca_holdfast' },
    account: accountId,
    via: 'connect',
  });
  await untilStatus(api, booking.id, 'expired');
  const next = await api.post('/v1/bookings', bookingBody(room.id));
  t.is(next.status, 412);
  t.is(next.body.error.code, 'processor_unconfigured');
});
