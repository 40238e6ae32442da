import { ApiError, invalidField } from '../errors.js';
import type { DiscountRowFacts } from './presenter.js';
import { audienceContradictions } from '../rates/contradictions.js';
import { EVERYONE, isForAudience, type Audience, type RateAudience } from '../rates/rates.js';

/** The format of a code, in upper or lower case. */
export const CODE_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{1,39}$/;
/** The maximum limit of uses. */
export const MAX_USES = 100_000;

/** The terms of a code that can be changed: who can use it, where, when and how often. */
type Terms = Omit<
  DiscountRowFacts,
  'id' | 'code' | 'percent' | 'amount_minor' | 'currency' | 'used' | 'created_at' | 'updated_at'
>;

/** A change of a code. `rooms`: null for all rooms. */
export type DiscountChanges = Partial<Omit<Terms, 'room_ids'>> & { rooms?: string[] | null };

/** A code to be created, with either `percent` or `amount_minor` (without tax). */
export interface NewDiscount extends DiscountChanges {
  code: string;
  percent?: number;
  amount_minor?: number;
}

/** The default terms of a code. */
const DEFAULTS: Terms = {
  room_ids: null,
  audience: EVERYONE,
  valid_from: null,
  valid_until: null,
  max_uses: null,
  max_uses_per_payer: null,
  archived: false,
};

/** Returns a code in the form in which it is stored and compared. */
export const normalizeCode = (entered: string): string => entered.toUpperCase();

/** Returns the terms that a change sets. Errors: 422 if it contradicts itself or the code's other terms. */
export function changedTerms(before: Terms, { rooms, ...changes }: DiscountChanges): Partial<Terms> {
  const changed = { ...changes, ...(rooms !== undefined && { room_ids: rooms }) };
  const { valid_from, valid_until, audience } = { ...before, ...changed };
  if (valid_from && valid_until && valid_until <= valid_from)
    throw invalidField('valid_until', 'must be after {valid_from}');
  const [found] = audienceContradictions(audience);
  if (found) throw invalidField(...found);
  return changed;
}

/** Returns a code to be stored. `currency`: the workspace's, in which an amount is. Errors: 422. */
export const newDiscount = ({ code, percent, amount_minor, ...terms }: NewDiscount, currency: string) => ({
  ...DEFAULTS,
  ...changedTerms(DEFAULTS, terms),
  code: normalizeCode(code),
  percent: percent === undefined ? null : String(percent),
  amount_minor: amount_minor ?? null,
  currency: amount_minor === undefined ? null : currency,
});

/**
 * True if a code makes bookings free. Creating such a code needs a fresh proof
 * (docs/rules/credentials.md#fresh-proof).
 */
export const takesAll = ({ percent }: { percent?: string | number | null }): boolean =>
  Math.round(Number(percent) * 100) >= 10_000;

export const noSuchDiscount = (): ApiError => new ApiError('not_found', 'No such discount code.');

/** The terms of a code at the time it was redeemed, which a booking keeps. Amounts in minor units. */
export interface DiscountTerms {
  discount_id: string;
  code: string;
  /** One of `percent` and `amount_minor` is null. The amount is without tax. */
  percent: number | null;
  amount_minor: number | null;
  /** Null for all rooms. */
  room_ids: string[] | null;
}

/** A code and its uses, as read when a booking is created. Times are ISO 8601. */
export interface DiscountFacts {
  id: string;
  code: string;
  percent: number | null;
  amount_minor: number | null;
  currency: string | null;
  room_ids: string[] | null;
  audience: RateAudience;
  valid_from: string | null;
  valid_until: string | null;
  max_uses: number | null;
  max_uses_per_payer: number | null;
  archived: boolean;
  used: number;
  /** Uses by the booker; 0 if the booker is not known. */
  used_by_payer: number;
}

/** Why a code cannot be used. Only staff see the reason. */
export type DiscountReason =
  | 'unknown'
  | 'archived'
  | 'not_yet_valid'
  | 'expired'
  | 'other_room'
  | 'other_audience'
  | 'other_currency'
  | 'used_up'
  | 'used_up_by_payer';

const WORDS: Record<DiscountReason, string> = {
  unknown: 'The workspace does not have this code.',
  archived: 'The code is archived.',
  not_yet_valid: 'The code is not valid yet.',
  expired: 'The code is no longer valid.',
  other_room: 'The code is not valid for this room.',
  other_audience: 'The code is not valid for this booker.',
  other_currency: 'The code is for an amount in a currency other than the currency of the room.',
  used_up: 'The code has reached its maximum number of uses.',
  used_up_by_payer: 'This booker has reached the maximum number of uses of the code.',
};

/**
 * Returns why a code cannot be used for a booking that is made at `now` (UTC milliseconds); null if it can.
 */
export function whyNotDiscount(
  discount: DiscountFacts | null,
  { room, audience, now }: { room: { id: string; currency: string }; audience: Audience; now: number },
): DiscountReason | null {
  if (!discount) return 'unknown';
  const { valid_from, valid_until, room_ids, currency, max_uses, max_uses_per_payer } = discount;
  if (discount.archived) return 'archived';
  if (valid_from !== null && now < Date.parse(valid_from)) return 'not_yet_valid';
  if (valid_until !== null && now >= Date.parse(valid_until)) return 'expired';
  if (room_ids && !room_ids.includes(room.id)) return 'other_room';
  if (!isForAudience(discount.audience, audience)) return 'other_audience';
  if (currency !== null && currency !== room.currency) return 'other_currency';
  if (max_uses !== null && discount.used >= max_uses) return 'used_up';
  if (max_uses_per_payer !== null && discount.used_by_payer >= max_uses_per_payer) return 'used_up_by_payer';
  return null;
}

/**
 * 409 `discount_unavailable`. Only staff see the reason: others could use it to try codes that the workspace
 * gave to somebody else.
 */
export function discountUnavailable(reason: DiscountReason, { by_staff }: { by_staff: boolean }): ApiError {
  const message = by_staff ? WORDS[reason] : 'This code cannot be used for this booking.';
  return new ApiError('discount_unavailable', message, {
    param: 'discount_code',
    ...(by_staff && { details: { reason } }),
  });
}

export const termsOfDiscount = ({
  id,
  code,
  percent,
  amount_minor,
  room_ids,
}: DiscountFacts): DiscountTerms => ({
  discount_id: id,
  code,
  percent,
  amount_minor,
  room_ids,
});
