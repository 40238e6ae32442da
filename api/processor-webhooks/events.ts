import type Stripe from 'stripe';
import { recordDispute } from '../../db/repositories/billing/disputes.js';
import { setProcessorStatus } from '../../db/repositories/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import type { ProcessorStatus } from '../../domain/states.js';
import type { ApiDependencies } from '../dependencies.js';
import { closeCheckout, ownerOf, report } from './checkouts.js';
import { idOf } from './references.js';
import { adoptRefunds, notifyRefund } from './refunds.js';
import type { Via } from './verify-signature.js';

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
