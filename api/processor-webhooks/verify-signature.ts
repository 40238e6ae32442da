import Stripe from 'stripe';
import { ApiError } from '../../domain/errors.js';

/** Which secret an event was signed with; it names the layer, whatever the event's type. */
export type Via = 'platform' | 'connect';

/** A signature older than this is not believed: a recorded request can't be played back. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies the bytes of an inbound processor webhook, before anything parses them, against the two secrets of the
 * one endpoint (spec.md, rule 5). Errors: 401 `auth_invalid`.
 */
export function verifySignature(
  bytes: Buffer,
  signature: string,
  secrets: Record<Via, string>,
): { event: Stripe.Event; via: Via } {
  for (const via of ['platform', 'connect'] as const) {
    if (!secrets[via]) continue;
    try {
      const event = Stripe.webhooks.constructEvent(
        bytes,
        signature,
        secrets[via],
        TOLERANCE_SECONDS,
      ) as Stripe.Event;
      return { event, via };
    } catch {
      // not this secret
    }
  }
  throw new ApiError('auth_invalid', 'The signature is missing, wrong, or too old.');
}
