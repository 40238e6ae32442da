import type Stripe from 'stripe';
import type { ProcessorEventType } from '../../../domain/processor/events.js';
import { reportAccount } from './accounts.js';
import { reportSavedCard } from './cards.js';
import { closeCheckout, report } from './checkouts.js';
import { recordDecline } from './declines.js';
import { reportDisputes } from './disputes.js';
import { referenceId, type EventDependencies, type Via } from './event.js';
import { requestAdoption, notifyRefund, retryUnfundedRefunds } from './refunds.js';

/**
 * Handles an event of the processor and returns what was done, for the event's row. Amounts, statuses and the
 * order of events are not trusted: an event only indicates what to check, and a run queries the processor.
 * The exception is a declined attempt to pay, which changes no state and is recorded as reported.
 */
export async function handleEvent(
  deps: EventDependencies,
  received: Stripe.Event,
  via: Via,
): Promise<string> {
  // Only what is registered can be handled.
  const event = received as Extract<Stripe.Event, { type: ProcessorEventType }>;
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const session = event.data.object;
      if (session.mode === 'setup') return reportSavedCard(deps, event, session.metadata?.card_setup_id);
      if (session.payment_status === 'unpaid') return 'ignored: not paid yet';
      return report(deps, event, via, session.metadata, referenceId(session.payment_intent));
    }
    case 'charge.succeeded': {
      const charge = event.data.object;
      return report(deps, event, via, charge.metadata, referenceId(charge.payment_intent));
    }
    case 'payment_intent.payment_failed':
      return recordDecline(deps, event, event.data.object);
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return closeCheckout(deps, event, event.data.object.metadata);
    case 'charge.refunded':
      return requestAdoption(
        deps,
        event,
        referenceId(event.data.object.payment_intent),
        event.data.object.metadata,
      );
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return notifyRefund(deps, event, event.data.object);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return reportDisputes(deps, event, referenceId(event.data.object.payment_intent));
    case 'balance.available':
      return retryUnfundedRefunds(deps, event);
    case 'account.updated':
      return reportAccount(deps, event.data.object.id);
    case 'account.application.deauthorized':
      return reportAccount(deps, event.account);
    default:
      return 'ignored: this type is not handled';
  }
}
