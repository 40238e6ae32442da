import test from 'ava';
import { withScratchDatabase } from '../support/scratch-database.js';
import { bookingBody, createBooking, hoursLater, untilStatus } from '../support/bookings.js';
import { processorLedger } from '../support/simulators.js';
import { dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom } from '../support/workspaces.js';
import { CONTROL, startFaultProxy } from '../support/fault-proxy.js';
import { sweep } from '../support/invariants.js';
import { openWorkspace, payAndReturn } from '../support/own-workspace.js';
import { startOwnService } from '../support/own-service.js';
import { newPayer } from '../support/payers.js';
import { temporal } from '../support/temporal.js';

test('while an account recovers, no money moves on it, and once it is read, everything continues', async (t) => {
  await withScratchDatabase(async (db, databaseUrl) => {
    const proxy = await startFaultProxy(dev.processorUrl!, 'stripe-account');
    t.teardown(proxy.close);
    const service = await startOwnService(databaseUrl, { STRIPE_API_URL: proxy.url, LOG_LEVEL: 'warn' });
    t.teardown(service.stop);
    const workspace = await openWorkspace(service);
    const { api, accountId } = workspace;
    const company = await newPayer(workspace);
    const free = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
    const paid = await createBooking(api, bookingBody((await newRoom(api)).id));
    await payAndReturn(paid);
    await untilStatus(api, paid.id, 'confirmed');
    const recovering = async () => (await api.get('/v1/workspace')).body.recovering;
    t.is(await recovering(), null);

    // The processor does not list events, so the account cannot be read.
    const fail = (faults: object[]) =>
      fetch(proxy.url + CONTROL, { method: 'POST', body: JSON.stringify({ scope: accountId, faults }) });
    await fail([{ fault: 'status', status: 500, path: '/v1/events' }]);
    const since = hoursLater(new Date().toISOString(), -1);
    await service.startWorker(undefined, { RECOVER_SINCE: since });
    t.deepEqual(await recovering(), { since, accounts_left: 1 });

    const room = await newRoom(api);
    const invoice = { company_id: company.id, currency: 'GBP', due_at: since, lines: [] as object[] };
    invoice.lines.push({ description: 'Desk', quantity: 1, unit_amount_minor: 10_000, tax_code: 'ZERO' });
    for (const [path, body] of [
      ['/v1/bookings', bookingBody(room.id)],
      ['/v1/invoices', invoice],
      [`/v1/companies/${company.id}/card-setup`, undefined],
    ] as const) {
      const refused = await api.post(path, body);
      t.like(refused, { status: 503, body: { error: { code: 'service_unavailable' } } }, path);
      t.is(refused.headers.get('retry-after'), '30', path);
    }
    const longer = await api.patch(`/v1/bookings/${paid.id}`, { end_at: hoursLater(paid.end_at, 1) });
    t.like(longer, { status: 503, body: { error: { code: 'service_unavailable' } } });
    const [claims] = await db.query(`SELECT count(*)::int AS count FROM slot_claims WHERE room_id = $1`, [
      room.id,
    ]);
    t.is(claims.count, 0, 'nothing was reserved');

    t.is((await api.post('/v1/bookings', bookingBody(free.id))).status, 201);
    const { idempotency_key: _, ...quoted } = bookingBody(room.id);
    t.is((await api.post('/v1/quotes', quoted)).status, 200);
    await api.post(`/v1/bookings/${paid.id}/cancel`, { refund_policy: 'full' });
    const [refund] = await until(async () => {
      const refunds = await db.query(`SELECT id FROM payments WHERE kind = 'refund' AND status = 'pending'`);
      return refunds.length === 1 && refunds;
    });
    const shown = () =>
      temporal.workflow
        .getHandle(refund.id)
        .query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
    await until(async () => (await shown()).currentDetails.includes('PaymentsPaused: Payments are paused'));
    t.is((await processorLedger(workspace)).refunds.length, 0);

    await fail([]);
    await service.internal('run_job', { job: 'read_accounts', workspace_id: workspace.id });
    t.is(await recovering(), null);
    await until(async () => (await processorLedger(workspace)).refunds.length === 1);
    t.is((await api.post('/v1/bookings', bookingBody(room.id))).status, 201);
    await service.startWorker(undefined, { RECOVER_SINCE: since });
    t.is(await recovering(), null, 'a restart with the same setting');

    await db.query(`UPDATE recovery SET beat = beat - 10`);
    await until(async () => (await db.query(`SELECT found_since FROM recovery`))[0].found_since !== null);
    await until(async () => (await recovering()) === null);
    const entries = await db.query(`SELECT details FROM audit_log WHERE action = 'database.behind'`);
    t.deepEqual(
      entries.map(({ details }: { details: { reason: string } }) => details.reason),
      ['setting', 'beat_lost'],
    );
    await sweep(t, workspace, db);
  });
});
