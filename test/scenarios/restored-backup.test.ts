import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DataSource } from 'typeorm';
import test from 'ava';
import { withScratchDatabase } from '../support/scratch-database.js';
import type { AccountingWorkspace } from '../support/accounting.js';
import { backUp, letHoursPass, restore } from '../support/backup.js';
import { client } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import {
  bookingBody,
  createBooking,
  hoursLater,
  pay,
  checkoutSessionId,
  untilStatus,
} from '../support/bookings.js';
import { accountingSimulator, processorLedger, simulator } from '../support/simulators.js';
import { dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, uniqueEmail } from '../support/workspaces.js';
import { CONTROL, startFaultProxy, type FaultProxy, type ProxyFault } from '../support/fault-proxy.js';
import { sweep } from '../support/invariants.js';
import { newAutopayer, openOwnWorkspace, startService } from '../support/own-workspace.js';
import type { OwnService } from '../support/own-service.js';
import { eventIds, openReceiver } from '../support/receiver.js';
import type { ProcessorLedger } from '../support/ledgers.js';

/** More than any hold, and past the due date of an invoice below. */
const HOURS_UNTIL_RESTORED = 3;

const home = dirname(process.env.HOLDFAST_DEV_JSON!);
const { SMTP_PORT } = JSON.parse(readFileSync(join(home, 'ports.json'), 'utf8')).named;

/**
 * A workspace whose processor sends no webhooks, whose receiver refuses deliveries and whose
 * accounting system is unavailable.
 */
async function createWorkspace(service: OwnService, db: DataSource): Promise<AccountingWorkspace> {
  const workspace = await openOwnWorkspace(service, db);
  const fail = [{ path: '/api.xro/2.0/Invoices*', status: 503, times: 1_000 }];
  await accountingSimulator('POST', '/_sim/faults', { tenant: workspace.tenant, fail });
  await simulator('POST', '/_sim/faults', { account: workspace.accountId, drop_webhooks: ['all'] });
  return workspace;
}

const created = async <Body>(response: Promise<ApiResponse<Body>>) => {
  const { status, body } = await response;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
};

const setRefundMode = ({ accountId }: AccountingWorkspace, mode: string): Promise<unknown> =>
  simulator('POST', '/_sim/refund_mode', { account: accountId, mode });

/**
 * Everything that can be in progress when a backup is taken. `proxy` is between the
 * service and the processor.
 */
async function workInProgress({ baseUrl }: OwnService, workspace: AccountingWorkspace, proxy: FaultProxy) {
  const cutConnections = (...faults: Partial<ProxyFault>[]): Promise<unknown> => {
    const cut = faults.map((fault) => ({ fault: 'cut', method: 'POST', ...fault }));
    const body = JSON.stringify({ scope: workspace.accountId, faults: cut });
    return fetch(proxy.url + CONTROL, { method: 'POST', body });
  };
  const lostCharges = { path: '/v1/payment_intents', after_effect: true };
  // What was made is not found either.
  const lists = ['/v1/payment_intents', '/v1/refunds'].map((path) => ({ method: 'GET', path }));
  const { api } = workspace;
  const book = async () => createBooking(api, bookingBody((await newRoom(api)).id));
  const confirmed = async () => {
    const booking = await book();
    await pay(booking);
    await fetch(`${baseUrl}/checkout/success?session_id=${checkoutSessionId(booking)}`);
    return untilStatus(api, booking.id, 'confirmed');
  };
  const payer = async (): Promise<string> =>
    (await created(api.post('/v1/companies', { name: 'Acme', billing_email: uniqueEmail() }))).id;
  const setUpCard = async (company: string) => created(api.post(`/v1/companies/${company}/card-setup`));
  const invoice = async (company_id: string, dueInHours: number) =>
    created(
      api.post('/v1/invoices', {
        company_id,
        currency: 'GBP',
        due_at: hoursLater(new Date().toISOString(), dueInHours),
        lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 10_000, tax_code: 'ZERO' }],
      }),
    );
  const cancel = (id: string) => api.post(`/v1/bookings/${id}/cancel`, { refund_policy: 'full' });

  const [moved, refundPending, refundLost, refundUnsent, charged, scheduled] = await Promise.all([
    confirmed(),
    confirmed(),
    confirmed(),
    confirmed(),
    newAutopayer(workspace),
    newAutopayer(workspace),
  ]);
  const [unpaid, paid] = await Promise.all([book(), book()]);
  await pay(paid);
  const hosted = await invoice(await payer(), 24 * 30);
  await pay(await created(api.post(`/v1/invoices/${hosted.id}/checkout`)));
  const collected = await invoice(scheduled, 1);
  const cardPayer = await payer();
  const cardSetup = await setUpCard(cardPayer);

  await setRefundMode(workspace, 'pending');
  await cancel(refundPending.id);
  await setRefundMode(workspace, 'succeed');
  await cutConnections(lostCharges, { path: '/v1/refunds', after_effect: true }, ...lists);
  const [charging] = await Promise.all([
    invoice(charged, 0),
    cancel(refundLost.id),
    api.patch(`/v1/bookings/${moved.id}`, { end_at: hoursLater(moved.end_at, 1) }),
  ]);
  const ofCharge = ({ status, metadata }: ProcessorLedger['payment_intents'][number], id: string) =>
    status === 'succeeded' && Object.values(metadata).includes(id);
  await until(async () => {
    const { payment_intents, refunds } = await processorLedger(workspace);
    return refunds.length === 2 && payment_intents.some((each) => ofCharge(each, charging.id));
  });
  await cutConnections(lostCharges, { path: '/v1/refunds' }, ...lists);
  await cancel(refundUnsent.id);
  return {
    bookings: { unpaid, paid, moved },
    invoices: { hosted, collected, charging },
    cardPayer,
    cardSetup,
  };
}

test('after a restore with Temporal lost, everything that was in progress continues to its end', async (t) => {
  const receiver = await openReceiver(() => 500);
  t.teardown(receiver.close);
  await withScratchDatabase(async (lost, lostUrl) => {
    const proxy = await startFaultProxy(dev.processorUrl!, 'stripe-account');
    t.teardown(proxy.close);
    const before = await startService(lostUrl, { STRIPE_API_URL: proxy.url });
    t.teardown(before.stop);
    const workspace = await createWorkspace(before, lost);
    await created(workspace.api.put('/v1/webhook-endpoint', { url: receiver.url }));
    const { bookings, invoices, cardPayer, cardSetup } = await workInProgress(before, workspace, proxy);
    await before.stop();
    const [inProgress] = await lost.query(
      `SELECT (SELECT count(*) FROM bookings WHERE status = 'pending_payment') AS unpaid,
              (SELECT count(*) FROM booking_changes WHERE state = 'charging') AS changes,
              (SELECT count(*) FROM payments WHERE status = 'pending') AS refunds,
              (SELECT count(*) FROM checkouts WHERE invoice_id IS NOT NULL AND state <> 'paid') AS invoices,
              (SELECT count(*) FROM card_setups WHERE state = 'open') AS cards,
              (SELECT count(*) FROM accounting_due) > 0 AS accounting,
              (SELECT count(*) FROM mails WHERE status = 'pending') > 0 AS mails,
              (SELECT count(*) FROM webhook_retries) > 0 AS deliveries`,
    );
    const expected = { unpaid: 2, changes: 1, refunds: 3, invoices: 2, cards: 1 };
    t.deepEqual(inProgress, { ...expected, accounting: true, mails: true, deliveries: true });
    const backup = await backUp(lost);

    // Meanwhile a bank returns a refund, and a payer saves a card.
    const { refunds } = await processorLedger(workspace);
    const pending = refunds.find(({ status }) => status === 'pending')!;
    await simulator('POST', `/_sim/refunds/${pending.id}/settle`, { status: 'succeeded' });
    await pay({ checkout_url: cardSetup.url });
    await accountingSimulator('POST', '/_sim/faults', { tenant: workspace.tenant });
    receiver.reply = () => 200;

    await withScratchDatabase(async (restored, restoredUrl) => {
      await restore(restored, backup);
      await letHoursPass(restored, HOURS_UNTIL_RESTORED);
      const after = await startService(restoredUrl, { SMTP_URL: `smtp://127.0.0.1:${SMTP_PORT}` });
      t.teardown(after.stop);
      // The two hourly jobs, once.
      for (const job of ['self_heal', 'accounting_sync']) {
        const { status, body: summary } = await after.internal('run_job', { job });
        t.like(
          { status, summary },
          { status: 200, summary: { failed: [] } },
          `${job}: ${JSON.stringify(summary)}`,
        );
      }
      const api = client(workspace.api.token, after.baseUrl);

      await untilStatus(api, bookings.unpaid.id, 'expired');
      await untilStatus(api, bookings.paid.id, 'confirmed');
      const later = hoursLater(bookings.moved.end_at, 1);
      await until(async () => (await api.get(`/v1/bookings/${bookings.moved.id}`)).body.end_at === later);
      for (const { id } of Object.values(invoices))
        await until(async () => (await api.get(`/v1/invoices/${id}`)).body.status === 'paid');
      await until(async () => (await api.get(`/v1/companies/${cardPayer}`)).body.card);
      const unfinished = (): Promise<unknown[]> =>
        restored.query(
          `SELECT id, kind FROM payments WHERE status = 'pending' UNION ALL SELECT id, kind FROM mails
            WHERE status = 'pending'
           UNION ALL SELECT invoice_id, 'accounting' FROM accounting_due`,
        );
      await until(async () => (await unfinished()).length === 0).catch(() => undefined);
      t.deepEqual(await unfinished(), []);
      const events = await restored.query(
        `SELECT e.id FROM events e JOIN webhook_endpoints w USING (workspace_id)
         WHERE e.created_at >= w.created_at AND e.type ~ '^(booking|member)[.]'`,
      );
      await until(async () => {
        const received = new Set(eventIds(receiver.received));
        return events.every(({ id }: { id: string }) => received.has(id));
      });
      const ledger = await processorLedger(workspace);
      t.is(ledger.refunds.length, 3, 'each refund was made once');
      await sweep(t, { ...workspace, api }, restored);
    });
  });
});
