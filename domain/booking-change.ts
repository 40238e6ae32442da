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

/** What a `PATCH` of a booking asks for; times in UTC milliseconds. */
export interface ChangeRequest {
  start_at?: number;
  end_at?: number;
  room_id?: string;
  attendees?: number;
  notes?: string | null;
}

/** What of a booking decides about a change. */
export interface ChangeableBooking {
  status: BookingStatus;
  room_id: string;
  start_at: Date;
  end_at: Date;
  attendees: number;
  notes: string | null;
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

/** What of a room decides about a change into it. */
export type ChangeableRoom = BookableRoom & {
  id: string;
  currency: string;
  price_per_hour_minor: number;
  tax_code: string;
  tier_discounts: Partial<Record<Tier, number>>;
  edit_window_minutes: number;
  turnaround_minutes: number;
};

/** A booking's new place and what it costs there. */
export interface Move {
  room_id: string;
  /** UTC milliseconds. */
  start_at: number;
  end_at: number;
  /** Until when the room is kept, turnaround included. */
  occupied_until: number;
  rate: Rate;
  tax_code: string;
  price: Quote;
  /** New price less the old one, tax included: above zero is charged, below given back. */
  difference: Quote;
}

export interface ChangePlan {
  attendees: number;
  notes: string | null;
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

/** Refuses a booking that is over, one way or the other: 409 `booking_not_editable`. */
export function assertLive(status: BookingStatus): void {
  if (status === 'confirmed' || status === 'pending_payment') return;
  throw notEditable(`A booking that is ${status} cannot be changed.`);
}

/**
 * Works out a change (decisions.md, "Bookings": PATCH). The edit window is the booked room's, measured to the old
 * start, for every edit. The held rate goes on in the same room; another room's is that of now.
 * Errors: 409 `booking_not_editable`, `slot_unavailable`; 422; 403 `tier_not_allowed`.
 */
export function planChange(
  booking: ChangeableBooking,
  rooms: { from: ChangeableRoom; to: ChangeableRoom },
  booker: { tier: Tier | null },
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
  const plan = {
    attendees: request.attendees ?? booking.attendees,
    notes: request.notes === undefined ? booking.notes : request.notes || null,
  };
  if (!moves) {
    assertCapacity(to, plan.attendees);
    return { ...plan, move: null };
  }
  assertBookableTime(range, now);
  assertFitsRoom(to, range, plan.attendees);
  assertTierAllowed(to, booker.tier);
  assertOpen(to, range);
  return { ...plan, move: priceMove(booking, rooms, booker, taxCodes, range) };
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
  booker: { tier: Tier | null },
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
        discount_percent: (booker.tier && to.tier_discounts[booker.tier]) || 0,
        tax_rate_bps: taxCodes.find((tax) => tax.code === to.tax_code)?.rate_bps ?? 0,
      };
  const price = quote(rate, Math.max(0, minutesOf(range) - booking.hour_credits_used * 60));
  if (price.total_minor > MAX_AMOUNT_MINOR) {
    const message = 'The price of this booking is more than one payment can be.';
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
