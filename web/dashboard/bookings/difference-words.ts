import type { previewChange } from '../../../commands/bookings/change/plan.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';

type Preview = Pick<
  Awaited<ReturnType<typeof previewChange>>,
  'payment' | 'charge_minor' | 'refund_minor' | 'by_hand_minor'
>;

/**
 * Why a change that costs more asks for money although hour credits paid for the
 * booking; empty if they did not.
 */
export const creditsOfChange = ({ hour_credits_used }: Pick<BookingRow, 'hour_credits_used'>): string =>
  hour_credits_used > 0 ? 'Hour credits can be used for new bookings only, not for changes. ' : '';

/** Explains the charge or refund of a change to the booker before they confirm. `workspace`: its name. */
export function differenceToBooker(
  { payment, charge_minor, refund_minor, by_hand_minor }: Preview,
  booking: Pick<BookingRow, 'hour_credits_used'> & { isMoved: boolean },
  amount: (minor: number) => string,
  workspace: string,
): string {
  const due = amount(charge_minor);
  if (payment === 'link')
    return (
      `${creditsOfChange(booking)}Pay ${due} on the payment page, which you can open from the ` +
      `booking. ${booking.isMoved ? 'Both times are' : 'The change is'} held for you until then.`
    );
  if (charge_minor > 0)
    return (
      `${due} is charged to the card that you paid with. If your bank asks you to confirm the ` +
      'payment, open the payment page from the booking. If the charge is declined, nothing ' +
      'changes.'
    );
  if (refund_minor === 0) return 'Nothing is charged or refunded.';
  const byHand =
    by_hand_minor > 0
      ? ` Of this, ${workspace} refunds ${amount(by_hand_minor)} separately, because it was not paid online.`
      : '';
  return `${amount(refund_minor)} is refunded to you.${byHand}`;
}
