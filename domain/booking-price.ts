import { Decimal } from 'decimal.js';
import { describeBooking } from './booking-words.js';
import { creditsInWords } from './display.js';
import { HOUR_MS } from './durations.js';
import { discountLines } from './discount-lines.js';
import type { DiscountTerms } from './discounts.js';
import { ApiError } from './errors.js';
import { priceExtra, type BookedExtra } from './extras.js';
import { totalsOf } from './invoice.js';
import { hoursOf, linesOf, type PriceLine, type Pricing } from './price-lines.js';
import { maximumCharge, roundToUnit } from './processor-amounts.js';
import { quote, type Quote, type Rate, type TaxCode, type Tier } from './price.js';
import { priceTime, type RatedTime } from './rate-price.js';
import { closedTime } from './rate-windows.js';
import { ratesFor, type Audience, type RatedBooking, type RoomRate } from './rates.js';
import { minutesOf, type Range } from './slots.js';
import { taxOn, withTax } from './tax.js';

/** The fields of a room that determine the price of its bookings. */
export interface PricedRoom {
  id: string;
  name: string;
  time_zone: string;
  rates: RoomRate[];
  rate_version: number;
  price_per_hour_minor: number;
  currency: string;
  tax_code: string;
  tier_discounts: Partial<Record<Tier, number>>;
}

/**
 * A room's current rate for a booker of the given tier, null for a guest. Errors: 422 `validation_failed` if the
 * workspace no longer has the room's tax code.
 */
function rateOf(room: PricedRoom, tier: Tier | null, taxCodes: TaxCode[]): Rate {
  const tax = taxCodes.find(({ code }) => code === room.tax_code);
  if (!tax) {
    const message = `The workspace has no tax code ${room.tax_code}, which the room uses. Set another tax_code on the room.`;
    throw new ApiError('validation_failed', message, { param: 'room_id' });
  }
  return {
    price_per_hour_minor: room.price_per_hour_minor,
    discount_percent: (tier && room.tier_discounts[tier]) || 0,
    tax_rate_bps: tax.rate_bps,
    currency: room.currency,
  };
}

/** The rates that a booking is priced by, and for whom. A change in the same room goes on with them. */
export interface RateTable {
  room_id: string;
  version: number;
  audience: Audience;
  rates: RoomRate[];
}

/** The current rates of a room for a booker; null if it has none. */
export const tableOf = ({ id, rates, rate_version }: PricedRoom, audience: Audience): RateTable | null =>
  rates.length === 0 ? null : { room_id: id, version: rate_version, audience, rates };

/** Whether the rates of a room close it for a booker during some of a time (docs/rules/rates.md#closed). */
export const isClosed = (
  { rates, time_zone }: Pick<PricedRoom, 'rates' | 'time_zone'>,
  booking: RatedBooking,
): boolean => closedTime(ratesFor(rates, booking), booking.range, time_zone).length > 0;

/** What decides the price of a booking's time. */
export interface PriceTerms extends Rate {
  room_id: string;
  audience: Audience;
  room_name: string;
  time_zone: string;
  tax_code: string;
  /** Null for the hourly price alone. */
  table: RateTable | null;
}

/** What decides the price of a new booking of a room. Errors: those of `rateOf`. */
export const priceTermsOf = (room: PricedRoom, audience: Audience, taxCodes: TaxCode[]): PriceTerms => ({
  ...rateOf(room, audience.tier, taxCodes),
  room_id: room.id,
  audience,
  room_name: room.name,
  time_zone: room.time_zone,
  tax_code: room.tax_code,
  table: tableOf(room, audience),
});

/** A priced booking: the sums, and the lines that they are the sums of. */
export interface PricedTime {
  price: Quote;
  lines: PriceLine[];
  pricing: Pricing | null;
}

/**
 * The price of a booking with its extras and a code, `hoursPaid` hours of which are paid by hour credits (docs/rules/bookings.md#price).
 * `now`: UTC milliseconds. Errors: 422 `validation_failed` if the price exceeds the maximum amount of one payment.
 */
export function priceBooking(
  terms: PriceTerms,
  range: Range,
  hoursPaid: number,
  now: number,
  extras: BookedExtra[] = [],
  discount: DiscountTerms | null = null,
): PricedTime {
  const full = withExtras(priceOf(terms, range, hoursPaid, now), extras, terms, range);
  const priced = discount ? withDiscount(full, discount, terms) : full;
  if (priced.price.total_minor <= maximumCharge(terms.currency)) return priced;
  const message = 'The price of this booking exceeds the maximum amount of one payment. Book a shorter time.';
  throw new ApiError('validation_failed', message, { param: 'end_at' });
}

/** What a booking would cost, also if that is more than one payment can be. */
export const priceOf = (terms: PriceTerms, range: Range, hoursPaid: number, now: number): PricedTime =>
  terms.table ? byRates(terms, terms.table, range, hoursPaid, now) : byHour(terms, range, hoursPaid);

/** A price with that of extras: one tax for each rate of all lines. */
function withExtras(time: PricedTime, extras: BookedExtra[], terms: PriceTerms, range: Range): PricedTime {
  if (extras.length === 0) return time;
  const { room_id, audience, currency } = terms;
  const lines = withTax(
    [...time.lines, ...extras.map((extra) => extraLine(extra, range, currency))],
    currency,
  );
  const pricing = time.pricing ?? { room_id, version: null, audience };
  return { price: totalsOf(lines), lines, pricing: { ...pricing, lines, extras } };
}

/** A price less what a code takes off it, before tax. In a room that the code is not for, it takes nothing off. */
function withDiscount(full: PricedTime, discount: DiscountTerms, terms: PriceTerms): PricedTime {
  const { room_id, audience, currency } = terms;
  const isForRoom = discount.room_ids === null || discount.room_ids.includes(room_id);
  const off = isForRoom ? discountLines(full.lines, discount, currency) : [];
  const lines = off.length > 0 ? withTax([...full.lines, ...off], currency) : full.lines;
  const pricing = full.pricing ?? { room_id, version: null, audience };
  return { price: totalsOf(lines), lines, pricing: { ...pricing, lines, discount } };
}

const extraLine = (extra: BookedExtra, range: Range, currency: string): UntaxedLine => ({
  kind: 'extra',
  description: extra.name,
  ...priceExtra(extra, range, currency),
  unit: extra.unit,
  unit_amount_minor: extra.unit_amount_minor,
  tax_code: extra.tax_code,
  tax_rate_bps: extra.tax_rate_bps,
  rate_id: null,
  extra_id: extra.extra_id,
  from: null,
  to: null,
  account: extra.account,
});

/** The price by the room's hourly price alone: the lines follow from what is stored of the booking. */
function byHour(terms: PriceTerms, { start, end }: Range, hoursPaid: number): PricedTime {
  const price = quote(terms, Math.max(0, minutesOf({ start, end }) - hoursPaid * 60));
  const time = { start_at: new Date(start), end_at: new Date(end) };
  const lines = linesOf({ ...terms, ...price, ...time, hour_credits_used: hoursPaid, pricing: null });
  return { price, lines, pricing: null };
}

/**
 * The price by a room's rates: a line for the minutes of each. Hour credits pay the first minutes, so they are worth what
 * the rest of the booking costs less.
 */
function byRates(
  terms: PriceTerms,
  table: RateTable,
  range: Range,
  hoursPaid: number,
  now: number,
): PricedTime {
  const { room_id, version, audience } = table;
  const rates = ratesFor(table.rates, { range, audience, now });
  const time = priceTime(range, { ...terms, rates });
  const rest = { start: Math.min(range.end, range.start + hoursPaid * HOUR_MS), end: range.end };
  const unpaid = hoursPaid > 0 ? priceTime(rest, { ...terms, rates }) : time;
  const credited = { hours: hoursPaid, from: iso(range.start), to: iso(rest.start) };
  const untaxed = [
    ...time.map((each) => timeLine(terms, each)),
    ...creditLines(terms, time, unpaid, credited),
  ];
  const lines = withTax(untaxed, terms.currency);
  return { price: totalsOf(lines), lines, pricing: { room_id, version, audience, priced_at: now, lines } };
}

/** What a booking without hour credits would cost, tax included: `priceOf` without its lines. */
export function totalOf(terms: PriceTerms, range: Range, now: number): number {
  const { table, tax_rate_bps, currency } = terms;
  const rates = table ? ratesFor(table.rates, { range, audience: table.audience, now }) : [];
  const time = priceTime(range, { ...terms, rates });
  const net_minor = time.reduce((sum, each) => sum + netOf(terms, each), 0);
  return net_minor + taxOn(net_minor, tax_rate_bps, currency);
}

const iso = (instant: number): string => new Date(instant).toISOString();

/** What the minutes of a rate cost with the tier discount, rounded once. */
const netOf = ({ discount_percent, currency }: Rate, { cost60 }: RatedTime): number =>
  roundToUnit(new Decimal(cost60).mul(new Decimal(100).minus(discount_percent)).div(6_000), currency);

type UntaxedLine = Omit<PriceLine, 'tax_minor'>;

function timeLine(terms: PriceTerms, time: RatedTime): UntaxedLine {
  const { rate, minutes, times, start, end } = time;
  const booked = describeBooking({ ...terms, start_at: new Date(start), end_at: new Date(end) });
  return {
    kind: 'time',
    description: rate ? `${rate.name}: ${booked}` : booked,
    quantity: times ?? hoursOf(minutes),
    unit: rate?.unit ?? 'hour',
    unit_amount_minor: rate?.amount_minor ?? terms.price_per_hour_minor,
    net_minor: netOf(terms, time),
    tax_code: terms.tax_code,
    tax_rate_bps: terms.tax_rate_bps,
    rate_id: rate?.id ?? null,
    extra_id: null,
    from: iso(start),
    to: iso(end),
    account: rate?.accounting_account ?? null,
  };
}

const accountOf = ({ rate }: RatedTime): string | null => rate?.accounting_account ?? null;

/** A line below zero for each account whose minutes hour credits pay: what all of it costs, less what is left costs. */
function creditLines(
  terms: PriceTerms,
  time: RatedTime[],
  unpaid: RatedTime[],
  { hours, from, to }: { hours: number; from: string; to: string },
): UntaxedLine[] {
  return [...new Set(time.map(accountOf))].flatMap((account) => {
    const sum = (of: RatedTime[], value: (one: RatedTime) => number): number =>
      of.filter((one) => accountOf(one) === account).reduce((total, one) => total + value(one), 0);
    const less = (value: (one: RatedTime) => number): number => sum(time, value) - sum(unpaid, value);
    const minutes = less((one) => one.minutes);
    if (minutes === 0) return [];
    const net_minor = -less((one) => netOf(terms, one));
    return [
      {
        kind: 'credit' as const,
        description: creditsInWords(hours),
        quantity: hoursOf(minutes),
        unit: 'hour' as const,
        unit_amount_minor: roundToUnit(new Decimal(net_minor).mul(60).div(minutes), terms.currency),
        net_minor,
        tax_code: terms.tax_code,
        tax_rate_bps: terms.tax_rate_bps,
        rate_id: null,
        extra_id: null,
        from,
        to,
        account,
      },
    ];
  });
}
