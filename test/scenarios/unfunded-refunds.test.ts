import test from 'ava';
import { adoptRefund, reserveRefund } from '../../commands/payments/refunds.js';
import { findPaymentByIntent } from '../../db/queries/payments/payment.js';
import { transaction } from '../../db/transaction.js';
import { listAttentionItems } from '../../db/queries/workspaces/attention.js';
import { internal } from '../support/api-client.js';
import { confirmedBooking, listEvents } from '../support/bookings.js';
import { mailTo, processorLedger, simulator, withRefundMode } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, findOwnerEmail, type TestWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';

/**
 * Refunds a booking's payment on an account without balance. Returns once the
 * processor has failed the refund.
 */
async function unfundedRefund(workspace: TestWorkspace) {
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=charge`);
  const paymentId: string = body.data[0]!.id;
  const asked = await api.post(`/v1/payments/${paymentId}/refund`);
  const refundId: string = asked.body.refund.id;
  const readStatus = async (id: string): Promise<string> => (await api.get(`/v1/payments/${id}`)).body.status;
  await until(async () => {
    const [row] = await db.query(`SELECT unfunded_attempts FROM payments WHERE id = $1`, [refundId]);
    return row.unfunded_attempts === 1;
  });
  return { booking, paymentId, refundId, asked: asked.body, readStatus };
}

const listRefunds = async (workspace: TestWorkspace) =>
  (await processorLedger(workspace)).refunds.map(({ status }) => status).toSorted();

test('a refund that lacks balance stays pending, and succeeds once the processor reports balance', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { refundId, paymentId, asked, readStatus } = await withRefundMode(
    workspace,
    'no_balance',
    async () => {
      const begun = await unfundedRefund(workspace);
      t.is(begun.asked.refund.status, 'pending');
      t.is(await begun.readStatus(begun.refundId), 'pending');
      // Its amount stays reserved, so nobody refunds it a second time.
      const again = await api.post(`/v1/payments/${begun.paymentId}/refund`);
      t.is(again.body.error.code, 'amount_exceeds_refundable');
      const mail = await until(async () =>
        (await mailTo(await findOwnerEmail(workspace.id))).find(({ subject }) =>
          /A refund is waiting for funds/.test(subject),
        ),
      );
      const items = await listAttentionItems(db.manager, { workspace_id: workspace.id, limit: 10 });
      t.deepEqual(
        items.map(({ kind }) => kind),
        ['refund_unfunded'],
      );
      t.true(mail.text.includes('£30.00'));
      return begun;
    },
  );
  t.is(asked.payment.refunded_minor, 3_000);
  // The simulator reports balance when the mode ends, as Stripe does when funds become available.
  await until(async () => (await readStatus(refundId)) === 'succeeded');
  t.is(await readStatus(paymentId), 'refunded');
  t.deepEqual(await listRefunds(workspace), ['failed', 'succeeded']);
  const types = (await listEvents(paymentId)).map(({ type }) => type);
  t.deepEqual(types, ['payment.succeeded', 'payment.refunded']);
  await sweep(t, workspace);
});

test('self-heal tries a refund again once there is balance, under another idempotency key', async (t) => {
  const workspace = await newWorkspace();
  const heal = () => internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
  const account = workspace.accountId;
  await simulator('POST', '/_sim/refund_mode', { account, mode: 'no_balance' });
  const { booking, refundId, readStatus } = await unfundedRefund(workspace);
  t.is((await heal()).body.failed, 0);
  t.deepEqual(await listRefunds(workspace), ['failed'], 'without balance it would only fail again');
  await simulator('POST', '/_sim/faults', { account, drop_webhooks: ['balance.available'] });
  await simulator('POST', '/_sim/refund_mode', { account, mode: 'succeed' });
  await heal();
  await until(async () => (await readStatus(refundId)) === 'succeeded');
  t.deepEqual(await listRefunds(workspace), ['failed', 'succeeded']);
  const { requests } = await processorLedger(workspace);
  const keys = requests
    .filter(({ path, method }) => path === '/v1/refunds' && method === 'POST')
    .map(({ idempotency_key }) => idempotency_key);
  const key = `${booking.processor_payment_intent_id}:refund:3000:1`;
  t.deepEqual(keys, [key, `${key}:try-2`]);
  await sweep(t, workspace);
});

test('after 30 days without balance a refund has failed, and its amount is refundable again', async (t) => {
  const workspace = await newWorkspace();
  await withRefundMode(workspace, 'no_balance', async () => {
    const { refundId, paymentId, readStatus } = await unfundedRefund(workspace);
    await db.query(`UPDATE payments SET unfunded_since = now() - interval '31 days' WHERE id = $1`, [
      refundId,
    ]);
    await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
    await until(async () => (await readStatus(refundId)) === 'failed');
    const { body } = await workspace.api.get(`/v1/payments/${paymentId}`);
    t.like(body, { status: 'succeeded', refunded_minor: 0 });
    t.is((await listEvents(paymentId)).at(-1)!.type, 'payment.refund_failed');
  });
  await sweep(t, workspace);
});

test("a refund made in the processor's dashboard that lacks balance has failed, and is not made again", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const intent = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body.data[0]!;
  const findRefund = async () =>
    (await api.get(`/v1/payments?booking_id=${booking.id}&kind=refund`)).body.data[0];
  await withRefundMode(workspace, 'no_balance', async () => {
    const path = `/_sim/payment_intents/${intent.processor_payment_intent_id}/refund`;
    await simulator('POST', path, { amount: 1_000 });
    await until(async () => (await findRefund())?.status === 'failed');
  });
  t.like(await findRefund(), { origin: 'processor', amount_minor: 1_000 });
  t.is((await api.get(`/v1/payments/${intent.id}`)).body.refunded_minor, 0);
  await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
  t.deepEqual(await listRefunds(workspace), ['failed']);
  // The service makes its own refund, and says so.
  const { body: own } = await api.post(`/v1/payments/${intent.id}/refund`, { amount_minor: 500 });
  t.is(own.refund.origin, 'service');
  await sweep(t, workspace);
});

test('the owner is told once that the processor holds a refund for lack of balance, and it is not made again', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=charge`);
  const asked = await withRefundMode(workspace, 'held', () =>
    api.post(`/v1/payments/${body.data[0]!.id}/refund`),
  );
  const told = async () =>
    (await mailTo(await findOwnerEmail(workspace.id))).filter(({ subject }) =>
      /A refund is waiting for funds/.test(subject),
    ).length;
  await until(async () => (await told()) === 1);
  const items = await listAttentionItems(db.manager, { workspace_id: workspace.id, limit: 10 });
  t.deepEqual(
    items.map(({ kind }) => kind),
    ['refund_unfunded'],
  );
  await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
  t.deepEqual(await listRefunds(workspace), ['pending']);
  const [held] = (await processorLedger(workspace)).refunds;
  await simulator('POST', `/_sim/refunds/${held!.id}/settle`, { status: 'succeeded' });
  const { id } = asked.body.refund;
  await until(async () => (await api.get(`/v1/payments/${id}`)).body.status === 'succeeded');
  t.is(await told(), 1);
  await sweep(t, workspace);
});

test("a refund made in the processor's dashboard while one of ours reserves its amount says what it waits for", async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const payment = (await findPaymentByIntent(db.manager, booking.processor_payment_intent_id!))!;
  const { amount_minor } = payment;
  const theirs = {
    refund_id: 're_1',
    amount_minor,
    created_for: null,
    purpose: null,
    ordinal: null,
    request: null,
  };
  const beside = transaction(db, async (tx) => {
    await reserveRefund(tx, payment.id, { amount_minor: 1, purpose: 'request', reason: 'other' });
    await adoptRefund(tx, payment, theirs);
  });
  await t.throwsAsync(beside, { message: /^re_1 .* while a refund of ours is pending/ });
});
