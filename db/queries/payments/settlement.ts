import type { PaymentRefusal } from '../../../domain/payments/late-payment.js';
import type { Tx } from '../../transaction.js';
import { findPaymentByIntent } from './payment.js';

/**
 * The outcome of a payment: it confirmed its booking or paid towards its invoice, or it is refunded in full.
 */
export type Settlement =
  /**
   * `already`: settled by an earlier call. `excess_refund_id`: the refund of the part above the amount due.
   */
  | { kind: 'confirmed'; already: boolean; payment_id: string; excess_refund_id?: string }
  | { kind: 'refused'; refusal: PaymentRefusal };

/** Returns the stored settlement of a payment intent, or null. */
export async function findSettlement(tx: Tx, paymentIntentId: string): Promise<Settlement | null> {
  const payment = await findPaymentByIntent(tx, paymentIntentId);
  if (!payment) return null;
  if (payment.refusal) return { kind: 'refused', refusal: payment.refusal };
  return { kind: 'confirmed', already: true, payment_id: payment.id };
}
