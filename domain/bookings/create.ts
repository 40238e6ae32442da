import type { EnteredDetails } from './origin.js';
import { pickDetails, type BookingDetails } from './details.js';
import { isClosed, priceBooking, buildPriceTerms, type PricedRoom } from '../rates/booking-price.js';
import { sessionExpiry } from '../payments/checkout-session.js';
import { whyNotOnAccount } from '../invoices/credit.js';
import {
  discountUnavailable,
  termsOfDiscount,
  whyNotDiscount,
  type DiscountFacts,
  type DiscountTerms,
} from '../discounts/code.js';
import { ApiError, refuse } from '../errors.js';
import { resolveExtras, extraUnavailable, type BookableExtra, type ExtraRequest } from '../extras/extras.js';
import type { Metadata } from '../metadata.js';
import { describeBooking } from './words.js';
import { assertChargeable, whyNotMoveMoney, whyNotTakePayments } from '../processor/refusals.js';
import type { Quote, TaxCode, Tier } from '../rates/price.js';
import type { PriceLine, Pricing } from '../rates/price-lines.js';
import {
  assertBookableTime,
  assertFitsRoom,
  assertTierAllowed,
  isOpen,
  slotUnavailable,
  startsAfter,
  type BookableRoom,
  type UnavailableReason,
} from './slots.js';
import type { MemberStatus, ProcessorStatus } from '../states.js';
import type { Language } from '../words/languages.js';

/**
 * How a booking is paid: at a checkout before it is confirmed, or by an invoice that is due by the payer's
 * terms.
 */
export const SETTLE = ['checkout', 'on_account'] as const;
export type Settle = (typeof SETTLE)[number];

/**
 * The maximum number of unpaid bookings of a member who books for themselves
 * (docs/rules/bookings.md#unpaid-bookings). It is more than an honest client needs at a time.
 */
export const MAX_UNPAID_BOOKINGS = 10;

/** A booker who is not a member. `locale`: the guest's language; absent for the workspace's language. */
export interface BookedGuest {
  email: string;
  name: string;
  locale?: Language;
}

/** A create request with aliases resolved and defaults applied, so that equivalent requests are equal. */
export interface CreateRequest extends BookingDetails {
  room_id: string;
  start_at: Date;
  end_at: Date;
  /** The booker: a member or a guest. */
  member_id: string | null;
  guest: BookedGuest | null;
  /** Use the member's hour credits first. */
  use_tokens: boolean;
  settle: Settle;
  extras: ExtraRequest[];
  /** What was entered on a booking page; absent for other bookings. */
  entered?: EnteredDetails;
  /** In upper case, as stored; absent without a code. */
  discount_code?: string;
  metadata: Metadata;
}

/** The fields of a room that creating a booking depends on. */
export type CreatableRoom = BookableRoom & PricedRoom;

/**
 * The stored facts that creating a booking depends on. `room` and `member` are null if the workspace does not
 * have them.
 */
export interface CreateFacts<Room extends CreatableRoom> {
  workspace: {
    processor_status: ProcessorStatus;
    processor_account_id: string | null;
    /** Payments are paused since this time: later facts of the account may be missing. */
    recovering_since: string | null;
    checkout_hold_seconds: number;
    tax_codes: TaxCode[];
  };
  room: Room | null;
  member: {
    tier: Tier;
    status: MemberStatus;
    company_id: string | null;
    hour_credit_balance: number;
    /** The terms of the member's company, if they have one. */
    payment_terms: number | null;
  } | null;
  /**
   * True if the requested time overlaps a live booking of the room, a live booking of another room that
   * shares a part with it, or a blackout.
   */
  booked: boolean;
  part_booked: boolean;
  blackout: boolean;
  /**
   * Those of the requested extras that the workspace has. `taken` is the maximum that other bookings use at
   * any time of the booking.
   */
  extras: (BookableExtra & { stock: number | null; taken: number })[];
  /** The code of the request; null without a code, or if the workspace does not have it. */
  discount: DiscountFacts | null;
}

/** What creating a booking reserves. Amounts in minor units. */
export interface CreatePlan<Room extends CreatableRoom> extends BookingDetails {
  room: Room;
  start_at: Date;
  end_at: Date;
  member_id: string | null;
  company_id: string | null;
  guest: BookedGuest | null;
  discount_percent: number;
  tax_rate_bps: number;
  /** Hours paid from the member's hour credits. */
  hour_credits_used: number;
  price: Quote;
  /** What is stored about the rates that priced it. */
  pricing: Pricing | null;
  hold_seconds: number;
  /** The days until the invoice is due, for a booking on account with a price. */
  account_days: number | null;
  metadata: Metadata;
  /** The checkout to open; null if nothing is to be paid. */
  checkout: { account_id: string; description: string; session_expires_at: Date } | null;
}

/** What a booking would cost, and whether its time is available. Amounts in minor units. */
export interface CreateQuote<Room extends CreatableRoom> {
  room: Room;
  discount_percent: number;
  tax_rate_bps: number;
  /** Hours paid from the member's hour credits. */
  hour_credits_used: number;
  price: Quote;
  lines: PriceLine[];
  /** What is stored about the rates that priced it. */
  pricing: Pricing | null;
  /** The days until the invoice is due, for a booking on account with a price. */
  account_days: number | null;
  /** Why the time is not available; null if it is. */
  unavailable: UnavailableReason | null;
}

/**
 * Checks a create request against the stored facts and returns its price (docs/rules/bookings.md#creating).
 * `now` in UTC milliseconds. Staff may book from the start of the slot that is running. Errors: 403
 * `tier_not_allowed`; 404 `room_not_found`, `member_not_found`; 409 `member_cancelled`, `extra_unavailable`,
 * `discount_unavailable`; 412 `processor_unconfigured`; 422 `amount_too_small`, `validation_failed`,
 * `slot_misaligned`.
 */
export function quoteCreate<Room extends CreatableRoom>(
  {
    workspace,
    room,
    member,
    booked,
    part_booked,
    blackout,
    extras: known,
    discount: code,
  }: CreateFacts<Room>,
  request: CreateRequest,
  now: number,
  { by_staff }: { by_staff: boolean },
): CreateQuote<Room> {
  const { start_at, end_at, member_id } = request;
  const range = { start: start_at.getTime(), end: end_at.getTime() };
  assertBookableTime(range, now, room ? startsAfter(room, now, { by_staff }) : now);
  if (!room) throw new ApiError('room_not_found', 'No such room.', { param: 'room_id' });
  if (member_id && (!member || ['archived', 'deleted'].includes(member.status)))
    throw new ApiError('member_not_found', 'No such member.', { param: 'booked_by.member_id' });
  if (member?.status === 'cancelled') {
    const message =
      'The membership is cancelled, so no new bookings can be created. Existing bookings are kept.';
    throw new ApiError('member_cancelled', message, { param: 'booked_by.member_id' });
  }
  assertFitsRoom(room, range, request.attendees);
  assertTierAllowed(room, member?.tier ?? null);

  const audience = { tier: member?.tier ?? null, company_id: member?.company_id ?? null };
  const terms = buildPriceTerms(room, audience, workspace.tax_codes);
  const credits = request.use_tokens ? member!.hour_credit_balance : 0;
  const extras = resolveExtras(
    request.extras,
    { known, booked: [], taxCodes: workspace.tax_codes },
    { room, attendees: request.attendees, start: range.start, now, by_staff, moves: false },
  );
  const discount =
    request.discount_code === undefined ? null : resolveDiscount(code, { room, audience, now }, by_staff);
  const priceWith = (code: DiscountTerms | null) => priceBooking(terms, range, credits, now, extras, code);
  const withCode = priceWith(discount);
  // A code that takes nothing off is not used.
  const isUsed = withCode.lines.some(({ kind }) => kind === 'discount');
  const { price, lines, pricing, hour_credits_used } = discount && !isUsed ? priceWith(null) : withCode;
  const account_days = accountDays(request, member, price);
  const isCharged = price.total_minor > 0 && account_days === null;
  if (isCharged) assertChargeable({ amount_minor: price.total_minor, currency: room.currency });
  if (isCharged) refuse(whyNotTakePayments(workspace));
  const { discount_percent, tax_rate_bps } = terms;
  const isShut = !isOpen(room, range) || isClosed(room, { range, audience, now });
  const unavailable: UnavailableReason | null = isShut
    ? 'closed'
    : blackout
      ? 'blackout'
      : booked
        ? 'booked'
        : part_booked
          ? 'part_booked'
          : null;
  const short =
    unavailable === null && known.find((extra) => remainingStock(extra) < requestedQuantity(extras, extra));
  if (short) throw extraUnavailable({ extra_id: short.id, name: short.name }, remainingStock(short));
  const quoted = { room, discount_percent, tax_rate_bps, hour_credits_used, account_days, unavailable };
  return { ...quoted, price, lines, pricing };
}

/**
 * Checks a create request against the stored facts and plans what to reserve
 * (docs/rules/bookings.md#creating). `now` in UTC milliseconds; `hold_seconds` replaces the workspace's.
 * Errors: those of `quoteCreate`; 409 `slot_unavailable`; 503 while payments are paused.
 */
export function planCreate<Room extends CreatableRoom>(
  facts: CreateFacts<Room>,
  request: CreateRequest,
  now: number,
  by: { by_staff: boolean; hold_seconds?: number },
): CreatePlan<Room> {
  const { unavailable, ...quoted } = quoteCreate(facts, request, now, by);
  if (unavailable) throw slotUnavailable(unavailable);
  const { room, price, account_days } = quoted;
  if (price.total_minor > 0) refuse(whyNotMoveMoney(facts.workspace));
  const isCharged = price.total_minor > 0 && account_days === null;
  const { start_at, end_at, member_id, guest } = request;
  const { processor_account_id: account_id, checkout_hold_seconds } = facts.workspace;
  const { hold_seconds = checkout_hold_seconds } = by;
  return {
    ...quoted,
    start_at,
    end_at,
    member_id,
    company_id: facts.member?.company_id ?? null,
    guest,
    ...pickDetails(request),
    hold_seconds,
    metadata: request.metadata,
    checkout: isCharged
      ? {
          account_id: account_id!,
          description: describeBooking({
            room_name: room.name,
            time_zone: room.time_zone,
            start_at,
            end_at,
          }),
          session_expires_at: sessionExpiry(now, hold_seconds),
        }
      : null,
  };
}

/** Returns the terms of a code. Errors: 409 `discount_unavailable` if it cannot be used for this booking. */
function resolveDiscount(
  code: DiscountFacts | null,
  booking: Parameters<typeof whyNotDiscount>[1],
  by_staff: boolean,
): DiscountTerms {
  const reason = whyNotDiscount(code, booking);
  if (reason) throw discountUnavailable(reason, { by_staff });
  return termsOfDiscount(code!);
}

const requestedQuantity = (extras: ExtraRequest[], { id }: { id: string }): number =>
  extras.find(({ extra_id }) => extra_id === id)?.quantity ?? 0;

/** Returns how many of an extra are left; 0 if the stock was lowered below what is booked. */
const remainingStock = ({ stock, taken }: { stock: number | null; taken: number }): number =>
  stock === null ? Infinity : Math.max(0, stock - taken);

/**
 * Returns the days until a booking on account is due; null for a booking with a checkout or without a price.
 * Errors: 422.
 */
function accountDays(
  { settle }: CreateRequest,
  member: CreateFacts<CreatableRoom>['member'],
  price: Quote,
): number | null {
  if (settle === 'checkout') return null;
  refuse(whyNotOnAccount(member));
  return price.total_minor > 0 ? member!.payment_terms : null;
}

/**
 * Returns when the hold of a booking that is published at `now` ends, which is never after the booked time.
 */
export const holdEnd = (booking: { hold_seconds: number; end_at: Date }, now: Date): Date =>
  new Date(Math.min(now.getTime() + booking.hold_seconds * 1_000, booking.end_at.getTime()));
