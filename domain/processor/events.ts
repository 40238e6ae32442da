/**
 * The processor's events that each of its two webhook registrations receives
 * (docs/guides/stripe-and-xero.md#stripe). Both registrations are of the Connect kind and have the same
 * address, a secret and a delivery queue each.
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
