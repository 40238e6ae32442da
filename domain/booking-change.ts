import { detailsAfter, type BookingDetails } from './booking-details.js';
import { ApiError, type ErrorCode, type ErrorContext } from './errors.js';
import { MAX_AMOUNT_MINOR } from './money.js';
import { quote, type Quote, type Rate, type TaxCode, type Tier } from './price.js';
import {
  assertBookableTime,
  assertFitsRoom,
  assertOpen,
  assertTierAllowed,
  minutesOf,
  type BookableRoom,
} from './slots.js';
import type { BookingStatus } from './states.js';

const MINUTE = 60_000;

/** What a `PATCH` of a booking requests; times in UTC milliseconds. */
export interface ChangeRequest extends Partial<BookingDetails> {
  start_at?: number;
  end_at?: number;
  room_id?: string;
}

/** What a change of a booking depends on. */
export interface ChangeableBooking extends BookingDetails {
  status: BookingStatus;
  room_id: string;
  start_at: Date;
  end_at: Date;
  currency: string;
  price_minor: number;
  net_minor: number;
  tax_minor: number;
  hour_credits_used: number;
  tax_code: string;
  tax_rate_bps: number;
  price_per_hour_minor: number;
  discount_percent: number | string;
}

/** What moving a booking into a room depends on. */
export type ChangeableRoom = BookableRoom & {
  id: string;
  currency: string;
  price_per_hour_minor: number;
  tax_code: string;
  tier_discounts: Partial<Record<Tier, number>>;
  edit_window_minutes: number;
  turnaround_minutes: number;
};

/** A booking's new slot and what it costs there. */
export interface Move {
  room_id: string;
  /** UTC milliseconds. */
  start_at: number;
  end_at: number;
  /** The end of the slot, turnaround included. */
  occupied_until: number;
  rate: Rate;
  tax_code: string;
  price: Quote;
  /** New price less the old one, tax included: above zero it is charged, below zero refunded. */
  difference: Quote;
}

/** What a booking becomes. */
export interface ChangePlan extends BookingDetails {
  /** Null where time and room stay. */
  move: Move | null;
}

/** The result of a change or cancellation. A refusal is the API error to be thrown. */
export type ChangeOutcome =
  | { kind: 'done'; charged_minor: number; payment_id: string | null; refund_ids: string[] }
  | { kind: 'refused'; code: ErrorCode; message: string; context: ErrorContext };

function notEditable(message: string): ApiError {
  return new ApiError('booking_not_editable', message);
}

/** Refuses a booking that is cancelled, expired or completed: 409 `booking_not_editable`. */
export function assertLive(status: BookingStatus): void {
  if (status === 'confirmed' || status === 'pending_payment') return;
  throw notEditable(`A booking that is ${status} cannot be changed.`);
}

/**
 * Plans a change (docs/rules/bookings.md#changes). Every edit must come before the edit window of the booked room, which
 * is measured from the old start. In the same room the booking keeps its rate; another room's current rate applies.
 * Errors: 409 `booking_not_editable`, `slot_unavailable`; 422; 403 `tier_not_allowed`.
 */
export function planChange(
  booking: ChangeableBooking,
  rooms: { from: ChangeableRoom; to: ChangeableRoom },
  payer: { tier: Tier | null },
  taxCodes: TaxCode[],
  request: ChangeRequest,
  now: number,
): ChangePlan {
  const { from, to } = rooms;
  const old = { start: booking.start_at.getTime(), end: booking.end_at.getTime() };
  const start = request.start_at ?? old.start;
  const range = { start, end: request.end_at ?? start + (old.end - old.start) };
  const moves = range.start !== old.start || range.end !== old.end || to.id !== from.id;

  assertLive(booking.status);
  if (booking.status === 'pending_payment' && moves)
    throw notEditable('Time and room of a booking that is being paid cannot be changed.');
  if (now > old.start - from.edit_window_minutes * MINUTE) {
    throw notEditable(`Changes end ${from.edit_window_minutes} minutes before the booking starts.`);
  }
  const details = detailsAfter(booking, request);
  if (!moves) {
    assertCapacity(to, details.attendees);
    return { ...details, move: null };
  }
  assertBookableTime(range, now);
  assertFitsRoom(to, range, details.attendees);
  assertTierAllowed(to, payer.tier);
  assertOpen(to, range);
  return { ...details, move: priceMove(booking, rooms, payer, taxCodes, range) };
}

function assertCapacity(room: ChangeableRoom, attendees: number): void {
  if (room.capacity === null || attendees <= room.capacity) return;
  throw new ApiError('validation_failed', `The room takes at most ${room.capacity} people.`, {
    param: 'attendees',
  });
}

function priceMove(
  booking: ChangeableBooking,
  { from, to }: { from: ChangeableRoom; to: ChangeableRoom },
  payer: { tier: Tier | null },
  taxCodes: TaxCode[],
  range: { start: number; end: number },
): Move {
  if (to.currency !== booking.currency) {
    const message = `The booking was paid in ${booking.currency}; this room is priced in ${to.currency}.`;
    throw new ApiError('validation_failed', message, { param: 'room_id' });
  }
  const stays = to.id === from.id;
  const rate: Rate = stays
    ? {
        price_per_hour_minor: booking.price_per_hour_minor,
        discount_percent: Number(booking.discount_percent),
        tax_rate_bps: booking.tax_rate_bps,
      }
    : {
        price_per_hour_minor: to.price_per_hour_minor,
        discount_percent: (payer.tier && to.tier_discounts[payer.tier]) || 0,
        tax_rate_bps: taxCodes.find((tax) => tax.code === to.tax_code)?.rate_bps ?? 0,
      };
  const price = quote(rate, Math.max(0, minutesOf(range) - booking.hour_credits_used * 60));
  if (price.total_minor > MAX_AMOUNT_MINOR) {
    const message = 'The price of this booking exceeds the maximum amount of one payment.';
    throw new ApiError('validation_failed', message, { param: 'end_at' });
  }
  return {
    room_id: to.id,
    start_at: range.start,
    end_at: range.end,
    occupied_until: range.end + to.turnaround_minutes * MINUTE,
    rate,
    tax_code: stays ? booking.tax_code : to.tax_code,
    price,
    difference: {
      net_minor: price.net_minor - booking.net_minor,
      tax_minor: price.tax_minor - booking.tax_minor,
      total_minor: price.total_minor - booking.price_minor,
    },
  };
}
