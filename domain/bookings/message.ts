import { ApiError, type Refusal } from '../errors.js';
import type { BookingStatus } from '../states.js';

/** A booking whose booker is to get a message. */
export interface MessagedBooking {
  /** The booker's address; null after an erasure. */
  email: string | null;
  /** A public guest entered the address, and nobody has paid or proved that it is theirs. */
  is_unproven: boolean;
  status: BookingStatus;
}

/** Why the booker of a booking gets no message. */
export const NO_MESSAGE = ['erased', 'unconfirmed', 'cancelled'] as const;
export type NoMessage = (typeof NO_MESSAGE)[number];

const REFUSALS: Record<Exclude<NoMessage, 'cancelled'>, string> = {
  erased: 'The booker has been erased and has no email address.',
  unconfirmed:
    'No message can be sent, because the booking has not been paid and its email address has not been ' +
    'confirmed.',
};

/** Returns a refusal if the booker cannot be messaged about this booking alone, whatever its status. */
export function whyNotMessage({ email, is_unproven }: Omit<MessagedBooking, 'status'>): Refusal | null {
  const reason = email === null ? 'erased' : is_unproven ? 'unconfirmed' : null;
  return reason && { code: 'validation_failed', message: REFUSALS[reason], details: { reason } };
}

/** Returns why a message to the bookers of a day does not reach this one; null if it does. */
function whyNotReached(booking: MessagedBooking): NoMessage | null {
  if (booking.status === 'cancelled') return 'cancelled';
  return (whyNotMessage(booking)?.details.reason as NoMessage | undefined) ?? null;
}

/** Thrown if a message to the bookers of a day would reach nobody. */
export const nobodyToMessage = (): ApiError =>
  new ApiError('validation_failed', 'No booker of this day can be messaged.');

/** The bookers of some bookings: each with their bookings, and the bookings whose bookers get no message. */
export interface Audience<B> {
  reached: { email: string; bookings: B[] }[];
  skipped: { booking: B; reason: NoMessage }[];
}

/**
 * Sorts bookings by booker, so that each address gets one message. `keyOf` returns the canonical form of an
 * address. Both lists keep the order of the bookings.
 */
export function toAudience<B extends MessagedBooking>(
  bookings: B[],
  keyOf: (email: string) => string,
): Audience<B> {
  const reached = new Map<string, { email: string; bookings: B[] }>();
  const skipped: Audience<B>['skipped'] = [];
  for (const booking of bookings) {
    const reason = whyNotReached(booking);
    if (reason) {
      skipped.push({ booking, reason });
      continue;
    }
    const key = keyOf(booking.email!);
    const one = reached.get(key) ?? { email: booking.email!, bookings: [] };
    one.bookings.push(booking);
    reached.set(key, one);
  }
  return { reached: [...reached.values()], skipped };
}
