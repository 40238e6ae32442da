import { WorkflowNotFoundError } from '@temporalio/client';
import type Stripe from 'stripe';
import type { Payment } from '../../db/rows.js';
import { isId } from '../../db/ids.js';
import { findCheckout } from '../../db/repositories/billing/checkout-queries.js';
import { recordDispute } from '../../db/repositories/billing/disputes.js';
import { findPaymentByIntent } from '../../db/repositories/billing/payment-queries.js';
import { findRefund, findRefundByProcessorId } from '../../db/repositories/billing/refund-queries.js';
import { setProcessorStatus } from '../../db/repositories/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import type { ConfirmationSource, ProcessorStatus } from '../../domain/states.js';
import { checkoutClosed, refundUpdated, WORKFLOWS } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';
import { reportPayment } from '../payments/verify.js';
import type { Via } from './verify-signature.js';

const SOURCE: Record<Via, ConfirmationSource> = { platform: 'platform_webhook', connect: 'connect_webhook' };

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/**
 * What follows from a verified event; returns what was done, for the event's row. Nothing in an event is believed
 * about money: it only says where to look, and the booking's run asks the processor.
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
      if (changeId) return `known: charged by the change ${changeId}`;
      return report(deps, event, via, ownerOf(charge.metadata), idOf(charge.payment_intent));
    }
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return closeCheckout(deps, event, ownerOf(event.data.object.metadata));
    case 'charge.refunded':
      return adoptRefunds(deps, event, idOf(event.data.object.payment_intent));
    case 'refund.updated':
    case 'refund.failed':
      return nudgeRefund(deps, event, event.data.object);
    case 'charge.dispute.created':
      return dispute(deps, event, event.data.object, 'open');
    case 'charge.dispute.closed':
      return dispute(deps, event, event.data.object, event.data.object.status === 'lost' ? 'lost' : 'won');
    case 'account.updated': {
      const { id, charges_enabled } = event.data.object;
      if (!id) return 'ignored: no account';
      const status = charges_enabled ? 'active' : 'pending';
      await noteAccount(deps, id, status, event);
      return `account ${status}`;
    }
    case 'account.application.deauthorized':
      if (!event.account) return 'ignored: no account';
      await noteAccount(deps, event.account, 'revoked', event);
      return 'account revoked';
    default:
      return 'ignored: nothing follows from this type';
  }
}

function noteAccount(
  { db }: ApiDependencies,
  accountId: string,
  status: ProcessorStatus,
  event: Stripe.Event,
): Promise<void> {
  const at = new Date(event.created * 1000);
  return transaction(db, (tx) => setProcessorStatus(tx, accountId, status, at));
}

/** What a session or a charge says it pays: a booking, or an invoice's checkout. */
const ownerOf = (metadata: Stripe.Metadata | null | undefined): string | undefined =>
  metadata?.booking_id ?? metadata?.checkout_id;

/** The owner of the checkout an event speaks of, if it is ours and on the account the event came from. */
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
  if (!ownerId || !paymentIntentId) return 'ignored: no checkout of this account';
  await reportPayment(deps, ownerId, { paymentIntentId, source: SOURCE[via] });
  return `reported to ${ownerId}`;
}

async function closeCheckout(
  deps: ApiDependencies,
  event: Stripe.Event,
  claimedOwner: string | undefined,
): Promise<string> {
  const ownerId = await knownOwner(deps, event, claimedOwner);
  if (!ownerId) return 'ignored: no checkout of this account';
  return signalIfRunning(() => deps.temporal.workflow.getHandle(ownerId).signal(checkoutClosed));
}

/** Looks for refunds of a payment of ours that we did not make. */
async function adoptRefunds(
  deps: ApiDependencies,
  event: Stripe.Event,
  paymentIntentId: string | null,
): Promise<string> {
  const payment = paymentIntentId && (await findPaymentByIntent(deps.db.manager, paymentIntentId));
  if (!payment || payment.account_id !== event.account) return 'ignored: not a payment of ours';
  const start = starts(deps.taskQueue).adoptRefunds(paymentIntentId!, payment.workspace_id, event.id);
  await deps.temporal.workflow.start(WORKFLOWS.adoptRefunds, start);
  return `looking for refunds of ${payment.id}`;
}

/** A refund's row, by the processor's id or, while that is not stored yet, by what we wrote on it. */
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

/** Tells a refund's run that there is news; one that has ended is run again, since a bank can send money back. */
async function nudgeRefund(deps: ApiDependencies, event: Stripe.Event, news: Stripe.Refund): Promise<string> {
  const { payment_intent, status } = news;
  const refund = await knownRefund(deps, event, news);
  if (!refund) return adoptRefunds(deps, event, idOf(payment_intent));
  if (refund.status === status) return 'known already';
  await deps.temporal.workflow.signalWithStart(WORKFLOWS.refund, {
    ...starts(deps.taskQueue).refund(refund.id, refund.workspace_id, 'updated'),
    signal: refundUpdated,
  });
  return `told ${refund.id}`;
}

async function dispute(
  deps: ApiDependencies,
  event: Stripe.Event,
  { payment_intent }: Stripe.Dispute,
  state: 'open' | 'won' | 'lost',
): Promise<string> {
  const paymentIntentId = idOf(payment_intent);
  if (!paymentIntentId || !event.account) return 'ignored: not a payment of ours';
  const news = {
    payment_intent_id: paymentIntentId,
    account_id: event.account,
    state,
    at: new Date(event.created * 1000),
  };
  const known = await transaction(deps.db, (tx) => recordDispute(tx, news));
  return known ? `dispute ${state}` : 'ignored: not a payment of ours';
}

async function signalIfRunning(signal: () => Promise<void>): Promise<string> {
  try {
    await signal();
    return 'signalled';
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return 'ignored: its run is over';
  }
}
