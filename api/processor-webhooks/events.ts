import { WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import type Stripe from 'stripe';
import type { Payment } from '../../db/entities/index.js';
import { isId } from '../../db/ids.js';
import { findCheckout } from '../../db/repositories/billing/checkouts.js';
import { recordDispute } from '../../db/repositories/billing/disputes.js';
import { findPaymentByIntent } from '../../db/repositories/billing/payments.js';
import { findRefund, findRefundByProcessorId } from '../../db/repositories/billing/refunds.js';
import { setProcessorStatus } from '../../db/repositories/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import type { ConfirmationSource, ProcessorStatus } from '../../domain/states.js';
import { ofWorkspace } from '../../workflows/booking-start.js';
import {
  checkoutClosed,
  refundUpdated,
  WORKFLOWS,
  workflowIds,
  type AdoptRefundsInput,
  type RefundInput,
} from '../../workflows/contract.js';
import type { ApiDependencies } from '../dependencies.js';
import { reportPayment } from '../payments/verify.js';
import type { Via } from './verify-signature.js';

const SOURCE: Record<Via, ConfirmationSource> = { platform: 'platform_webhook', connect: 'connect_webhook' };

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/**
 * Handles a verified event and returns what was done, for the event's row. Amounts and statuses in an event are not
 * trusted: it only says where to look, and the booking's run asks the processor.
 */
export async function handleEvent(deps: ApiDependencies, event: Stripe.Event, via: Via): Promise<string> {
  if (event.livemode !== deps.liveMode) return 'ignored: live and test mode differ';
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const session = event.data.object;
      if (session.payment_status === 'unpaid') return 'ignored: not paid yet';
      return report(deps, event, via, ownerOf(session.metadata), idOf(session.payment_intent));
    }
    case 'charge.succeeded': {
      const charge = event.data.object;
      const changeId = charge.metadata?.change_id;
      if (changeId) return `ignored: charged by the change ${changeId}`;
      return report(deps, event, via, ownerOf(charge.metadata), idOf(charge.payment_intent));
    }
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return closeCheckout(deps, event, ownerOf(event.data.object.metadata));
    case 'charge.refunded':
      return adoptRefunds(deps, event, idOf(event.data.object.payment_intent));
    case 'refund.updated':
    case 'refund.failed':
      return notifyRefund(deps, event, event.data.object);
    case 'charge.dispute.created':
      return storeDispute(deps, event, event.data.object, 'open');
    case 'charge.dispute.closed':
      return storeDispute(
        deps,
        event,
        event.data.object,
        event.data.object.status === 'lost' ? 'lost' : 'won',
      );
    case 'account.updated': {
      const { id, charges_enabled } = event.data.object;
      if (!id) return 'ignored: no account';
      const status = charges_enabled ? 'active' : 'pending';
      await storeAccountStatus(deps, id, status, event);
      return `account ${status}`;
    }
    case 'account.application.deauthorized':
      if (!event.account) return 'ignored: no account';
      await storeAccountStatus(deps, event.account, 'revoked', event);
      return 'account revoked';
    default:
      return 'ignored: this type is not handled';
  }
}

function storeAccountStatus(
  { db }: ApiDependencies,
  accountId: string,
  status: ProcessorStatus,
  event: Stripe.Event,
): Promise<void> {
  const at = new Date(event.created * 1000);
  return transaction(db, (tx) => setProcessorStatus(tx, accountId, status, at));
}

/** The booking or invoice checkout that a session or charge names as its purpose. */
const ownerOf = (metadata: Stripe.Metadata | null | undefined): string | undefined =>
  metadata?.booking_id ?? metadata?.checkout_id;

/** The owner of the checkout that an event names, if it is known and belongs to the event's account. */
async function knownOwner(
  deps: ApiDependencies,
  event: Stripe.Event,
  ownerId: string | undefined,
): Promise<string | null> {
  const checkout = ownerId ? await findCheckout(deps.db.manager, ownerId) : null;
  if (!checkout || (event.account && event.account !== checkout.account_id)) return null;
  return checkout.owner_id;
}

async function report(
  deps: ApiDependencies,
  event: Stripe.Event,
  via: Via,
  claimedOwner: string | undefined,
  paymentIntentId: string | null,
): Promise<string> {
  const ownerId = await knownOwner(deps, event, claimedOwner);
  if (!ownerId || !paymentIntentId) return 'ignored: unknown checkout';
  await reportPayment(deps, ownerId, { paymentIntentId, source: SOURCE[via] });
  return `reported to ${ownerId}`;
}

async function closeCheckout(
  deps: ApiDependencies,
  event: Stripe.Event,
  claimedOwner: string | undefined,
): Promise<string> {
  const ownerId = await knownOwner(deps, event, claimedOwner);
  if (!ownerId) return 'ignored: unknown checkout';
  return signalIfRunning(() => deps.temporal.workflow.getHandle(ownerId).signal(checkoutClosed));
}

/** Looks for refunds of a payment that were made outside this service. */
async function adoptRefunds(
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
async function notifyRefund(
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

async function storeDispute(
  deps: ApiDependencies,
  event: Stripe.Event,
  { payment_intent }: Stripe.Dispute,
  state: 'open' | 'won' | 'lost',
): Promise<string> {
  const paymentIntentId = idOf(payment_intent);
  if (!paymentIntentId || !event.account) return 'ignored: unknown payment';
  const dispute = {
    payment_intent_id: paymentIntentId,
    account_id: event.account,
    state,
    at: new Date(event.created * 1000),
  };
  const known = await transaction(deps.db, (tx) => recordDispute(tx, dispute));
  return known ? `dispute ${state}` : 'ignored: unknown payment';
}

async function signalIfRunning(signal: () => Promise<void>): Promise<string> {
  try {
    await signal();
    return 'signalled';
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return 'ignored: its run has completed';
  }
}
