import { WorkflowNotFoundError } from '@temporalio/client';
import type Stripe from 'stripe';
import { findCheckout } from '../../db/repositories/checkouts.js';
import { findRefundByProcessorId } from '../../db/repositories/payments.js';
import { setProcessorStatus } from '../../db/repositories/workspaces.js';
import { transaction } from '../../db/transaction.js';
import type { ConfirmationSource, ProcessorStatus } from '../../domain/states.js';
import { checkoutClosed, refundUpdated, workflowIds } from '../../workflows/contract.js';
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
      return report(deps, event, via, session.metadata?.booking_id, idOf(session.payment_intent));
    }
    case 'charge.succeeded': {
      const charge = event.data.object;
      if (charge.metadata.change_id) return `known: charged by the change ${charge.metadata.change_id}`;
      return report(deps, event, via, charge.metadata.booking_id, idOf(charge.payment_intent));
    }
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return closeCheckout(deps, event, event.data.object.metadata?.booking_id);
    case 'refund.updated':
    case 'refund.failed':
      return nudgeRefund(deps, event.data.object.id);
    case 'account.updated': {
      const { id, charges_enabled } = event.data.object;
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

/** The booking an event speaks of, if it is ours and on the account the event came from. */
async function bookingOf(
  deps: ApiDependencies,
  event: Stripe.Event,
  bookingId: string | undefined,
): Promise<string | null> {
  const checkout = bookingId ? await findCheckout(deps.db.manager, bookingId) : null;
  if (!checkout || (event.account && event.account !== checkout.account_id)) return null;
  return checkout.booking_id;
}

async function report(
  deps: ApiDependencies,
  event: Stripe.Event,
  via: Via,
  claimedBooking: string | undefined,
  paymentIntentId: string | null,
): Promise<string> {
  const bookingId = await bookingOf(deps, event, claimedBooking);
  if (!bookingId || !paymentIntentId) return 'ignored: no booking of this account';
  await reportPayment(deps, bookingId, { paymentIntentId, source: SOURCE[via] });
  return `reported to ${bookingId}`;
}

async function closeCheckout(
  deps: ApiDependencies,
  event: Stripe.Event,
  claimedBooking: string | undefined,
): Promise<string> {
  const bookingId = await bookingOf(deps, event, claimedBooking);
  if (!bookingId) return 'ignored: no booking of this account';
  return signalIfRunning(() =>
    deps.temporal.workflow.getHandle(workflowIds.booking(bookingId)).signal(checkoutClosed),
  );
}

async function nudgeRefund(deps: ApiDependencies, processorRefundId: string): Promise<string> {
  const refund = await findRefundByProcessorId(deps.db.manager, processorRefundId);
  if (!refund) return 'ignored: not a refund of ours';
  return signalIfRunning(() =>
    deps.temporal.workflow.getHandle(workflowIds.refund(refund.id)).signal(refundUpdated),
  );
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
