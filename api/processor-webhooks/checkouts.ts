import { WorkflowNotFoundError } from '@temporalio/client';
import type Stripe from 'stripe';
import { findCheckout } from '../../db/repositories/billing/checkout-queries.js';
import { findSettlement } from '../../db/repositories/billing/settlement-queries.js';
import type { Checkout } from '../../db/rows.js';
import type { ConfirmationSource } from '../../domain/states.js';
import { checkoutClosed } from '../../workflows/contract.js';
import type { ApiDependencies } from '../dependencies.js';
import { reportPayment } from '../payments/verify.js';
import type { Via } from './verify-signature.js';

const SOURCE: Record<Via, ConfirmationSource> = { platform: 'platform_webhook', connect: 'connect_webhook' };

/** The booking or invoice checkout that a session or charge names as its purpose. */
export const ownerOf = (metadata: Stripe.Metadata | null | undefined): string | undefined =>
  metadata?.booking_id ?? metadata?.checkout_id;

/** The checkout that an event names, if it is known and belongs to the event's account. */
export async function knownCheckout(
  deps: ApiDependencies,
  event: Stripe.Event,
  ownerId: string | undefined,
): Promise<Checkout | null> {
  const checkout = ownerId ? await findCheckout(deps.db.manager, ownerId) : null;
  if (!checkout || (event.account && event.account !== checkout.account_id)) return null;
  return checkout;
}

/** Reports a payment to the run of its booking or invoice checkout. */
export async function report(
  deps: ApiDependencies,
  event: Stripe.Event,
  via: Via,
  claimedOwner: string | undefined,
  paymentIntentId: string | null,
): Promise<string> {
  const checkout = await knownCheckout(deps, event, claimedOwner);
  if (!checkout || !paymentIntentId) return 'ignored: unknown checkout';
  const { owner_id: ownerId, state } = checkout;
  // Another report was first: its run need not be woken.
  if (state === 'paid' && (await findSettlement(deps.db.manager, paymentIntentId))) return 'already settled';
  await reportPayment(deps, ownerId, { paymentIntentId, source: SOURCE[via] });
  return `reported to ${ownerId}`;
}

/** Signals the run of a checkout that the processor has closed. */
export async function closeCheckout(
  deps: ApiDependencies,
  event: Stripe.Event,
  claimedOwner: string | undefined,
): Promise<string> {
  const ownerId = (await knownCheckout(deps, event, claimedOwner))?.owner_id;
  if (!ownerId) return 'ignored: unknown checkout';
  return signalIfRunning(() => deps.temporal.workflow.getHandle(ownerId).signal(checkoutClosed));
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
