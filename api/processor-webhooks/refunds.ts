import { WorkflowIdConflictPolicy } from '@temporalio/client';
import type Stripe from 'stripe';
import type { Payment } from '../../db/rows.js';
import { isId } from '../../db/ids.js';
import { findPaymentByIntent } from '../../db/repositories/billing/payment-queries.js';
import { findRefund, findRefundByProcessorId } from '../../db/repositories/billing/refund-queries.js';
import { ofWorkspace } from '../../workflows/booking-start.js';
import {
  refundUpdated,
  WORKFLOWS,
  workflowIds,
  type AdoptRefundsInput,
  type RefundInput,
} from '../../workflows/contract.js';
import type { ApiDependencies } from '../dependencies.js';
import { idOf } from './references.js';

/** Looks for refunds of a payment that were made outside this service. */
export async function adoptRefunds(
  deps: ApiDependencies,
  event: Stripe.Event,
  paymentIntentId: string | null,
): Promise<string> {
  const payment = paymentIntentId && (await findPaymentByIntent(deps.db.manager, paymentIntentId));
  if (!payment || payment.account_id !== event.account) return 'ignored: unknown payment';
  const input: AdoptRefundsInput = { paymentIntentId: paymentIntentId! };
  await deps.temporal.workflow.start(WORKFLOWS.adoptRefunds, {
    taskQueue: deps.taskQueue,
    // One run for each event: a run that is completing would miss what this event is about.
    workflowId: `${workflowIds.adoptRefunds(paymentIntentId!)}-${event.id}`,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    args: [input],
    staticSummary: 'Looks for refunds made at the processor',
    typedSearchAttributes: ofWorkspace(payment.workspace_id),
  });
  return `looking for refunds of ${payment.id}`;
}

/** A refund's row, by the processor's id or, while that is not stored yet, by the refund's metadata. */
async function knownRefund(
  { db }: ApiDependencies,
  event: Stripe.Event,
  { id, metadata }: Stripe.Refund,
): Promise<Payment | null> {
  const known = id ? await findRefundByProcessorId(db.manager, id) : null;
  const refundId = metadata?.refund_id ?? '';
  if (known || !isId('pay', refundId)) return known;
  const claimed = await findRefund(db.manager, refundId);
  return claimed && claimed.account_id === event.account && !claimed.processor_refund_id ? claimed : null;
}

/** Signals a refund's run, and starts one if it has completed: a bank can return money after a refund succeeded. */
export async function notifyRefund(
  deps: ApiDependencies,
  event: Stripe.Event,
  update: Stripe.Refund,
): Promise<string> {
  const { payment_intent, status } = update;
  const refund = await knownRefund(deps, event, update);
  if (!refund) return adoptRefunds(deps, event, idOf(payment_intent));
  if (refund.status === status) return 'ignored: already known';
  const input: RefundInput = { refundId: refund.id };
  await deps.temporal.workflow.signalWithStart(WORKFLOWS.refund, {
    taskQueue: deps.taskQueue,
    workflowId: workflowIds.refund(refund.id),
    args: [input],
    signal: refundUpdated,
    staticSummary: 'Follows an update of a refund',
    typedSearchAttributes: ofWorkspace(refund.workspace_id),
  });
  return `signalled ${refund.id}`;
}
