import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../../domain/durations.js';
import { newId } from '../../../db/ids.js';
import { WORKFLOWS, workflowIds } from '../../../contract/names.js';
import { refundUpdated } from '../../../contract/payments/refunds.js';
import { starts } from '../../../contract/starts.js';
import { internal } from '../../support/api-client.js';
import {
  bookingBody,
  confirmedBooking,
  pay,
  checkoutSessionId,
  untilStatus,
} from '../../support/bookings.js';
import { simulator, withFaults, withRefundMode } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { disputablePayment } from '../../support/disputes.js';
import { temporal } from '../../support/temporal.js';
import { stripe } from '../../support/tiers.js';
import type { Recorder } from './recorder.js';

/** Runs about money, one at a time, because most need a fault of the processor. */
export async function recordPayments(recorder: Recorder): Promise<void> {
  await recordRefused(recorder);
  await recordLatePayment(recorder);
  await recordVerified(recorder);
  await recordAdopted(recorder);
  await recordRefunds(recorder);
  await recordUnfundedRefund(recorder);
  await recordDisputes(recorder);
  await recordAccountReads(recorder);
  await recordSettledReconciliation(recorder);
}

async function recordRefused(recorder: Recorder): Promise<void> {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const idempotency_key = randomUUID();
  const fail = [{ method: 'POST', path: '/v1/checkout/sessions', status: 400, times: 1 }];
  await withFaults(workspace, { fail }, () =>
    api.post('/v1/bookings', bookingBody(room.id, { idempotency_key })),
  );
  const [request] = await db.query(`SELECT booking_id FROM booking_requests WHERE idempotency_key = $1`, [
    idempotency_key,
  ]);
  await recorder.saveEnded('booking-refused', request.booking_id);
}

/** A payment that arrives after the hold: the booking expires, and the payment is refunded. */
async function recordLatePayment(recorder: Recorder): Promise<void> {
  const { api } = await newWorkspace({ hold_seconds: 10 });
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const { payment_intent } = await pay(booking, { async: true });
  await untilStatus(api, booking.id, 'expired');
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/settle`, {});
  const refundId = await until(async () => {
    const { body } = await internal('verify_payment', { payment_intent_id: payment_intent });
    return body.error?.details?.refund_id as string | undefined;
  });
  await recorder.saveEnded('booking-expired', booking.id);
  await recorder.saveEnded('refund', refundId);
  await recorder.saveEnded('verify-payment-late', workflowIds.verifyPayment(payment_intent));
}

/** A payment that no webhook reports: the internal action finds it, or the self-heal job. */
async function recordVerified(recorder: Recorder): Promise<void> {
  const workspace = await newWorkspace();
  const { api, id } = workspace;
  const room = await newRoom(api);
  const paidUnnoticed = async (): Promise<string> => {
    const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
    return (await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(booking))).payment_intent;
  };
  const payment_intent_id = await paidUnnoticed();
  await internal('verify_payment', { payment_intent_id });
  await recorder.saveEnded('verify-payment', workflowIds.verifyPayment(payment_intent_id));
  await paidUnnoticed();
  await until(async () => {
    const { body } = await internal('run_job', { job: 'self_heal', workspace_id: id });
    return body.confirmed === 1;
  });
  await recorder.saveAny('self-heal', 'selfHeal');
}

/** A payment whose booking is lost, as after a restored backup: it is refunded. */
async function recordAdopted(recorder: Recorder): Promise<void> {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const on = { stripeAccount: workspace.accountId! };
  const paid = await stripe.paymentIntents.retrieve(booking.processor_payment_intent_id!, {}, on);
  const { id } = await stripe.paymentIntents.create(
    {
      amount: 3_000,
      currency: 'gbp',
      customer: paid.customer as string,
      payment_method: paid.payment_method as string,
      off_session: true,
      confirm: true,
      metadata: { booking_id: newId('bk') },
    },
    on,
  );
  await until(
    async () =>
      (await db.query(`SELECT FROM payments WHERE processor_payment_intent_id = $1`, [id])).length > 0,
  );
  await recorder.saveEnded('verify-payment-adopted', workflowIds.verifyPayment(id));
}

/** A refund that lacks balance, and succeeds once there is some. */
async function recordUnfundedRefund(recorder: Recorder): Promise<void> {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const { data } = (await workspace.api.get(`/v1/payments?booking_id=${booking.id}`)).body;
  const refundId = await withRefundMode(workspace, 'no_balance', async () => {
    const { refund } = (await workspace.api.post(`/v1/payments/${data[0]!.id}/refund`)).body;
    await until(
      async () =>
        (await db.query(`SELECT unfunded_since FROM payments WHERE id = $1`, [refund.id]))[0].unfunded_since,
    );
    return refund.id as string;
  });
  await recorder.saveEnded('refund-unfunded', refundId);
}

/** A dispute that is reported, and an account that is reported. */
async function recordDisputes(recorder: Recorder): Promise<void> {
  const workspace = await newWorkspace();
  const { booking, dispute, untilPayment } = await disputablePayment(workspace);
  await dispute();
  await untilPayment({ status: 'disputed' });
  await recorder.saveEnded(
    'payment-disputes',
    workflowIds.paymentDisputes(booking.processor_payment_intent_id!),
  );
  const account = workspace.accountId!;
  const object = { id: account, object: 'account', charges_enabled: true };
  await simulator('POST', '/_sim/event', { type: 'account.updated', object, account, via: 'connect' });
  await recorder.saveEnded('processor-account', workflowIds.processorAccount(account));
}

async function recordRefunds(recorder: Recorder): Promise<void> {
  const workspace = await newWorkspace();
  const { api, accountId } = workspace;
  const paid = async (): Promise<{ id: string; payment_intent: string }> => {
    const { booking } = await confirmedBooking(api);
    const { data } = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body;
    return { id: data[0]!.id, payment_intent: booking.processor_payment_intent_id! };
  };

  const { payment_intent } = await paid();
  await stripe.refunds.create({ payment_intent }, { stripeAccount: accountId! });
  await recorder.saveAny('adopt-refunds', 'adoptRefunds');

  const refund = async (): Promise<string> =>
    (await api.post(`/v1/payments/${(await paid()).id}/refund`)).body.refund.id;
  const failing = (status: number) => ({
    fail: [{ method: 'POST', path: '/v1/refunds', status, times: 1_000 }],
  });
  const refused = await withFaults(workspace, failing(400), refund);
  await recorder.saveEnded('refund-failed', refused);

  await withFaults(workspace, failing(503), async () => {
    const refundId = await refund();
    const run = temporal.workflow.getHandle(refundId);
    const { runId } = await run.describe();
    await until(async () => {
      const { historyLength, runId: current } = await run.describe();
      if (current === runId && historyLength < 140) await run.signal(refundUpdated);
      return current !== runId;
    });
    await recorder.save('refund-continued', refundId, runId);
  });
}

/** Events on an account, read by the job and on demand. */
async function recordAccountReads(recorder: Recorder): Promise<void> {
  const workspace = await newWorkspace();
  const { id, api, accountId } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(booking));
  await internal('run_job', { job: 'read_accounts', workspace_id: id });
  await untilStatus(api, booking.id, 'confirmed');
  await recorder.saveAny('read-accounts', 'readAccounts');
  await recorder.save('database-beat', starts('holdfast').databaseBeat().workflowId);
  const start = starts('holdfast').readAccount(accountId!, id);
  await temporal.workflow.start(WORKFLOWS.readAccount, start);
  await recorder.saveEnded('read-account', workflowIds.readAccount(accountId!));
}

/** A reconciliation that settles an unreported payment. */
async function recordSettledReconciliation(recorder: Recorder): Promise<void> {
  const workspace = await newWorkspace();
  const { id, api } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(booking));
  const [from, to] = [-DAY_MS, DAY_MS].map((offset) => new Date(Date.now() + offset).toISOString());
  await api.get(`/v1/reconciliation?from=${from}&to=${to}`);
  await recorder.saveEnded('reconciliation-settled', workflowIds.reconciliation(id, from!, to!));
}
