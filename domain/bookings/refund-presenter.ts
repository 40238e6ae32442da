import type { PaymentStatus } from '../states.js';

/** A refund of a cancelled booking, which is a payment row of its own. Amounts in minor units. */
export interface BookingRefundFacts {
  id: string;
  /** The payment that is refunded. */
  refund_of: string | null;
  amount_minor: number;
  status: PaymentStatus;
}

const presentRefund = (refund: BookingRefundFacts) => ({
  id: refund.id,
  payment_id: refund.refund_of!,
  amount_minor: refund.amount_minor,
  status: refund.status,
});

/**
 * The refunds of a cancellation as one (docs/rules/bookings.md#cancellation): their sum, with status
 * `pending` if any is pending, else `failed` if any has failed. Null if there are none.
 */
export function presentRefunds(refunds: BookingRefundFacts[]) {
  const [first] = refunds;
  if (!first) return null;
  const byStatus = (status: PaymentStatus) => refunds.find((refund) => refund.status === status);
  const { status } = byStatus('pending') ?? byStatus('failed') ?? first;
  const amount_minor = refunds.reduce((sum, refund) => sum + refund.amount_minor, 0);
  return { ...presentRefund(first), amount_minor, status, refunds: refunds.map(presentRefund) };
}

export type PresentedRefund = NonNullable<ReturnType<typeof presentRefunds>>;
