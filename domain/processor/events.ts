/**
 * The processor events that each of the service's two webhook registrations receives
 * (docs/guides/stripe-and-xero.md#stripe). Both are Connect registrations with the same URL. Each has its own
 * secret and delivery queue.
 */
export const PROCESSOR_EVENTS = {
  platform: [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.expired',
  ],
  connect: [
    'charge.succeeded',
    'payment_intent.payment_failed',
    'charge.refunded',
    'refund.created',
    'refund.updated',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
    'charge.dispute.closed',
    'balance.available',
    'account.updated',
    'account.application.deauthorized',
  ],
} as const;

/** A type of event that one of the registrations receives. */
export type ProcessorEventType = (typeof PROCESSOR_EVENTS)[keyof typeof PROCESSOR_EVENTS][number];
