import type { ApiContext } from '../../../api/http/context.js';
import { describeTerms } from '../../../domain/bookings/refund-words.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { otherZone } from '../../ui/formats.js';

type Terms = Parameters<typeof describeTerms>;

/** The refund terms of a booking that costs something and has not begun, in the zone of its room. */
export function RefundTerms(props: {
  ctx: ApiContext;
  terms: Terms[1];
  booking: Omit<Terms[2], 'now'> & { price_minor: number };
}) {
  const { ctx, terms, booking } = props;
  const now = new Date();
  if (booking.price_minor === 0 || booking.start_at <= now) return null;
  return (
    <p class="soft">
      Refund terms{otherZone(ctx, booking.time_zone)}:{' '}
      {describeTerms(ENGLISH, terms, { ...booking, now }).join(' ')}
    </p>
  );
}
