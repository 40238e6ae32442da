import { findRoom } from '../../../db/queries/rooms/room.js';
import { quoteBooking } from '../../../api/resources/bookings/quote.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { asApiError } from '../../../api/http/errors.js';
import { uuid } from '../../../api/http/fields.js';
import { slotUnavailable } from '../../../domain/slots.js';
import { formatsOf } from '../../ui/formats.js';
import { PriceLines } from '../shared/price-lines.js';
import { problemsIn } from '../shared/rejection.js';
import { instantsOf, type EnteredTimes } from '../shared/time-fields.js';
import { DEFAULT_DETAILS } from '../../../domain/booking-details.js';

/**
 * What a guest would pay for the room and times that a form is filled in with, or why they cannot be booked; null without
 * them. Members may pay less, which the next page shows.
 */
export async function guestPrice(
  ctx: ApiContext,
  deps: ApiDependencies,
  { room_id, start_at, end_at, ...exact }: Partial<EnteredTimes> & { room_id?: string },
) {
  if (!start_at || !end_at || uuid.required().validate(room_id).error) return null;
  const room = await findRoom(deps.db.manager, ctx.state.membership!.workspace_id, room_id!);
  if (!room) return null;
  const { amount } = formatsOf(ctx);
  try {
    const { start, end } = instantsOf({ start_at, end_at, ...exact }, room.time_zone);
    const quote = await quoteBooking(deps, ctx.state.principal, {
      ...DEFAULT_DETAILS,
      room_id: room.id,
      start_at: start,
      end_at: end,
    });
    if (!quote.available) throw slotUnavailable(quote.reason!);
    const { amount_minor, currency } = quote.price;
    return (
      <>
        <PriceLines of={quote} amount={(minor) => amount(minor, currency)} />
        <p id="guest-price">
          <strong>{amount(amount_minor, currency)}</strong> for a guest
          {quote.tax_minor > 0 && `, of which ${amount(quote.tax_minor, currency)} tax`}
        </p>
      </>
    );
  } catch (error) {
    const refusal = asApiError(error);
    if (!refusal || refusal.status >= 500) throw error;
    return (
      <p id="guest-price" class="alert">
        {problemsIn(refusal)
          .map(({ message }) => message)
          .join(' ')}
      </p>
    );
  }
}
