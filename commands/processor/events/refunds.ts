import type Stripe from 'stripe';
import type { Payment } from '../../../db/entities/payments.js';
import { isId } from '../../../db/ids.js';
import { findPaymentByIntent } from '../../../db/queries/payments/payment.js';
import {
  findRefund,
  findRefundByProcessorId,
  listUnfundedRefunds,
} from '../../../db/queries/payments/refund.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { refundUpdated } from '../../../contract/payments/refunds.js';
import { starts } from '../../../contract/starts.js';
import { knownCheckout } from './checkouts.js';
import { findLost } from './lost.js';
import { referenceId, type EventDependencies } from './event.js';

/**
 * Looks for refunds of a payment that were created outside this service. A payment that is being settled is
 * not known yet; `purpose` contains the booking or checkout whose run waits for it.
 */
export async function requestAdoption(
  deps: EventDependencies,
  event: Pick<Stripe.Event, 'id' | 'account'>,
  paymentIntentId: string | null,
  purpose?: Stripe.Metadata | null,
): Promise<string> {
  if (!paymentIntentId) return 'ignored: unknown payment';
  const payment = await findPaymentByIntent(deps.db.manager, paymentIntentId);
  const owner = payment ?? (await knownCheckout(deps, event, purpose));
  if (!owner || owner.account_id !== event.account) return 'ignored: unknown payment';
  const start = starts(deps.taskQueue).adoptRefunds(paymentIntentId, owner.workspace_id, event.id);
  await deps.temporal.workflow.start(WORKFLOWS.adoptRefunds, start);
  return `looking for refunds of ${payment?.id ?? paymentIntentId}`;
}

/** Returns a refund's row, by the processor's id or, if that is not stored yet, by the refund's metadata. */
async function knownRefund(
  { db }: EventDependencies,
  event: Stripe.Event,
  { id, metadata }: Stripe.Refund,
): Promise<Payment | null> {
  const known = id ? await findRefundByProcessorId(db.manager, id) : null;
  const refundId = metadata?.refund_id ?? '';
  if (known || !isId('pay', refundId)) return known;
  const claimed = await findRefund(db.manager, refundId);
  return claimed && claimed.account_id === event.account && !claimed.processor_refund_id ? claimed : null;
}

/** Has the account read again if a refund of ours is lost here. */
async function noticeLost(
  deps: EventDependencies,
  { account, created }: Stripe.Event,
  { metadata }: Stripe.Refund,
): Promise<void> {
  const refundId = metadata?.refund_id ?? '';
  if (!account || !created || !isId('pay', refundId)) return;
  if (!(await findRefund(deps.db.manager, refundId))) await findLost(deps, account, new Date(created * 1000));
}

/**
 * Signals a refund's run, or starts one if it has completed: a bank can return money after a refund
 * succeeded.
 */
export async function notifyRefund(
  deps: EventDependencies,
  event: Stripe.Event,
  update: Stripe.Refund,
): Promise<string> {
  const { payment_intent, status } = update;
  const refund = await knownRefund(deps, event, update);
  if (!refund) {
    await noticeLost(deps, event, update);
    return requestAdoption(deps, event, referenceId(payment_intent));
  }
  if (refund.status === status) return 'ignored: already known';
  await followRefund(deps, refund);
  return `signalled ${refund.id}`;
}

/** Has the run of a refund read its status again, or starts one if it has completed. */
export async function followRefund(
  { temporal, taskQueue }: EventDependencies,
  { id, workspace_id }: Payment,
): Promise<void> {
  await temporal.workflow.signalWithStart(WORKFLOWS.refund, {
    ...starts(taskQueue).refund(id, workspace_id, 'updated'),
    signal: refundUpdated,
  });
}

/** Has the refunds of an account that lacked balance retried. */
export async function retryUnfundedRefunds(
  deps: EventDependencies,
  { account }: Stripe.Event,
): Promise<string> {
  const refunds = account ? await listUnfundedRefunds(deps.db.manager, account) : [];
  for (const { id, workspace_id } of refunds)
    await deps.temporal.workflow.signalWithStart(
      WORKFLOWS.refund,
      starts(deps.taskQueue).fundedRefund(id, workspace_id, 'funded'),
    );
  return refunds.length > 0 ? `retrying ${refunds.length} refunds` : 'ignored: no refund lacks balance';
}
