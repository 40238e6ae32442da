import type Stripe from 'stripe';
import { isId } from '../../../db/ids.js';
import { recordCardDecline } from '../../payments/card-declines.js';
import { findCheckoutById } from '../../../db/queries/payments/checkout.js';
import { referenceId, type EventDependencies } from './event.js';

/**
 * Records a declined attempt to pay on the hosted page, for the timeline of its booking. The page stays open
 * for another attempt, so nothing else changes. Charges of a card on file are recorded where they are made.
 */
export async function recordDecline(
  { db }: EventDependencies,
  event: Stripe.Event,
  { metadata, last_payment_error: error }: Stripe.PaymentIntent,
): Promise<string> {
  const checkoutId = metadata?.checkout_id ?? '';
  const checkout = isId('chk', checkoutId) ? await findCheckoutById(db.manager, checkoutId) : null;
  if (!checkout || event.account !== checkout.account_id) return 'ignored: unknown checkout';
  if (checkout.payment_method_id) return 'ignored: a charge of a card on file';
  const id = referenceId(error?.charge) ?? event.id;
  const isNew = await recordCardDecline(db.manager, {
    id,
    workspace_id: checkout.workspace_id,
    checkout_id: checkout.id,
    code: error?.decline_code ?? error?.code ?? 'card_declined',
    // An event's time is in seconds. Use the last moment of that second, so that it comes after what led to
    // it.
    declined_at: new Date(Math.min(event.created * 1000 + 999, Date.now())),
  });
  return isNew ? `recorded the decline ${id}` : 'ignored: already recorded';
}
