import type { RoomBlackout } from '../../../commands/blackouts/planned-bookings.js';
import { findBookings, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { listClosedRooms, listPlans } from '../../../db/queries/blackouts/blackout.js';
import type { BlackoutBooking } from '../../../db/entities/rooms.js';
import { isInTheWay } from '../../../domain/blackouts/plan.js';
import type { Principal } from '../../../domain/policies.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import { problemsIn } from '../shared/rejection.js';

/** The outcome for a booking that was in the way of a blackout. */
export interface Outcome {
  booking: BookingRow;
  planned: BlackoutBooking;
  stays: boolean;
}

/** The outcomes for bookings with a decision, by start. */
export async function listOutcomes(
  { db }: Pick<ApiDependencies, 'db'>,
  { workspace_id }: Pick<Principal, 'workspace_id'>,
  blackout: RoomBlackout,
): Promise<Outcome[]> {
  const plans = await listPlans(db.manager, { workspace_id, blackout_id: blackout.id });
  const closed = await listClosedRooms(db.manager, blackout.room_id);
  const byId = new Map(plans.map((plan) => [plan.booking_id, plan]));
  const bookings = await findBookings(db.manager, workspace_id, [...byId.keys()]);
  return bookings.map((booking) => ({
    booking,
    planned: byId.get(booking.id)!,
    stays: isInTheWay(booking, blackout, closed),
  }));
}

/** What happened to a booking that is no longer in the way; null if it still is. */
const goneAs = ({ booking, stays }: Outcome): 'moved' | 'cancelled' | 'over' | null => {
  if (stays) return null;
  if (booking.status === 'confirmed' || booking.status === 'pending_payment') return 'moved';
  return booking.status === 'cancelled' ? 'cancelled' : 'over';
};

export function describeBlackoutOutcome(ctx: ApiContext, outcome: Outcome): string {
  const { booking, planned } = outcome;
  const { amount, span, moment } = createFormats(ctx);
  switch (goneAs(outcome)) {
    case 'moved':
      return `Moved to ${booking.room_name}, ${span(booking)}.`;
    case 'cancelled': {
      const refund_minor = planned.plan.do === 'cancel' ? planned.plan.refund_minor : 0;
      return refund_minor > 0
        ? `Cancelled. ${amount(refund_minor, booking.currency)} is refunded or no longer due.`
        : 'Cancelled.';
    }
    case 'over':
      return 'Ended.';
  }
  if (planned.state === 'planned') return 'Pending.';
  if (planned.state === 'failed') {
    const { code, message, context } = planned.problem!;
    return `Failed: ${problemsIn(new ApiError(code, message, context))[0]!.message}`;
  }
  return planned.told_at ? `Kept. The booker was emailed on ${moment(planned.told_at)}.` : 'Kept.';
}

/** For the banner: ` Bookings: 2 moved, 1 cancelled.` */
export function outcomesInWords(outcomes: Outcome[]): string {
  const count = (of: (outcome: Outcome) => boolean): number => outcomes.filter(of).length;
  const words = [
    [count((each) => goneAs(each) === 'moved'), 'moved'],
    [count((each) => goneAs(each) === 'cancelled'), 'cancelled'],
    [count(({ stays, planned }) => stays && planned.state === 'done'), 'kept'],
    [count(({ stays, planned }) => stays && planned.state === 'failed'), 'failed, see below'],
    [count(({ stays, planned }) => stays && planned.state === 'planned'), 'pending, see below'],
  ] as const;
  const said = words.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  return said.length > 0 ? ` Bookings: ${said.join(', ')}.` : '';
}
