import test from 'ava';
import { withScratchDatabase } from '../support/scratch-database.js';
import { accountingLedger, untilInAccounting } from '../support/accounting.js';
import { backUp, restore } from '../support/backup.js';
import { client, type ApiClient } from '../support/api-client.js';
import { bookingBody, createBooking, untilStatus } from '../support/bookings.js';
import { processorLedger } from '../support/simulators.js';
import { dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom } from '../support/workspaces.js';
import { CONTROL, startFaultProxy } from '../support/fault-proxy.js';
import { sweep } from '../support/invariants.js';
import { newAutopayer, openOwnWorkspace, payAndReturn, startService } from '../support/own-workspace.js';
import { newInvoice, newPayer } from '../support/payers.js';

/** Half of the price is refunded, whenever a booking is cancelled. */
const HALF = { refund_steps: [{ hours_before: 0, percent: 50 }] };

const readStatus = async (api: ApiClient, invoiceId: string) =>
  (await api.get(`/v1/invoices/${invoiceId}`)).body.status;

test('money that moved after the backup moves once, and no invoice gets a number that was already used', async (t) => {
  await withScratchDatabase(async (lost, lostUrl) => {
    const before = await startService(lostUrl, {});
    t.teardown(before.stop);
    const workspace = await openOwnWorkspace(before, lost);
    const { api } = workspace;
    const book = async () => createBooking(api, bookingBody((await newRoom(api, HALF)).id));
    const payer = await newAutopayer(workspace);
    const [cancelled, hosted] = [await book(), await book()];
    await payAndReturn(cancelled);
    await untilStatus(api, cancelled.id, 'confirmed');
    const collected = await newInvoice(workspace, payer, 1);
    // A worker's claim in the backup would last for a minute after the restore.
    await until(async () => (await lost.query(`SELECT FROM accounting_due`)).length === 0);
    const since = new Date();
    const backup = await backUp(lost);

    // What the backup lacks: a charge of a card on file, a payment on the hosted page, a refund, an invoice.
    await lost.query(`UPDATE invoices SET due_at = now() WHERE id = $1`, [collected.id]);
    await lost.query(`UPDATE collections SET next_at = now(), notify_at = now() WHERE invoice_id = $1`, [
      collected.id,
    ]);
    await until(async () => (await readStatus(api, collected.id)) === 'paid');
    await payAndReturn(hosted);
    await untilStatus(api, hosted.id, 'confirmed');
    await api.post(`/v1/bookings/${cancelled.id}/cancel`);
    await until(async () => (await processorLedger(workspace)).refunds.length === 1);
    const forgotten = await newInvoice(workspace, (await newPayer(workspace)).id, 30);
    await before.internal('run_job', { job: 'accounting_sync' });
    await untilInAccounting(workspace, forgotten.document_number!);
    const { document_number: lostNumber } = (await api.get(`/v1/invoices/${hosted.invoice_id}`)).body;
    await untilInAccounting(workspace, lostNumber!);
    await before.stop();
    const made = (await processorLedger(workspace)).charges;
    t.is(made.length, 3);
    t.is(made.find(({ amount }) => amount === 10_000)!.description, `Invoice ${collected.document_number}`);

    await withScratchDatabase(async (restored, restoredUrl) => {
      await restore(restored, backup);
      const proxy = await startFaultProxy(dev.processorUrl!, 'stripe-account');
      t.teardown(proxy.close);
      const fail = (faults: object[]) =>
        fetch(proxy.url + CONTROL, {
          method: 'POST',
          body: JSON.stringify({ scope: workspace.accountId, faults }),
        });
      await fail([{ fault: 'status', status: 500, path: '/v1/events' }]);
      await restored.query(`UPDATE invoices SET due_at = now() WHERE id = $1`, [collected.id]);
      await restored.query(`UPDATE collections SET next_at = now(), notify_at = now()`);
      const settings = { STRIPE_API_URL: proxy.url, RECOVER_SINCE: since.toISOString() };
      const after = await startService(restoredUrl, settings);
      t.teardown(after.stop);
      const api = client(workspace.api.token, after.baseUrl);
      const again = { ...workspace, api };
      const room = await newRoom(api);
      t.like(await api.post('/v1/bookings', bookingBody(room.id)), { status: 503 });
      const read = { job: 'read_accounts', workspace_id: workspace.id };
      t.like((await after.internal('run_job', read)).body, { failed: 1 });
      t.like((await api.get('/v1/workspace')).body.recovering, { accounts_left: 1 });
      const ledger = await processorLedger(workspace);
      t.deepEqual([ledger.charges.length, ledger.refunds.length], [3, 1]);

      await fail([]);
      for (const job of [read, { job: 'self_heal' }, { job: 'accounting_sync' }]) {
        const failed = 'workspace_id' in job ? 0 : [];
        t.like(await after.internal('run_job', job), { status: 200, body: { failed } } as never, job.job);
      }
      t.is((await api.get('/v1/workspace')).body.recovering, null);
      await untilStatus(api, hosted.id, 'confirmed');
      const settled = (await api.get(`/v1/invoices/${hosted.invoice_id}`)).body;
      t.is(settled.document_number, lostNumber, 'the books say which number it had');
      await until(async () => (await readStatus(api, collected.id)) === 'paid');
      // The cancellation is lost, but its refund is not.
      await api.post(`/v1/bookings/${cancelled.id}/cancel`);
      await untilStatus(api, cancelled.id, 'cancelled');
      const paid = await createBooking(api, bookingBody(room.id));
      await payAndReturn(paid);
      await untilStatus(api, paid.id, 'confirmed');
      const next = await newInvoice(again, payer, 30);
      t.true(next.number > forgotten.number, `${next.number} is after ${forgotten.number}`);
      await after.internal('run_job', { job: 'accounting_sync' });
      await untilInAccounting(workspace, next.document_number!);
      const documents = await accountingLedger(workspace);
      const numbers = documents.invoices.map(({ InvoiceNumber }) => InvoiceNumber);
      t.deepEqual(numbers, [...new Set(numbers)]);
      const { charges, refunds } = await processorLedger(workspace);
      t.deepEqual(
        charges.map(({ amount, status }) => [amount, status]).sort(),
        [3_000, 3_000, 3_000, 10_000].map((amount) => [amount, 'succeeded']).sort(),
      );
      t.deepEqual(
        refunds.map(({ amount }) => amount),
        [1_500],
      );
      await sweep(t, again, restored);
    });
  });
});
