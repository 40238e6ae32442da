import type { RefundReason } from '../../../commands/payments/refunds.js';
import type { PaymentCause } from '../../../db/queries/payments/refund.js';
import type { PaymentRow } from '../../../db/queries/payments/payment.js';
import { spaced } from '../../ui/formats.js';
import { describeDecline } from '../shared/causes.js';

/** The API's reasons for refunds, in words. */
export const REFUND_REASON_NAMES: Record<RefundReason, string> = {
  requested_by_customer: 'requested by the payer',
  duplicate: 'paid twice',
  fraudulent: 'fraudulent payment',
  other: 'another reason',
};

/** How it was paid: ` by card terminal`; nothing for another way. */
export const byMethod = (method: string): string => (method === 'other' ? '' : ` by ${spaced(method)}`);

const CAUSES: Record<PaymentCause['kind'], string> = {
  cancel: 'Cancellation of the booking',
  change: 'Change of the booking',
  adjustment: 'Credit on the invoice',
  autopay: 'Charged by autopay',
  late: 'Arrived when it was no longer due',
};

/**
 * Why a payment was refused, what charged it, or why a refund was made:
 * `Cancellation of the booking: “Guest is ill”`.
 */
export function describePaymentReason(
  { kind, reason }: Pick<PaymentRow, 'kind' | 'reason'>,
  cause: PaymentCause | undefined,
): string | null {
  if (cause) return cause.reason ? `${CAUSES[cause.kind]}: “${cause.reason}”` : CAUSES[cause.kind];
  if (!reason) return null;
  return kind === 'refund'
    ? REFUND_REASON_NAMES[reason as RefundReason]
    : `Declined: ${describeDecline(reason)}`;
}
