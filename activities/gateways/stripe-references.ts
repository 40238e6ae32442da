import type Stripe from 'stripe';

/** The id of an object that Stripe returns as an id or expanded. */
export const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** The options for a call on a connected account. */
export const on = (stripeAccount: string): Stripe.RequestOptions => ({ stripeAccount });

/** The booking or checkout in our metadata, which Stripe copies from the intent to its charges. */
export const ownerOf = ({ booking_id, checkout_id }: Stripe.Metadata): string | null =>
  booking_id ?? checkout_id ?? null;
