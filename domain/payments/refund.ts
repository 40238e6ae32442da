import { formatAmount, formatMoney } from '../display.js';
import { ApiError, type Refusal } from '../errors.js';
import type { Money } from '../money.js';
import { smallestUnit } from '../processor/amounts.js';
import type { PaymentStatus } from '../states.js';

/** The purpose of a refund. `excess`: money above the amount due; `dashboard`: refunded at the processor. */
export const REFUND_PURPOSES = [
  'cancellation',
  'change',
  'adjustment',
  'late',
  'excess',
  'request',
  'dashboard',
] as const;
export type RefundPurpose = (typeof REFUND_PURPOSES)[number];

/** Returns the error for a payment that the workspace does not have. */
export const noSuchPayment = (message = 'No such payment.'): ApiError =>
  new ApiError('payment_not_found', message);

/** Returns the amount of a payment that can still be refunded. Minor units. */
export function refundableMinor({
  kind,
  status,
  amount_minor,
  refunded_minor,
}: {
  kind: string;
  status: PaymentStatus;
  amount_minor: number;
  refunded_minor: number;
}): number {
  const refundable = kind !== 'refund' && (status === 'succeeded' || status === 'partially_refunded');
  return refundable ? amount_minor - refunded_minor : 0;
}

/**
 * Returns why an amount cannot be refunded, or null (docs/rules/billing.md#refunds): only `left`, or nothing,
 * can be refunded. Minor units.
 */
export function whyNotRefund(
  amount_minor: number,
  left: Money,
): Refusal<{ reason: 'nothing_left' | 'amount'; refundable_minor: number; currency: string }> | null {
  const refundable_minor = left.amount_minor;
  if (refundable_minor > 0 && amount_minor <= refundable_minor) return null;
  return {
    code: 'amount_exceeds_refundable',
    message:
      refundable_minor === 0
        ? 'Nothing can be refunded: the payment has already been refunded in full, or it is disputed.'
        : `The amount exceeds what can still be refunded. Send at most ${formatMoney(left)}.`,
    details: {
      reason: refundable_minor === 0 ? 'nothing_left' : 'amount',
      refundable_minor,
      currency: left.currency,
    },
    param: 'amount_minor',
  };
}

/**
 * The processor refunds only multiples of the currency's smallest unit. `param`: the field of the amount.
 * Errors: 422 `validation_failed`.
 */
export function assertRefundableUnit({ amount_minor, currency }: Money, param: string): void {
  const unit = smallestUnit(currency);
  if (amount_minor % unit === 0) return;
  const step = formatAmount({ amount_minor: unit, currency });
  throw new ApiError('validation_failed', `A refund in ${currency} must be a multiple of ${step}.`, {
    param,
  });
}
