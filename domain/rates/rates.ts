import { DAY_MS, MINUTE_MS } from '../durations.js';
import type { Tier } from './price.js';
import { elapsedMinutes, type Range, type Weekday } from '../bookings/slots.js';

/** The most rates that a room can have. */
export const MAX_RATES = 100;
export const RATE_UNITS = ['hour', 'flat', 'day'] as const;
export const AUDIENCES = ['everyone', 'guests', 'members'] as const;

/** Whom a rate or a discount code is for; of members, those of these tiers and companies, null for all. */
export interface RateAudience {
  kind: (typeof AUDIENCES)[number];
  tiers: Tier[] | null;
  company_ids: string[] | null;
}

/** The audience of a rate or a code that says nothing about it. */
export const EVERYONE: RateAudience = { kind: 'everyone', tiers: null, company_ids: null };

/**
 * A rate of a room (docs/rules/rates.md). Amounts in minor units of the room's currency, without tax. Days
 * and times are those of the room's clock: a window whose `to` is not after its `from` ends on the next day,
 * and belongs to the day on which it begins.
 */
export interface RoomRate {
  id: string;
  name: string;
  /** Null for every day. */
  days: Weekday[] | null;
  /** `HH:MM`; both null for the whole day. */
  from: string | null;
  to: string | null;
  /** `YYYY-MM-DD`, both included; null for any date. */
  dates: { from: string | null; to: string | null } | null;
  audience: RateAudience;
  unit: (typeof RATE_UNITS)[number];
  amount_minor: number;
  /** Limits of what its minutes cost in one booking, or in one day of it. */
  cap_minor: number | null;
  day_cap_minor: number | null;
  minimum_minor: number | null;
  /**
   * It is passed over in shorter bookings, and in those made later than `min_minutes` or
   * earlier than `max_days` before.
   */
  min_minutes: number | null;
  notice: { min_minutes: number | null; max_days: number | null } | null;
  /** The room cannot be booked then. */
  closed: boolean;
  /** A flat or day price also where the hours cost less. */
  always: boolean;
  accounting_account: string | null;
}

/** Whom a booking is priced for: a guest has neither, a member a tier. */
export interface Audience {
  tier: Tier | null;
  company_id: string | null;
}

/** What of a booking decides which rates apply to it. Times in UTC milliseconds. */
export interface RatedBooking {
  range: Range;
  audience: Audience;
  /** When it is priced. */
  now: number;
}

/** Whether a booker is one of an audience. */
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

/** Whether a rate applies to bookings that start `left` milliseconds after they are priced. */
export const isNoticeMet = ({ notice }: RoomRate, left: number): boolean =>
  ((notice?.min_minutes ?? null) === null || left >= notice!.min_minutes! * MINUTE_MS) &&
  ((notice?.max_days ?? null) === null || left <= notice!.max_days! * DAY_MS);

const isMet = (rate: RoomRate, { range, now }: RatedBooking): boolean =>
  (rate.min_minutes === null || elapsedMinutes(range) >= rate.min_minutes) &&
  isNoticeMet(rate, range.start - now);

/** The rates that a booking is priced by, in their order: those for its booker, its length and its notice. */
export const ratesFor = (rates: RoomRate[], booking: RatedBooking): RoomRate[] =>
  rates.filter((rate) => isForAudience(rate.audience, booking.audience) && isMet(rate, booking));

/**
 * The rates that decide for availability whether a room is closed: each closed one that may apply, and what
 * certainly comes before it. `tier`: of who asks; null if that is not known.
 */
export const closingRates = (rates: RoomRate[], tier: Tier | null): RoomRate[] =>
  rates.some(({ closed }) => closed)
    ? rates.filter((rate) => {
        const { kind, tiers, company_ids } = rate.audience;
        const excluded = tier !== null && (kind === 'guests' || (tiers !== null && !tiers.includes(tier)));
        if (rate.closed) return !excluded;
        if (rate.min_minutes !== null || rate.notice !== null || company_ids !== null) return false;
        return kind === 'everyone' || (tier !== null && !excluded);
      })
    : [];
