import { returnedByHand } from '../../../domain/refund-parts.js';
import { amountOf } from '../parts.js';
import type { Managed } from './access.js';

/** Says where a refund goes; minor units. `by_hand_minor` is the part that the workspace returns itself. */
export function refundInWords(
  { refund_minor, by_hand_minor }: { refund_minor: number; by_hand_minor: number },
  { booking, workspace }: Managed,
): string {
  const amount = (minor: number): string => amountOf(minor, booking.currency);
  // On account, somebody else may have paid.
  const to = booking.account_days === null ? 'card or account you paid with' : 'original payment method';
  const refunded = refund_minor - by_hand_minor;
  return [
    ...(refunded > 0 ? [`${amount(refunded)} is refunded to the ${to}.`] : []),
    ...(by_hand_minor > 0 ? [returnedByHand(amount(by_hand_minor), workspace.name)] : []),
  ].join(' ');
}
