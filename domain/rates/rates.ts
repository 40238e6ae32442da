import { DAY_MS, MINUTE_MS } from '../durations.js';
import type { Tier } from './price.js';
import { elapsedMinutes, type Range, type Weekday } from '../bookings/slots.js';

/** The maximum number of rates of a room. */
export const MAX_RATES = 100;
export const RATE_UNITS = ['hour', 'flat', 'day'] as const;
export const AUDIENCES = ['everyone', 'guests', 'members'] as const;

/** Whom a rate or a discount code is for. Members can be limited to tiers and companies; null for all. */
export interface RateAudience {
  kind: (typeof AUDIENCES)[number];
  tiers: Tier[] | null;
  company_ids: string[] | null;
}

/** The default audience of a rate or code. */
export const EVERYONE: RateAudience = { kind: 'everyone', tiers: null, company_ids: null };

/**
 * A rate of a room (docs/rules/rates.md). Amounts in minor units of the room's currency, without tax. Days
 * and times are on the room's clock. A window whose `to` is not after its `from` ends on the next day, and
 * belongs to the day on which it begins.
 */
export interface RoomRate {
  id: string;
  name: string;
  /** Null for every day. */
  days: Weekday[] | null;
  /** `HH:MM`; both null for the whole day. */
  from: string | null;
  to: string | null;
  /** `YYYY-MM-DD`, both days included; null for any date. */
  dates: { from: string | null; to: string | null } | null;
  audience: RateAudience;
  unit: (typeof RATE_UNITS)[number];
  amount_minor: number;
  /** Limits of what its minutes cost in one booking, or in one day of a booking. */
  cap_minor: number | null;
  day_cap_minor: number | null;
  minimum_minor: number | null;
  /**
   * The rate is skipped for shorter bookings, and for bookings made later than `min_minutes` or earlier than
   * `max_days` before their start.
   */
  min_minutes: number | null;
  notice: { min_minutes: number | null; max_days: number | null } | null;
  /** The room cannot be booked at these times. */
  closed: boolean;
  /** The flat or day price applies even if the hours cost less. */
  always: boolean;
  accounting_account: string | null;
}

/** Whom a booking is priced for. A member has a tier and possibly a company; a guest has neither. */
export interface Audience {
  tier: Tier | null;
  company_id: string | null;
}

export const GUEST: Audience = { tier: null, company_id: null };

/** The facts of a booking that decide which rates apply to it. Times in UTC milliseconds. */
export interface RatedBooking {
  range: Range;
  audience: Audience;
  /** The time at which it is priced. */
  now: number;
}

/** True if a booker belongs to an audience. */
export function isForAudience(
  { kind, tiers, company_ids }: RateAudience,
  { tier, company_id }: Audience,
): boolean {
  if (kind === 'everyone') return true;
  if (kind === 'guests') return tier === null;
  return (
    tier !== null &&
    (tiers === null || tiers.includes(tier)) &&
    (company_ids === null || (company_id !== null && company_ids.includes(company_id)))
  );
}

/** True if a rate applies to bookings that start `left` milliseconds after they are priced. */
export const isNoticeMet = ({ notice }: RoomRate, left: number): boolean =>
  ((notice?.min_minutes ?? null) === null || left >= notice!.min_minutes! * MINUTE_MS) &&
  ((notice?.max_days ?? null) === null || left <= notice!.max_days! * DAY_MS);

const isMet = (rate: RoomRate, { range, now }: RatedBooking): boolean =>
  (rate.min_minutes === null || elapsedMinutes(range) >= rate.min_minutes) &&
  isNoticeMet(rate, range.start - now);

/**
 * Returns the rates that price a booking, in their order: those for its booker, its length and its notice.
 */
export const ratesFor = (rates: RoomRate[], booking: RatedBooking): RoomRate[] =>
  rates.filter((rate) => isForAudience(rate.audience, booking.audience) && isMet(rate, booking));

/** True if no time of a room costs a booker anything. */
export const isFree = (
  { price_per_hour_minor, rates }: { price_per_hour_minor: number; rates: RoomRate[] },
  audience: Audience,
): boolean =>
  price_per_hour_minor === 0 &&
  rates.every(
    (rate) =>
      rate.closed || !isForAudience(rate.audience, audience) || !(rate.amount_minor || rate.minimum_minor),
  );

/**
 * Who asks when a room is free: a guest or a member, or a member of a tier whose company is not known. Null
 * for anybody.
 */
export type Asker = Audience | { tier: Tier } | null;

/** True if the asker belongs to an audience, null if that is not known. */
function belongsTo(audience: RateAudience, asker: Asker): boolean | null {
  if (audience.kind === 'everyone') return true;
  if (asker === null) return null;
  if ('company_id' in asker) return isForAudience(audience, asker);
  const isOfTier = isForAudience({ ...audience, company_ids: null }, { ...asker, company_id: null });
  return isOfTier && audience.company_ids !== null ? null : isOfTier;
}

/**
 * Returns the rates that decide in availability whether a room is closed: each closed rate that may apply to
 * the asker, and the rates that certainly take precedence over it.
 */
export const closingRates = (rates: RoomRate[], asker: Asker): RoomRate[] =>
  rates.some(({ closed }) => closed)
    ? rates.filter(({ audience, closed, min_minutes, notice }) => {
        const isFor = belongsTo(audience, asker);
        return closed ? isFor !== false : isFor === true && min_minutes === null && notice === null;
      })
    : [];
