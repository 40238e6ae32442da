import type { ErrorCode, ErrorContext } from '../errors.js';
import { hasEnded, type BookingStatus } from '../states.js';

/** The maximum number of bookings that one blackout moves, cancels or keeps. */
export const MAX_IN_THE_WAY = 50;

/** What happens to a booking in the way of a blackout, with the amounts that were shown. */
export type BookingPlan =
  /**
   * Times in UTC milliseconds. `difference_minor` is minus the refund: a move that costs more is not offered.
   */
  | { do: 'move'; room_id: string; start_at: number; end_at: number; difference_minor: number }
  /** `refund_minor`: the refund, or for a booking on account the amount that is no longer due. */
  | { do: 'cancel'; refund_policy: 'full' | 'standard'; refund_minor: number }
  /** The booking stays, and its payer gets a mail with the note. */
  | { do: 'tell' }
  | { do: 'keep' };

/** Why a plan could not be carried out. */
export interface PlanProblem {
  code: ErrorCode;
  message: string;
  context: ErrorContext;
}

interface Period {
  start_at: Date;
  end_at: Date;
}

/**
 * True if a booking itself is in the way of a blackout that closes these rooms
 * (docs/rules/rooms.md#blackouts). The new slot of a booking that is being moved can also be in the way, but
 * then only its change can be withdrawn.
 */
export const isInTheWay = (
  { status, ...booking }: Period & { room_id: string; status: BookingStatus },
  blackout: Period,
  closed: ReadonlySet<string>,
): boolean =>
  !hasEnded(status) &&
  closed.has(booking.room_id) &&
  booking.start_at < blackout.end_at &&
  blackout.start_at < booking.end_at;
