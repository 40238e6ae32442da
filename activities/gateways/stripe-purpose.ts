import type { ChargePurpose, CheckoutRequest } from './processor.js';
import type { RefundRequest } from './processor-refunds.js';

/** How a call that moves money is recognized at Stripe. */
interface Purpose {
  key: string;
  metadata: Record<string, string>;
  /**
   * The metadata by which it is found, without the id of a row, which a restored database may have lost.
   * Fields that are undefined must be missing.
   */
  facts: Record<string, string | undefined>[];
}

type Attempt = Pick<CheckoutRequest, 'id' | 'booking_id' | 'invoice_id' | 'change_id' | 'ordinal'> &
  Pick<ChargePurpose, 'difference'>;

/**
 * Returns the purpose of an attempt to be paid: with the hosted page (`checkout`) or the card on file
 * (`charge`).
 */
export function toPurpose(attempt: Attempt, kind: 'checkout' | 'charge'): Purpose {
  const { id, booking_id, invoice_id, change_id, ordinal } = attempt;
  const owner: Record<string, string> = booking_id
    ? { booking_id, ...(change_id && { change_id }) }
    : { invoice_id: invoice_id! };
  if (change_id && kind === 'charge') {
    const ofChange = { ...owner, purpose: kind, ordinal: '1' };
    // The change may be lost and requested again, with the same booking and amount.
    const amount_minor = String(attempt.difference!.amount_minor);
    const charge_ordinal = String(attempt.difference!.ordinal);
    return {
      key: `${booking_id}:difference:${amount_minor}:${charge_ordinal}`,
      metadata: { ...ofChange, amount_minor, charge_ordinal },
      facts: [{ booking_id: booking_id!, purpose: kind, amount_minor, charge_ordinal }, ofChange],
    };
  }
  const facts = { ...owner, purpose: kind, ordinal: String(ordinal) };
  return {
    key: attemptKey(attempt, kind),
    metadata: { ...facts, checkout_id: id },
    facts: [{ change_id: undefined, ...facts }],
  };
}

/**
 * Returns the key of an attempt. A booking and a change have one attempt of each kind, an invoice any number.
 */
function attemptKey(
  { booking_id, invoice_id, change_id, ordinal }: Attempt,
  kind: 'checkout' | 'charge',
): string {
  if (!booking_id) return `${invoice_id}:${kind}:${ordinal}`;
  if (!change_id) return `${booking_id}:${kind}`;
  return `${booking_id}:change:${change_id}${kind === 'checkout' ? ':checkout' : ''}`;
}

/**
 * Returns the purpose of a refund. In the key, its payment is identified by the intent, which is the same if
 * a restored database stores the payment again.
 */
export function refundPurpose(refund: RefundRequest): Purpose {
  const { id, payment_id, payment_intent_id, purpose, ordinal, amount_minor, attempt, request_hash } = refund;
  const facts = { amount_minor: String(amount_minor), ordinal: String(ordinal) };
  const request = request_hash?.toString('hex');
  const key = `${payment_intent_id}:refund:${amount_minor}:${ordinal}`;
  return {
    key: attempt === 0 ? key : `${key}:try-${attempt + 1}`,
    metadata: {
      refund_id: id,
      payment_id,
      ...(purpose && { purpose }),
      ...facts,
      ...(request && { request }),
    },
    // A lost refund that was requested with another key is a different refund.
    facts: [{ ...facts, request }, ...(request ? [{ ...facts, request: undefined }] : [])],
  };
}
