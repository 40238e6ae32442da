import Stripe from 'stripe';
import { ApiError } from '../../domain/errors.js';

/** The secret an event was signed with; it determines the confirmation source, whatever the event's type. */
export type WebhookSource = 'platform' | 'connect';

/** Older signatures are refused, so that a recorded request cannot be replayed. */
const TOLERANCE_SECONDS = 300;

const unsigned = (): ApiError =>
  new ApiError('auth_invalid', 'The Stripe-Signature header is missing, invalid or too old.');

/**
 * Rejects requests whose header shows that no secret can have signed them in time, so that their body is not
 * read. Errors: 401 `auth_invalid`.
 */
export function assertSignatureHeader(signature: string): void {
  const [, seconds] = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature) ?? [];
  if (!seconds || Date.now() / 1_000 - Number(seconds) > TOLERANCE_SECONDS) throw unsigned();
}

/**
 * Verifies the raw bytes of a processor webhook, before they are parsed, against the secrets of both kinds of
 * webhook. Errors: 401 `auth_invalid`.
 */
export function verifySignature(
  bytes: Buffer,
  signature: string,
  secrets: Record<WebhookSource, string>,
): { event: Stripe.Event; via: WebhookSource } {
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
  throw unsigned();
}
