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
  hour_credits_used > 0 ? 'Hour credits pay for a booking when it is made, and not for a change. ' : '';

/** What a change does with money, to who booked and is about to confirm it. `workspace`: its name. */
export function differenceToBooker(
  { payment, charge_minor, refund_minor, by_hand_minor }: Preview,
  booking: Pick<BookingRow, 'hour_credits_used'>,
  amount: (minor: number) => string,
  workspace: string,
): string {
  const due = amount(charge_minor);
  if (payment === 'link')
    return (
      `${creditsOfChange(booking)}You pay ${due} on a page that the booking leads to. Until then, both ` +
      'times are held for you.'
    );
  if (charge_minor > 0)
    return (
      `${due} is charged to the card that you paid with. If your bank asks you to confirm it, the ` +
      'booking leads to the page for that. If the charge is declined, nothing changes.'
    );
  if (refund_minor === 0) return 'Nothing is charged or refunded.';
  const byHand =
    by_hand_minor > 0
      ? ` ${workspace} returns ${amount(by_hand_minor)} of it, which was not paid by card.`
      : '';
  return `${amount(refund_minor)} is refunded to you.${byHand}`;
}
