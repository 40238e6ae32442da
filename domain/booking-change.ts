import { detailsAfter, type BookingDetails } from './booking-details.js';
import { priceBooking, rateOf, type PricedRoom } from './booking-price.js';
import { MINUTE_MS } from './durations.js';
import { ApiError, invalidField, refuse, type ErrorCode, type ErrorContext, type Refusal } from './errors.js';
import { minimumCharge } from './processor-amounts.js';
import type { Quote, Rate, TaxCode, Tier } from './price.js';
import { refundPercent, type RefundPolicy, type RefundStep } from './refund-policy.js';
import {
  assertBookableTime,
  assertFitsRoom,
  assertOpen,
  assertTierAllowed,
  type BookableRoom,
  type Range,
} from './slots.js';
import { hasEnded, type BookingStatus, type EndedBookingStatus } from './states.js';

/** A change requested by a `PATCH` of a booking; times in UTC milliseconds. Absent fields stay unchanged. */
export interface ChangeRequest extends Partial<BookingDetails> {
  start_at?: number;
  end_at?: number;
  room_id?: string;
  /**
   * The difference that was shown to the requester, in minor units, above zero to pay: with another one nothing is
   * changed.
   */
  expected_difference_minor?: number;
  /** The payer is to pay a higher price on the hosted page: the card on file is not charged. */
  pay_by_link?: boolean;
}

/** The fields of a booking that a change depends on. */
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

/** The fields of a room that a change depends on. */
export type ChangeableRoom = BookableRoom &
  PricedRoom & {
    id: string;
    currency: string;
    edit_window_minutes: number;
    turnaround_minutes: number;
    refund_steps: RefundStep[];
  };

/** A booking's new time and room, and its price there. */
export interface Move {
  room_id: string;
  /** UTC milliseconds. */
  start_at: number;
  end_at: number;
  /** End of the time that the booking blocks, turnaround included. */
  occupied_until: number;
  rate: Rate;
  tax_code: string;
  price: Quote;
  /** New price minus the old one: above zero it is charged, below zero refunded. */
  difference: Quote;
  /** The difference is under the minimum charge: nothing is charged or refunded, and the price stays. */
  waived: boolean;
  /** The current refund step: from now on the maximum percentage that steps refund of the payments made so far. */
  refund_percent: number;
}

/** The booking's fields after the change. */
export interface ChangePlan extends BookingDetails {
  /** Null if time and room stay. */
  move: Move | null;
}

/** The result of a change or cancellation. A refusal is the API error to be thrown. */
export type ChangeOutcome =
  | {
      kind: 'done';
      charged_minor: number;
      payment_id: string | null;
      refund_ids: string[];
      /** The difference was under the minimum charge. */
      waived?: boolean;
      /** Of a cancellation that took effect. */
      refund_policy?: RefundPolicy;
    }
  | { kind: 'refused'; code: ErrorCode; message: string; context: ErrorContext };

/** Throws 409 `booking_not_editable` with reason `difference_changed` if a change costs another amount than was shown. */
export function assertDifferenceAsShown(
  { expected_difference_minor: shown }: ChangeRequest,
  { charge_minor, refund_minor }: { charge_minor: number; refund_minor: number },
): void {
  if (shown === undefined || shown === charge_minor - refund_minor) return;
  const message = 'The difference of the change is not the one that was shown.';
  throw new ApiError('booking_not_editable', message, { details: { reason: 'difference_changed' } });
}

/** The last moment at which a booking of a room can be changed, in UTC milliseconds: the edit window before its start. */
export const editableUntil = (
  { start_at }: { start_at: Date },
  { edit_window_minutes }: { edit_window_minutes: number },
): number => start_at.getTime() - edit_window_minutes * MINUTE_MS;

export type NotEditable = Refusal<
  | { reason: 'status'; status: EndedBookingStatus }
  | { reason: 'unpaid' }
  | { reason: 'edit_window'; edit_window_minutes: number }
>;

const notEditable = (message: string, details: NotEditable['details']): NotEditable => ({
  code: 'booking_not_editable',
  message,
  details,
});

/** Why a booking cannot be changed at any time: it is cancelled, expired or completed. */
export const whyNotLive = (status: BookingStatus): NotEditable | null =>
  hasEnded(status)
    ? notEditable(`A booking with status ${status} cannot be changed.`, { reason: 'status', status })
    : null;

/**
 * Why notes and attendees of a booking, or with `moves` its time and room, cannot be changed (docs/rules/bookings.md#changes).
 * `room` is the booked one, `now` in UTC milliseconds.
 */
export function whyNotChange(
  booking: { status: BookingStatus; start_at: Date },
  room: { edit_window_minutes: number },
  now: number,
  { moves }: { moves: boolean },
): NotEditable | null {
  const notLive = whyNotLive(booking.status);
  if (notLive) return notLive;
  if (booking.status === 'pending_payment' && moves) {
    const message = 'The time and room cannot be changed until the booking has been paid.';
    return notEditable(message, { reason: 'unpaid' });
  }
  if (now <= editableUntil(booking, room)) return null;
  const { edit_window_minutes } = room;
  const message = `A booking of this room can be changed until ${edit_window_minutes} minutes before it starts.`;
  return notEditable(message, { reason: 'edit_window', edit_window_minutes });
}

/**
 * Plans a change (docs/rules/bookings.md#changes). The booked room's edit window ends before the old start and applies
 * to every edit. In the same room the booking keeps its rate; another room has its current rate. Errors: 403
 * `tier_not_allowed`; 409 `booking_not_editable`, `slot_unavailable`; 422 `validation_failed`, `slot_misaligned`.
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

  refuse(whyNotChange(booking, from, now, { moves }));
  const details = detailsAfter(booking, request);
  if (!moves) {
    assertCapacity(to, details.attendees);
    return { ...details, move: null };
  }
  assertBookableTime(range, now);
  assertFitsRoom(to, range, details.attendees);
  assertTierAllowed(to, booker.tier);
  assertOpen(to, range);
  const refund_percent = refundPercent(from.refund_steps, old.start, now);
  return { ...details, move: { ...priceMove(booking, rooms, booker, taxCodes, range), refund_percent } };
}

function assertCapacity(room: ChangeableRoom, attendees: number): void {
  if (room.capacity === null || attendees <= room.capacity) return;
  throw invalidField('attendees', `must be at most ${room.capacity}, the capacity of the room`);
}

function priceMove(
  booking: ChangeableBooking,
  { from, to }: { from: ChangeableRoom; to: ChangeableRoom },
  booker: { tier: Tier | null },
  taxCodes: TaxCode[],
  range: Range,
): Omit<Move, 'refund_percent'> {
  if (to.currency !== booking.currency) {
    const message = `The room is priced in ${to.currency}. Choose a room priced in ${booking.currency}, as the booking is.`;
    throw new ApiError('validation_failed', message, { param: 'room_id' });
  }
  const stays = to.id === from.id;
  const rate: Rate = stays
    ? {
        price_per_hour_minor: booking.price_per_hour_minor,
        discount_percent: Number(booking.discount_percent),
        tax_rate_bps: booking.tax_rate_bps,
        currency: booking.currency,
      }
    : rateOf(to, booker.tier, taxCodes);
  const quoted = priceBooking(rate, range, booking.hour_credits_used);
  const paid = {
    net_minor: booking.net_minor,
    tax_minor: booking.tax_minor,
    total_minor: booking.price_minor,
  };
  const due = Math.abs(quoted.total_minor - paid.total_minor);
  const waived = due > 0 && due < minimumCharge(booking.currency);
  const price = waived ? paid : quoted;
  return {
    room_id: to.id,
    start_at: range.start,
    end_at: range.end,
    occupied_until: range.end + to.turnaround_minutes * MINUTE_MS,
    rate,
    tax_code: stays ? booking.tax_code : to.tax_code,
    price,
    difference: {
      net_minor: price.net_minor - paid.net_minor,
      tax_minor: price.tax_minor - paid.tax_minor,
      total_minor: price.total_minor - paid.total_minor,
    },
    waived,
  };
}
