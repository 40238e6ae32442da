import Stripe from 'stripe';
import test from 'ava';
import { newId } from '../../db/ids.js';
import { internal } from '../support/api-client.js';
import { confirmedBooking } from '../support/bookings.js';
import { processorLedger, withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newAccount, newWorkspace, untilRecovered, type TestWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { newInvoice, newPayer } from '../support/payers.js';

/*
 * The processor has taken money, and the row for it is lost, as by a restored backup.
 */

const readStatus = async ({ api }: TestWorkspace, invoiceId: string) =>
  (await api.get(`/v1/invoices/${invoiceId}`)).body.status;

/** What the processor has taken by a card on file without a checkout here, as if its row was lost. */
async function takeMoney(
  workspace: TestWorkspace,
  metadata: Record<string, string>,
  before: () => Promise<unknown> = () => Promise.resolve(),
  description?: string,
): Promise<string> {
  const payer = await newPayer(workspace, '4242424242424242');
  const [card] = await db.query(
    `SELECT customer_id, payment_method_id FROM cards WHERE company_id = (
    SELECT id FROM companies WHERE workspace_id = $1 AND billing_email = $2)`,
    [workspace.id, payer.email],
  );
  await before();
  const { hostname, port } = new URL(dev.processorUrl!);
  const stripe = new Stripe('sk_test_holdfast', { host: hostname, port, protocol: 'http' });
  const { id } = await stripe.paymentIntents.create(
    {
      amount: 10_000,
      currency: 'gbp',
      customer: card.customer_id,
      payment_method: card.payment_method_id,
      off_session: true,
      confirm: true,
      metadata,
      description,
    },
    { stripeAccount: workspace.accountId! },
  );
  return id;
}

const refusedPayment = (intent: string) =>
  until(async () => {
    const [row] = await db.query(
      `SELECT booking_id, invoice_id, refusal, status FROM payments
        WHERE processor_payment_intent_id = $1 AND kind <> 'refund'`,
      [intent],
    );
    return row?.status === 'refunded' && row;
  });

test('money for a lost booking is refunded in full', async (t) => {
  const workspace = await newWorkspace();
  const booking_id = newId('bk');
  const intent = await takeMoney(workspace, { booking_id, purpose: 'checkout', ordinal: '1' });
  t.like(await refusedPayment(intent), {
    booking_id: null,
    invoice_id: null,
    refusal: { code: 'payment_too_late', booking_id },
  });
  const lost = `SELECT FROM account_reads
    WHERE account_id = $1 AND lost_from < now() AND lost_until IS NOT NULL`;
  t.is((await db.query(lost, [workspace.accountId])).length, 1, 'more may be lost');
  await sweep(t, workspace);
});

test('unreported money for a lost invoice pauses payments once when it is read, and numbers continue above it', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace);
  const paid = { invoice_id: newId('inv'), purpose: 'charge', ordinal: '1' };
  const read = async () =>
    (await internal('run_job', { job: 'read_accounts', workspace_id: workspace.id })).body;
  const noticed = async () => {
    const entries = await db.query(
      `SELECT details ->> 'reason' AS reason FROM audit_log
        WHERE workspace_id = $1 AND action = 'database.behind'`,
      [workspace.id],
    );
    return entries.map(({ reason }: { reason: string }) => reason);
  };
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const intent = await takeMoney(workspace, paid, undefined, 'Invoice TW-3');
    t.like(await read(), { accounts: 1, failed: 0 });
    await untilRecovered(workspace);
    t.deepEqual(await noticed(), ['processor']);
    t.regex((await newInvoice(workspace, payer.id, 10)).document_number!, /-4$/);
    t.like(await refusedPayment(intent), { invoice_id: null });
    await read();
    t.deepEqual(await noticed(), ['processor'], 'what was looked at once is not looked at again');
  });
});

test('money for a lost booking is refunded in full, also from the workspace’s previous account', async (t) => {
  const workspace = await newWorkspace();
  const booking_id = newId('bk');
  const use = (account: string) =>
    db.query(`UPDATE workspaces SET processor_account_id = $2 WHERE id = $1`, [workspace.id, account]);
  const paid = { booking_id, purpose: 'checkout', ordinal: '1' };
  const intent = await takeMoney(workspace, paid, () => use(newAccount()));
  t.like(await refusedPayment(intent), {
    booking_id: null,
    refusal: { code: 'payment_too_late', booking_id },
  });
  await until(async () => (await processorLedger(workspace)).refunds[0]?.status === 'succeeded');
  await use(workspace.accountId!);
  await sweep(t, workspace);
});

test('when rows are lost, verify_payment finds money that no checkout accounts for', async (t) => {
  const workspace = await newWorkspace();
  const booking_id = newId('bk');
  const faults = { drop_webhooks: ['charge.succeeded'] };
  const payment_intent_id = await withFaults(workspace, faults, () => takeMoney(workspace, { booking_id }));
  const verify = () => internal('verify_payment', { payment_intent_id });
  t.is((await verify()).body.error.code, 'payment_not_found');
  await db.query(
    `UPDATE account_reads SET lost_from = now() - interval '1 hour', lost_until = now()
      WHERE account_id = $1`,
    [workspace.accountId],
  );
  const { error } = (await verify()).body;
  t.like(error, { code: 'payment_too_late', details: { booking_id } });
  t.like(await refusedPayment(payment_intent_id), { booking_id: null });
  await sweep(t, workspace);
});

test('money for a lost change is refunded in full, and the booking stays as it is', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const intent = await takeMoney(workspace, { booking_id: booking.id, change_id: newId('chg') });
  t.like(await refusedPayment(intent), { booking_id: booking.id, invoice_id: booking.invoice_id });
  t.like((await workspace.api.get(`/v1/bookings/${booking.id}`)).body, {
    status: 'confirmed',
    price: booking.price,
  });
  await sweep(t, workspace);
});

test('money for an invoice whose attempt is lost pays it, and money for a lost invoice is refunded', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace);
  const { id: invoice_id } = await newInvoice(workspace, payer.id, 10);
  const facts = { purpose: 'checkout', ordinal: '1' };
  // Another of its pages is open.
  await workspace.api.post(`/v1/invoices/${invoice_id}/checkout`);
  await takeMoney(workspace, { ...facts, ordinal: '2', invoice_id, checkout_id: newId('chk') });
  await until(async () => (await readStatus(workspace, invoice_id)) === 'paid');
  // Its attempt was lost, so more may be.
  await untilRecovered(workspace);
  const intent = await takeMoney(workspace, {
    ...facts,
    invoice_id: newId('inv'),
    checkout_id: newId('chk'),
  });
  t.like(await refusedPayment(intent), { invoice_id: null, refusal: { booking_id: null } });
  await sweep(t, workspace);
});

test("money that is not ours, or names another workspace's invoice, stays as it is", async (t) => {
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  const payer = await newPayer(other);
  const { id: invoice_id } = await newInvoice(other, payer.id, 10);
  const intents = [
    await takeMoney(workspace, { order: '17' }),
    await takeMoney(workspace, { invoice_id, purpose: 'charge', ordinal: '1' }),
  ];
  await until(async () => {
    const rows = await db.query(
      `SELECT FROM processor_events WHERE account_id = $1 AND type = 'charge.succeeded'
        AND handled_at IS NOT NULL`,
      [workspace.accountId],
    );
    return rows.length === 2;
  });
  const known = await db.query(`SELECT FROM payments WHERE processor_payment_intent_id = ANY ($1)`, [
    intents,
  ]);
  t.is(known.length, 0);
  t.is((await processorLedger(workspace)).refunds.length, 0);
  t.is(await readStatus(other, invoice_id), 'open');
});
