import type Stripe from 'stripe';
import { PROCESSOR_EVENTS } from '../../domain/processor/events.js';
import type { EventCalls } from './processor-reads.js';
import { on, pageParams } from './stripe-objects.js';

/** Stripe lists events of at most 20 types at a time. */
const TYPES: string[] = [...PROCESSOR_EVENTS.platform, ...PROCESSOR_EVENTS.connect];

/** The event that is sent when one of these objects moves money. */
const EVENT_TYPES_BY_SOURCE: Record<string, Stripe.Event.Type> = {
  charge: 'charge.succeeded',
  refund: 'refund.updated',
  dispute: 'charge.dispute.updated',
};

/**
 * Lists what Stripe has recorded about an account, as its webhooks report it
 * (docs/internals/architecture.md#payment-confirmation).
 */
export function eventCalls(stripe: Stripe): EventCalls {
  return {
    async listEvents(accountId, period) {
      const { data, has_more } = await stripe.events.list(
        { ...pageParams(period), types: TYPES },
        on(accountId),
      );
      // Stripe documents `account` for events that are sent, not for those that are listed.
      const events = data.map((event) => ({ ...event, account: accountId }));
      return { events, last: has_more ? data.at(-1)!.id : null };
    },

    async listMovements(accountId, period) {
      const page = { ...pageParams(period), expand: ['data.source'] };
      const { data, has_more } = await stripe.balanceTransactions.list(page, on(accountId));
      const events = data
        .map((movement) => toMovementEvent(movement, accountId))
        .filter((event) => event !== null);
      return { events, last: has_more ? data.at(-1)!.id : null };
    },
  };
}

/**
 * Returns the event about a movement of money, with the movement's id; null for fees, payouts and the like.
 */
function toMovementEvent(
  { id, created, source }: Stripe.BalanceTransaction,
  account: string,
): Stripe.Event | null {
  if (typeof source !== 'object' || !source) return null;
  const type = EVENT_TYPES_BY_SOURCE[source.object];
  return type ? ({ id, type, account, created, data: { object: source } } as Stripe.Event) : null;
}
