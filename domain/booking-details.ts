/**
 * What a PATCH may change of a booking without moving it. The names are columns of `bookings` and fields of the API:
 * one more needs a column, a line here, and its rule in the API's schema.
 */
export interface BookingDetails {
  attendees: number;
  notes: string | null;
}

const NAMES: Record<keyof BookingDetails, true> = { attendees: true, notes: true };

/** The names of all details. */
export const BOOKING_DETAILS = Object.keys(NAMES) as (keyof BookingDetails)[];

const valueAfter = <T>(value: T, change: T | undefined): T | null =>
  change === undefined ? value : change === '' ? null : change;

/** A booking's details alone. */
export const detailsOf = (booking: BookingDetails): BookingDetails => detailsAfter(booking, {});

/** A booking's details after a change; what it leaves out stays, and an empty text is none. */
export function detailsAfter(booking: BookingDetails, change: Partial<BookingDetails>): BookingDetails {
  const entries = BOOKING_DETAILS.map((name) => [name, valueAfter<unknown>(booking[name], change[name])]);
  return Object.fromEntries(entries) as BookingDetails;
}

/** True if two bookings have the same details. */
export const sameDetails = (one: BookingDetails, other: BookingDetails): boolean =>
  BOOKING_DETAILS.every((name) => one[name] === other[name]);
