/**
 * The fields of a booking that a PATCH can change without moving it. Their names are columns of `bookings`
 * and fields of the API. A new field needs a column, a line here and a rule in the API's schema.
 */
export interface BookingDetails {
  attendees: number;
  notes: string | null;
}

const NAMES: Record<keyof BookingDetails, true> = { attendees: true, notes: true };

export const BOOKING_DETAILS = Object.keys(NAMES) as (keyof BookingDetails)[];

const valueAfter = <T>(value: T, change: T | undefined): T | null =>
  change === undefined ? value : change === '' ? null : change;

/** Picks the details from a booking. */
export const pickDetails = ({ attendees, notes }: BookingDetails): BookingDetails => ({ attendees, notes });

/** Returns a booking's details after a change. Absent fields keep their value; an empty text becomes null. */
export function detailsAfter(booking: BookingDetails, change: Partial<BookingDetails>): BookingDetails {
  const entries = BOOKING_DETAILS.map((name) => [name, valueAfter<unknown>(booking[name], change[name])]);
  return Object.fromEntries(entries) as BookingDetails;
}

/** True if two bookings have the same details. */
export const sameDetails = (one: BookingDetails, other: BookingDetails): boolean =>
  BOOKING_DETAILS.every((name) => one[name] === other[name]);

/** The details of a booking whose create request does not contain any. */
export const DEFAULT_DETAILS: BookingDetails = { notes: null, attendees: 1 };
