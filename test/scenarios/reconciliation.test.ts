import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { ServiceError } from '@temporalio/client';
import Stripe from 'stripe';
import { createReconciliationActivities } from '../../activities/reconciliation.js';
import { asApiError } from '../../api/http/errors.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
} from '../support/accounting.js';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import {
  accountingSimulator,
  db,
  dev,
  mailTo,
  newWorkspace,
  simulator,
  until,
  withFaults,
  type TestWorkspace,
  processorLedger,
} from '../support/stack.js';
import type { ProxyFault } from '../support/fault-proxy.js';
import { withProxyFaults } from '../support/proxy-faults.js';
import { temporal } from '../support/temporal.js';

/** The report for today. */
async function reconcile({ api }: TestWorkspace) {
  const [from, to] = [-DAY_MS, DAY_MS].map((offset) => new Date(Date.now() + offset).toISOString());
  const { status, body } = await api.get(`/v1/reconciliation?from=${from}&to=${to}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

const untilUpToDate = (workspaceId: string) =>
  until(async () => {
    const pending = await db.query(`SELECT FROM accounting_due WHERE workspace_id = $1`, [workspaceId]);
    return pending.length === 0;
  });

test('a reconciliation that takes longer than its request has an address; requests for it share one run', async (t) => {
  const workspace = await newWorkspace();
  const [from, to] = [-DAY_MS, DAY_MS].map((offset) => new Date(Date.now() + offset).toISOString());
  const path = `/v1/reconciliation?from=${from}&to=${to}` as const;
  // Each attempt to list the charges waits for 5 s, which is all that the service's client allows for a response.
  const slow: ProxyFault = { fault: 'silent', method: 'GET', path: '/v1/charges', seconds: 27 };
  const responses = await withProxyFaults(workspace, [slow], () =>
    Promise.all([workspace.api.get(path), workspace.api.get(path)]),
  );
  const { headers, body } = responses[0]!;
  t.deepEqual(
    responses.map(({ status }) => status),
    [202, 202],
    JSON.stringify(body),
  );
  t.deepEqual(body, { id: body.id, status: 'running' });
  t.is(responses[1]!.body.id, body.id);
  const location = headers.get('location')!;
  t.is(location, `/v1/reconciliations/${body.id}`);
  t.true(Number(headers.get('retry-after')) > 0);
  const report = await until(async () => {
    const found = await workspace.api.get(location);
    return found.status === 200 && found.body;
  }, 60_000);
  t.like(report, { from, to, differences: [] });
});

test('a comparison that a lost worker has stored is not made again without what it compared', async (t) => {
  const workspace = await newWorkspace();
  await confirmedBooking(workspace.api);
  t.deepEqual((await reconcile(workspace)).differences, []);
  const [{ id }] = await db.query(`SELECT id FROM reconciliations WHERE workspace_id = $1`, [workspace.id]);
  const deps = { db } as Parameters<typeof createReconciliationActivities>[0];
  const read = { processor: true, accounting: true };
  t.is(await createReconciliationActivities(deps).compileReport({ id, read, notifyOwner: true }), 0);
});

test('there are no differences after bookings, a top-up, refunds and manual payments', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, 1) });
  const { booking: refunded } = await confirmedBooking(api);
  await api.post(`/v1/bookings/${refunded.id}/cancel`, { refund_policy: 'full' });
  const invoice = await openInvoice(workspace);
  await api.post(`/v1/invoices/${invoice.id}/mark-paid`, { amount_minor: 12_000, method: 'cash' });
  const waiting = await openInvoice(workspace);
  await until(async () => {
    const { body } = await api.get(`/v1/invoices/${refunded.invoice_id}`);
    return body.status === 'refunded';
  });
  await untilUpToDate(workspace.id);
  const report = await reconcile(workspace);
  t.deepEqual(report.differences, []);
  t.is(report.invoices_examined, 4);
  // 30.00 + 30.00 by card, 30.00 - 30.00 refunded, 120.00 in cash; the last invoice is open
  t.deepEqual(report.totals, { ledger: 18_000, processor: 6_000, accounting: 18_000 });
  t.is((await api.get(`/v1/invoices/${waiting.id}`)).body.status, 'open');
});

test('payments and refunds at the processor without a webhook are reported', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const intent = booking.processor_payment_intent_id;
  const { charges } = await processorLedger(workspace);
  const { customer, payment_method } = charges.filter((charge) => charge.payment_intent === intent)[0]!;
  const { hostname, port } = new URL(dev.processorUrl!);
  const stripe = new Stripe('sk_test_holdfast', { host: hostname, port, protocol: 'http' });
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    await simulator('POST', `/_sim/payment_intents/${intent}/refund`, { amount: 1_000 });
    const charge = (amount: number, metadata: Record<string, string>) =>
      stripe.paymentIntents.create(
        {
          amount,
          currency: 'gbp',
          customer: customer!,
          payment_method,
          confirm: true,
          off_session: true,
          metadata,
        },
        { stripeAccount: workspace.accountId! },
      );
    await charge(500, { booking_id: booking.id });
    // The operator's other business on the same account is not compared.
    await charge(700, { order: '17' });
  });
  const { differences, totals } = await reconcile(workspace);
  t.deepEqual(
    differences.map(({ kind, invoice_id, ledger_minor, processor_minor }) => [
      kind,
      invoice_id,
      ledger_minor,
      processor_minor,
    ]),
    [
      ['processor_amount', booking.invoice_id, 3_000, 2_000],
      ['ledger_missing', null, null, 500],
    ],
  );
  t.deepEqual(totals, { ledger: 3_000, processor: 2_500, accounting: 0 });
});

test('a payment unknown to the processor and a paid invoice without its total are reported', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  await db.query(
    `UPDATE payments SET processor_payment_intent_id = 'pi_nowhere' || id, amount_minor = 2000 WHERE booking_id = $1`,
    [booking.id],
  );
  const { differences } = await reconcile(workspace);
  t.deepEqual(
    differences.map(({ kind }) => kind),
    ['processor_missing', 'ledger_missing', 'ledger_amount'],
  );
});

test("a bookkeeper's changes are reported with an explanation", async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  const { InvoiceID } = await untilInAccounting(workspace, 'HF-1');
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, { Status: 'PAID' });
  const { differences } = await reconcile(workspace);
  t.like(differences[0], {
    kind: 'accounting_amount',
    invoice_id: invoice.id,
    ledger_minor: 0,
    accounting_minor: 12_000,
  });
  t.regex(differences[0]!.message, /Record the payment here/);
});

test('an accounting system that cannot be read is reported', async (t) => {
  const workspace = await newAccountingWorkspace();
  await openInvoice(workspace);
  await syncAccounting(workspace);
  t.deepEqual((await reconcile(workspace)).differences, []);
  await accountingSimulator('POST', `/_sim/organisations/${workspace.tenant}/disconnect`, {});
  const { differences } = await reconcile(workspace);
  t.is(differences.length, 1);
  t.like(differences[0], { kind: 'accounting_missing', invoice_id: null });
  t.regex(differences[0]!.message, /could not be read/);
});

test('credit notes are read by page, not one by one', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(workspace);
  await withAccountingFaults(workspace, { minute_limit: 1_000 }, async () => {
    const { body } = await api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
      amount_minor: 12_000,
      method: 'cash',
    });
    for (let i = 0; i < 12; i++)
      await api.post(`/v1/payments/${body.payment.id}/refund`, { amount_minor: 100 });
    await untilUpToDate(workspace.id);
    t.deepEqual((await reconcile(workspace)).differences, []);
  });
  const { credit_notes, requests } = await accountingLedger(workspace);
  t.is(credit_notes!.length, 12);
  const last = requests!.slice(-2).map(({ method, path }) => `${method} ${path.split('/').at(-1)}`);
  t.deepEqual(last.toSorted(), ['GET CreditNotes', 'GET Invoices']);
});

test('the nightly job sets attention on a workspace with differences and mails its owner', async (t) => {
  const owner_email = `owner-${Date.now()}@example.com`;
  const workspace = await newWorkspace({ owner_email });
  const { booking } = await confirmedBooking(workspace.api);
  await db.query(
    `UPDATE payments SET amount_minor = 2500, created_at = created_at - interval '3 hours' WHERE booking_id = $1`,
    [booking.id],
  );
  await db.query(`UPDATE invoices SET created_at = created_at - interval '3 hours' WHERE id = $1`, [
    booking.invoice_id,
  ]);
  const handle = await temporal.workflow.start('nightlyReconciliation', {
    taskQueue: 'holdfast',
    workflowId: `test-nightly-${workspace.id}`,
    args: [{ workspaceId: workspace.id }],
  });
  t.deepEqual(await handle.result(), { workspaces: 1, failed: 0 });
  const mails = await until(async () => {
    const found = await mailTo(owner_email);
    return found.length > 0 && found;
  });
  t.regex(mails[0]!.subject, /Reconciliation found 2 differences/);
  const [{ id }] = await db.query(`SELECT id FROM reconciliations WHERE workspace_id = $1`, [workspace.id]);
  const run = await temporal.workflow.getHandle(`nightly-${id}`).describe();
  t.is(run.typedSearchAttributes.getAll().find(({ key }) => key.name === 'AttentionNeeded')?.value, true);
});

test('a range must be valid and at most 92 days long', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const error = async (query: string) => {
    const { status, body } = await api.get(`/v1/reconciliation${query}`);
    return [status, body.error.param];
  };
  t.deepEqual(await error(''), [422, 'from']);
  t.deepEqual(await error('?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'), [422, 'to']);
  t.deepEqual(await error('?from=2026-01-01T00:00:00Z&to=2026-06-01T00:00:00Z'), [422, 'to']);
});

test('a workspace has few reports in progress at a time, and takes no room from another', async (t) => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const path = (n: number) =>
    `/v1/reconciliation?from=2026-01-01T00:00:${10 + n}Z&to=2026-01-02T00:00:00Z` as const;
  const [ofOther, ...own] = await Promise.all([
    other.api.get(path(0)),
    ...Array.from({ length: 16 }, (_, n) => workspace.api.get(path(n))),
  ]);
  t.is(ofOther.status, 200);
  const refused = own.filter(({ status }) => status !== 200);
  t.true(refused.length > 0 && refused.length <= 6, own.map(({ status }) => status).join(' '));
  for (const { status, headers } of refused) t.deepEqual([status, headers.get('retry-after')], [429, '1']);
  t.is((await workspace.api.get(path(20))).status, 200, 'when the others have their reports');

  const tooLate = asApiError(new ServiceError('Failed to get Workflow execution history'));
  t.is(tooLate?.code, 'service_unavailable', 'a report that takes longer than a request may');
});
