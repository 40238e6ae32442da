import { HOUR_MS } from '../../../domain/durations.js';
import { createStripeClient, createStripeProcessor } from '../../../activities/gateways/stripe.js';
import { Rig } from '../../support/processor-rig.js';

/** The gateway in front of the simulator, and the keys that it has stored as used up. */
export function gateway(rig: Rig) {
  const suffixes = new Map<string, number>();
  const stored = {
    find: (key: string) => Promise.resolve(suffixes.get(key) ?? 2),
    advance: (key: string, spent: number) => Promise.resolve(void suffixes.set(key, spent + 1)),
  };
  const stripe = createStripeClient({ secretKey: 'sk_test_holdfast', apiUrl: rig.url('') });
  return {
    processor: createStripeProcessor(stripe, 'https://example.com', stored, async () => undefined),
    suffixes,
  };
}

/** A checkout of a booking on an account, as stored. */
export const checkout = (account_id: string) => ({
  id: `chk_${account_id}`,
  account_id,
  booking_id: `bk_${account_id}`,
  invoice_id: null,
  ordinal: 1,
  currency: 'GBP',
  amount_minor: 3_000,
  description: 'Blue room',
  payer_email: 'grace@example.com',
  return_secret: 'of-the-payer',
  session_expires_at: new Date(Date.now() + HOUR_MS),
  created_at: new Date(),
});

/** A time whose events the database has lost. */
export const lost = { from: new Date(Date.now() - HOUR_MS), until: new Date(Date.now() + HOUR_MS) };
