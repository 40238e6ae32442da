import { detailsAfter, type BookingDetails } from './details.js';
import type { SentMethod } from '../payments/methods.js';
import {
  isClosed,
  priceBooking,
  computeBookingPrice,
  buildPriceTerms,
  timeLeftToPay,
  type PricedRoom,
  type RateTable,
} from '../rates/booking-price.js';
import {
  resolveExtras,
  sameExtras,
  type BookableExtra,
  type BookedExtra,
  type ExtraRequest,
} from '../extras/extras.js';
import {
  discountIn,
  extrasIn,
  bookingLines,
  settledLines,
  type PriceLine,
  type Pricing,
} from '../rates/price-lines.js';
import { sumTotals } from '../invoices/invoice.js';
import type { Audience } from '../rates/rates.js';
import { addLength, countedMinutes, hasDays } from '../rooms/grid.js';
import { MINUTE_MS } from '../durations.js';
import { capsAfter, type RefundCap, type RefundableBooking } from './refund-shares.js';
import {
  ApiError,
  invalidField,
  refuse,
  type ErrorCode,
  type ErrorContext,
  type Refusal,
} from '../errors.js';
import type { Principal } from '../policies.js';
import { minimumCharge } from '../processor/amounts.js';
import type { Quote, Rate, TaxCode, Tier } from '../rates/price.js';
import { refundPercent, type RefundPolicy, type RefundStep } from './refund-policy.js';
import {
  assertBookableTime,
  assertFitsRoom,
  assertOpen,
  assertTierAllowed,
  slotUnavailable,
  startsAfter,
  type BookableRoom,
  type Range,
} from './slots.js';
import { hasEnded, type BookingStatus, type EndedBookingStatus } from '../states.js';

/** A member who acts with a key, or in the dashboard (key null). */
export type MemberActor = Pick<Principal, 'member_id' | 'key_id'>;

/** Who changes a booking: a member, or the holder of its manage link (by the link's id). */
export type ChangeActor = MemberActor | { guest: string };

/** A change requested by a `PATCH` of a booking; times in UTC milliseconds. Absent fields stay unchanged. */
export interface ChangeRequest extends Partial<BookingDetails> {
  start_at?: number;
  end_at?: number;
  room_id?: string;
  /** All extras that the booking should have. */
  extras?: ExtraRequest[];
  /**
   * The difference that was shown to the requester, in minor units; above zero it is to be paid. If the
   * actual difference is not the same, nothing is changed.
   */
  expected_difference_minor?: number;
  /** The payer pays a higher price on the hosted page; the card on file is not charged. */
  pay_by_link?: boolean;
  /** Staff have already received the difference of a higher price: it is neither charged nor due. */
  taken?: { method: SentMethod; reference: string | null };
  /** The blackout that the booking makes room for. The mail about the change contains the blackout's note. */
  blackout_id?: string;
  /** The requester manages all bookings: they may lengthen one that has begun. */
  by_staff?: boolean;
}

/** The fields of a booking that a change depends on. */
export interface ChangeableBooking extends BookingDetails, RefundableBooking {
  status: BookingStatus;
  no_show_at: Date | null;
  room_id: string;
  end_at: Date;
  /** The end of the turnaround that it was booked with. */
  occupied_until: Date;
  hour_credits_used: number;
  /** The lowest refund step that applied when the booking was moved. */
  refund_percent_cap: number;
  price_per_hour_minor: number;
  discount_percent: number | string;
  company_id: string | null;
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

/**
 * A booking's new time, room and extras, with its new price. If only extras change, time and room stay the
 * same.
 */
export interface Move {
  room_id: string;
  /** UTC milliseconds. */
  start_at: number;
  end_at: number;
  /** The end of the time that the booking blocks, turnaround included. */
  occupied_until: number;
  rate: Rate;
  tax_code: string;
  price: Quote;
  /** What is stored about the rates that priced it. */
  pricing: Pricing | null;
  /** The hour credits that the booking keeps; the others are returned. */
  hour_credits_used: number;
  /** The new price minus the old price: charged if above zero, refunded if below. */
  difference: Quote;
  /** The difference is below the minimum charge: nothing is charged or refunded, and the price stays. */
  waived: boolean;
  /**
   * The current refund step of the room. If the time or room changes, at most this percentage of the current
   * price is refunded later.
   */
  refund_percent: number;
  /** The maximum percentages that parts of the price refund from now on. */
  refund_caps: RefundCap[];
}

/** True if a move changes time or room, not only the extras. */
export const changesPlace = (
  booking: { room_id: string; start_at: Date; end_at: Date },
  move: Pick<Move, 'room_id' | 'start_at' | 'end_at'>,
): boolean =>
  move.room_id !== booking.room_id ||
  move.start_at !== booking.start_at.getTime() ||
  move.end_at !== booking.end_at.getTime();

/**
 * True if a booking keeps its room and start and ends no later, so that it needs no more than the slot that
 * it holds.
 */
export const staysInSlot = (
  booking: { room_id: string; start_at: Date; end_at: Date },
  move: Pick<Move, 'room_id' | 'start_at' | 'end_at'>,
): boolean =>
  move.room_id === booking.room_id &&
  move.start_at === booking.start_at.getTime() &&
  move.end_at <= booking.end_at.getTime();

/**
 * The share, in percent, that a cancellation after a change refunds at most of what was paid before: the
 * lowest refund step that applied when the booking was moved (docs/rules/bookings.md#changes).
 */
export const refundCapAfter = (
  booking: Pick<ChangeableBooking, 'room_id' | 'start_at' | 'end_at' | 'refund_percent_cap'>,
  move: Pick<Move, 'room_id' | 'start_at' | 'end_at' | 'refund_percent'> | null,
): number =>
  move && changesPlace(booking, move)
    ? Math.min(booking.refund_percent_cap, move.refund_percent)
    : booking.refund_percent_cap;

/** The room of a booking and the room it changes to. */
export interface ChangedRooms {
  from: ChangeableRoom;
  to: ChangeableRoom;
  /** The rates that priced the booking; null for the hourly price. */
  table: RateTable | null;
  /** The extras that are requested or booked. */
  extras: BookableExtra[];
}

/** The booking's fields after the change. */
export interface ChangePlan extends BookingDetails {
  /** Null if time, room and extras stay. */
  move: Move | null;
}

/** The result of a change or cancellation. A refusal contains the API error to be thrown. */
export type ChangeOutcome =
  | {
      kind: 'done';
      charged_minor: number;
      payment_id: string | null;
      refund_ids: string[];
      /** The difference was below the minimum charge. */
      waived?: boolean;
      blackout_id?: string;
      /** Only for a cancellation that took effect. `amount` if the amount was chosen. */
      refund_policy?: RefundPolicy | 'amount';
    }
  | { kind: 'refused'; code: ErrorCode; message: string; context: ErrorContext };

/**
 * Throws 409 `booking_not_editable` with the reason `difference_changed` if the difference is not the one
 * that was shown.
 */
export function assertDifferenceAsShown(
  { expected_difference_minor: shown }: ChangeRequest,
  { charge_minor, refund_minor }: { charge_minor: number; refund_minor: number },
): void {
  if (shown === undefined || shown === charge_minor - refund_minor) return;
  const message =
    'The price difference of the change differs from the one that was shown. Check the new amount, ' +
    'then change the booking again.';
  throw new ApiError('booking_not_editable', message, { details: { reason: 'difference_changed' } });
}

/**
 * Returns the last moment at which a booking of a room can be changed, in UTC milliseconds: the edit window
 * before its start.
 */
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

/** Returns why a booking can never be changed again (it is cancelled, expired or completed), or null. */
export const whyNotLive = (status: BookingStatus): NotEditable | null =>
  hasEnded(status)
    ? notEditable(`A booking with status ${status} cannot be changed.`, { reason: 'status', status })
    : null;

/**
 * True if the booked time has begun and not ended, and it is not marked as a no-show: staff may lengthen the
 * booking. `now` in UTC milliseconds.
 */
export const isRunning = (
  booking: { status: BookingStatus; no_show_at: Date | null; start_at: Date; end_at: Date },
  now: number,
): boolean =>
  booking.status === 'confirmed' &&
  !booking.no_show_at &&
  booking.start_at.getTime() <= now &&
  now < booking.end_at.getTime();

/**
 * Returns why notes and attendees of a booking cannot be changed, or with `moves` its time, room and extras;
 * null if they can (docs/rules/bookings.md#changes). `room` is the booked room, `now` in UTC milliseconds.
 * `lengthens`: staff lengthen a running booking, or change its extras.
 */
export function whyNotChange(
  booking: { status: BookingStatus; start_at: Date },
  room: { edit_window_minutes: number },
  now: number,
  { moves, lengthens = false }: { moves: boolean; lengthens?: boolean },
): NotEditable | null {
  const notLive = whyNotLive(booking.status);
  if (notLive) return notLive;
  if (booking.status === 'pending_payment' && moves) {
    const message = 'The time, room and extras cannot be changed until the booking has been paid.';
    return notEditable(message, { reason: 'unpaid' });
  }
  if (lengthens || now <= editableUntil(booking, room)) return null;
  const { edit_window_minutes } = room;
  const until = edit_window_minutes === 0 ? 'it starts' : `${edit_window_minutes} minutes before it starts`;
  const message = `A booking of this room can be changed until ${until}.`;
  return notEditable(message, { reason: 'edit_window', edit_window_minutes });
}

/**
 * Plans a change (docs/rules/bookings.md#changes). The booked room's edit window ends before the old start
 * and applies to every edit. In the same room the booking keeps its rate; another room has its current
 * rate. Errors: 403 `tier_not_allowed`; 409 `booking_not_editable`, `slot_unavailable`; 422
 * `validation_failed`, `slot_misaligned`.
 */
export function planChange(
  booking: ChangeableBooking,
  rooms: ChangedRooms,
  booker: { tier: Tier | null },
  taxCodes: TaxCode[],
  request: ChangeRequest,
  now: number,
): ChangePlan {
  const { from, to } = rooms;
  const old = { start: booking.start_at.getTime(), end: booking.end_at.getTime() };
  const start = request.start_at ?? old.start;
  // A day stays a day, also where it has 23 or 25 hours.
  const sameLength = hasDays(to)
    ? addLength(start, countedMinutes(old, from), to)
    : start + old.end - old.start;
  const range = { start, end: request.end_at ?? sameLength };
  const moves = range.start !== old.start || range.end !== old.end || to.id !== from.id;

  const staysThere = range.start === old.start && to.id === from.id;
  const lengthens = request.by_staff === true && staysThere && range.end > old.end && isRunning(booking, now);

  const details = detailsAfter(booking, request);
  const booked = extrasIn(booking);
  const changesExtras = request.extras !== undefined && !sameExtras(request.extras, booked);
  const addsToRunning = request.by_staff === true && !moves && changesExtras && isRunning(booking, now);

  const reprices = moves || changesExtras;
  refuse(whyNotChange(booking, from, now, { moves: reprices, lengthens: lengthens || addsToRunning }));
  const extras = resolveExtras(
    request.extras ?? booked,
    { known: rooms.extras, booked, taxCodes },
    {
      room: { id: to.id, currency: booking.currency },
      attendees: details.attendees,
      start,
      now,
      by_staff: request.by_staff === true,
      moves: !staysThere,
    },
  );
  const audience = { tier: booker.tier, company_id: booking.company_id };
  const refund_percent = refundPercent(from.refund_steps, old.start, now);
  if (!moves) {
    if (details.attendees > booking.attendees) assertCapacity(to, details.attendees);
    if (!reprices) return { ...details, move: null };
    // The time costs what it cost before, even with rates that depend on the notice.
    const priced_at = booking.pricing?.priced_at ?? now;
    const priced = priceMove(booking, rooms, audience, taxCodes, { range, extras, priced_at }, now);
    return { ...details, move: { ...priced, refund_percent } };
  }
  const by = { by_staff: request.by_staff === true };
  assertBookableTime(range, now, lengthens ? -Infinity : startsAfter(to, now, by));
  assertFitsRoom(to, range, details.attendees);
  assertTierAllowed(to, booker.tier);
  assertOpen(to, range);
  if (isClosed(to, { range, audience, now })) throw slotUnavailable('closed');
  const priced = priceMove(booking, rooms, audience, taxCodes, { range, extras, priced_at: now }, now);
  return { ...details, move: { ...priced, refund_percent } };
}

function assertCapacity(room: ChangeableRoom, attendees: number): void {
  if (room.capacity === null || attendees <= room.capacity) return;
  throw invalidField('attendees', `must be at most ${room.capacity}, the capacity of the room`);
}

function priceMove(
  booking: ChangeableBooking,
  { from, to, table }: ChangedRooms,
  audience: Audience,
  taxCodes: TaxCode[],
  { range, extras, priced_at }: { range: Range; extras: BookedExtra[]; priced_at: number },
  now: number,
): Omit<Move, 'refund_percent'> {
  const stays = to.id === from.id;
  if (!stays && to.currency !== booking.currency) {
    const message =
      `The room is priced in ${to.currency}, but the booking in ${booking.currency}. Choose a room ` +
      `that is priced in ${booking.currency}.`;
    throw new ApiError('validation_failed', message, { param: 'room_id' });
  }
  const terms = stays
    ? bookedPriceTerms(booking, to, table, audience)
    : buildPriceTerms(to, audience, taxCodes);
  const before = bookingLines({ ...booking, room_name: from.name, time_zone: from.time_zone });
  const code = discountIn(booking);
  const lowered = priceBooking(terms, range, booking.hour_credits_used, priced_at, extras, code);
  const hour_credits_used = returnsCredits(booking, from, now, { before, after: lowered.lines })
    ? lowered.hour_credits_used
    : booking.hour_credits_used;
  const { pricing, ...quoted } = computeBookingPrice(
    terms,
    range,
    hour_credits_used,
    priced_at,
    extras,
    code,
  );
  const paid = {
    net_minor: booking.net_minor,
    tax_minor: booking.tax_minor,
    total_minor: booking.price_minor,
  };
  const due = Math.abs(quoted.price.total_minor - paid.total_minor);
  const waived = due > 0 && due < minimumCharge(booking.currency);
  const { price_per_hour_minor, discount_percent, tax_rate_bps, currency } = terms;
  const { price, pricing: settled } = waived
    ? settledPrice({ price: quoted.price, pricing }, terms, before, paid.total_minor)
    : { price: quoted.price, pricing };
  const moved = { room_id: to.id, start_at: range.start, end_at: range.end };
  const turnaround = staysInSlot(booking, moved)
    ? booking.occupied_until.getTime() - booking.end_at.getTime()
    : to.turnaround_minutes * MINUTE_MS;
  const priced = {
    price_minor: price.total_minor,
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    tax_code: terms.tax_code,
    tax_rate_bps,
    pricing: settled,
  };
  return {
    ...moved,
    occupied_until: range.end + turnaround,
    rate: { price_per_hour_minor, discount_percent, tax_rate_bps, currency },
    tax_code: terms.tax_code,
    price,
    pricing: settled,
    hour_credits_used,
    refund_caps: capsAfter(booking, priced, {
      steps: from.refund_steps,
      moved: changesPlace(booking, moved),
      now,
    }),
    difference: {
      net_minor: price.net_minor - paid.net_minor,
      tax_minor: price.tax_minor - paid.tax_minor,
      total_minor: price.total_minor - paid.total_minor,
    },
    waived,
  };
}

/**
 * Returns the price if the difference to what was paid is waived: the total that was paid, with the tax of
 * the new lines.
 */
function settledPrice(
  { price, pricing }: { price: Quote; pricing: Pricing | null },
  terms: { tax_code: string; tax_rate_bps: number; currency: string },
  before: PriceLine[],
  total_minor: number,
): { price: Quote; pricing: Pricing | null } {
  const whole = { ...price, ...terms, kind: 'time' as const };
  if (!pricing)
    return { price: sumTotals(settledLines([whole], before, total_minor, terms.currency)), pricing };
  const lines = settledLines(pricing.lines, before, total_minor, terms.currency);
  return { price: sumTotals(lines), pricing: { ...pricing, lines } };
}

/**
 * True if a change returns hour credits that no longer lower the price: if the terms return everything, or if
 * more is due for the time than before, in place of what the credits paid
 * (docs/rules/bookings.md#hour-credits).
 */
function returnsCredits(
  { start_at, refund_percent_cap, currency }: ChangeableBooking,
  { refund_steps }: ChangeableRoom,
  now: number,
  { before, after }: Record<'before' | 'after', PriceLine[]>,
): boolean {
  const percent = Math.min(refund_percent_cap, refundPercent(refund_steps, start_at.getTime(), now));
  return percent === 100 || timeLeftToPay(after, currency) > timeLeftToPay(before, currency);
}

/** Returns the terms that priced a booking, for another time in the same room. */
const bookedPriceTerms = (
  booking: ChangeableBooking,
  { id, name, time_zone }: ChangeableRoom,
  table: RateTable | null,
  audience: Audience,
) => ({
  room_id: id,
  audience: table?.audience ?? audience,
  price_per_hour_minor: booking.price_per_hour_minor,
  discount_percent: Number(booking.discount_percent),
  tax_rate_bps: booking.tax_rate_bps,
  currency: booking.currency,
  tax_code: booking.tax_code,
  room_name: name,
  time_zone,
  table,
});
