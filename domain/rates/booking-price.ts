import { Decimal } from 'decimal.js';
import { describeBooking } from '../bookings/words.js';
import { formatHourCredits } from '../display.js';
import { HOUR_MINUTES, HOUR_MS } from '../durations.js';
import { discountLines, leftByCode } from '../discounts/lines.js';
import type { DiscountTerms } from '../discounts/code.js';
import { ApiError } from '../errors.js';
import { priceExtra, type BookedExtra } from '../extras/extras.js';
import { sumTotals } from '../invoices/invoice.js';
import { toHours, type PriceLine, type Pricing, type UntaxedLine } from './price-lines.js';
import { maximumCharge, roundToUnit } from '../processor/amounts.js';
import type { Quote, Rate, TaxCode, Tier } from './price.js';
import { priceTime, type RatedTime } from './rate-price.js';
import { closedTime } from './windows.js';
import { ratesFor, type Audience, type RatedBooking, type RoomRate } from './rates.js';
import { elapsedMinutes, type Range } from '../bookings/slots.js';
import { taxOn, withTax } from '../invoices/tax.js';

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
 * Returns a room's current rate for a booker with the given tier (null for a guest). Errors: 422
 * `validation_failed` if the workspace no longer has the room's tax code.
 */
function findRate(room: PricedRoom, tier: Tier | null, taxCodes: TaxCode[]): Rate {
  const tax = taxCodes.find(({ code }) => code === room.tax_code);
  if (!tax) {
    const message =
      `The workspace has no tax code ${room.tax_code}, which the room uses. Set another ` +
      'tax_code on the room.';
    throw new ApiError('validation_failed', message, { param: 'room_id' });
  }
  return {
    price_per_hour_minor: room.price_per_hour_minor,
    discount_percent: (tier && room.tier_discounts[tier]) || 0,
    tax_rate_bps: tax.rate_bps,
    currency: room.currency,
  };
}

/**
 * The rates that price a booking, and the audience they are for. A change in the same room keeps using them.
 */
export interface RateTable {
  room_id: string;
  version: number;
  audience: Audience;
  rates: RoomRate[];
}

/** Returns the current rates of a room for a booker; null if it has none. */
export const findRateTable = (
  { id, rates, rate_version }: PricedRoom,
  audience: Audience,
): RateTable | null => (rates.length === 0 ? null : { room_id: id, version: rate_version, audience, rates });

/** True if the rates of a room close it for a booker during part of a time (docs/rules/rates.md#closed). */
export const isClosed = (
  { rates, time_zone }: Pick<PricedRoom, 'rates' | 'time_zone'>,
  booking: RatedBooking,
): boolean => closedTime(ratesFor(rates, booking), booking.range, time_zone).length > 0;

/** The terms that decide the price of a booking's time. */
export interface PriceTerms extends Rate {
  room_id: string;
  audience: Audience;
  room_name: string;
  time_zone: string;
  tax_code: string;
  /** Null if only the hourly price applies. */
  table: RateTable | null;
}

/** Returns the terms that decide the price of a new booking of a room. Errors: those of `findRate`. */
export const buildPriceTerms = (room: PricedRoom, audience: Audience, taxCodes: TaxCode[]): PriceTerms => ({
  ...findRate(room, audience.tier, taxCodes),
  room_id: room.id,
  audience,
  room_name: room.name,
  time_zone: room.time_zone,
  tax_code: room.tax_code,
  table: findRateTable(room, audience),
});

/** A priced booking: the lines and their sums. */
export interface PricedTime {
  price: Quote;
  lines: PriceLine[];
  pricing: Pricing | null;
}

/**
 * Returns the price of a booking with its extras and a code. Up to `credits` hours can be paid with hour
 * credits; of these, the fewest are used that lower the price as far as all of them would
 * (docs/rules/bookings.md#hour-credits). `now`: UTC milliseconds. Errors: 422 `validation_failed` if the
 * price exceeds the maximum amount of one payment.
 */
export function priceBooking(
  terms: PriceTerms,
  range: Range,
  credits: number,
  now: number,
  extras: BookedExtra[] = [],
  discount: DiscountTerms | null = null,
): PricedTime & { hour_credits_used: number } {
  const priceWith = pricesWithCredits(terms, range, now, extras, discount);
  const most = Math.min(credits, Math.ceil(elapsedMinutes(range) / HOUR_MINUTES));
  const hour_credits_used = fewestHours(most, (hours) => priceWith(hours).price.net_minor);
  const priced = priceWith(hour_credits_used);
  if (priced.price.total_minor <= maximumCharge(terms.currency)) return { ...priced, hour_credits_used };
  const message = 'The price of this booking exceeds the maximum payment. Book a shorter time.';
  throw new ApiError('validation_failed', message, { param: 'end_at' });
}

/**
 * Returns the fewest hours that result in the same price as `most` hours. More hours never raise the price.
 */
function fewestHours(most: number, priceWith: (hours: number) => number): number {
  if (most === 0) return 0;
  const lowest = priceWith(most);
  let [low, high] = [0, most];
  // Usually each hour lowers the price.
  let next = most - 1;
  while (low < high) {
    if (priceWith(next) === lowest) high = next;
    else low = next + 1;
    next = Math.floor((low + high) / 2);
  }
  return low;
}

/**
 * Returns the price of a booking with `hours` hour credits, even if it exceeds the maximum of one payment.
 */
export const computeBookingPrice = (
  terms: PriceTerms,
  range: Range,
  hours: number,
  now: number,
  extras: BookedExtra[] = [],
  discount: DiscountTerms | null = null,
): PricedTime => pricesWithCredits(terms, range, now, extras, discount)(hours);

/**
 * Returns a function for the price of a booking with a number of hour credits. The lines are, in this order:
 * the time, one line for each rate or for the hourly price; the extras; the code's discount on both; and the
 * hour credits for the time after that discount. Tax is computed once for each rate over all lines.
 */
function pricesWithCredits(
  terms: PriceTerms,
  range: Range,
  now: number,
  extras: BookedExtra[],
  discount: DiscountTerms | null,
): (hours: number) => PricedTime {
  const { room_id, table, currency } = terms;
  const audience = table?.audience ?? terms.audience;
  const rates = table ? ratesFor(table.rates, { range, audience, now }) : [];
  const timeIn = (of: Range): RatedTime[] => priceTime(of, { ...terms, rates });
  const time = timeIn(range);
  const charges = [
    ...time.map((each) => timeLine(terms, each)),
    ...extras.map((extra) => extraLine(extra, range, currency)),
  ];
  // A code takes nothing off in a room that it is not for.
  const isForRoom = discount && (discount.room_ids === null || discount.room_ids.includes(room_id));
  const due = isForRoom ? [...charges, ...discountLines(charges, discount, currency)] : charges;
  const isStored = table !== null || extras.length > 0 || discount !== null;
  return (hours) => {
    const rest = { start: Math.min(range.end, range.start + hours * HOUR_MS), end: range.end };
    const credited = { hours, from: iso(range.start), to: iso(rest.start) };
    const credits = hours > 0 ? creditLines(terms, due, { time, unpaid: timeIn(rest), ...credited }) : [];
    const lines = withTax([...due, ...credits], currency);
    const pricing: Pricing = {
      room_id,
      version: table?.version ?? null,
      audience,
      ...(table && { priced_at: now }),
      lines,
      ...(extras.length > 0 && { extras }),
      ...(discount && { discount }),
    };
    return { price: sumTotals(lines), lines, pricing: isStored ? pricing : null };
  };
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

/**
 * Returns the price of a booking without hour credits, tax included. Faster than `computeBookingPrice`
 * because it builds no lines.
 */
export function computeTotal(terms: PriceTerms, range: Range, now: number): number {
  const { table, tax_rate_bps, currency } = terms;
  const rates = table ? ratesFor(table.rates, { range, audience: table.audience, now }) : [];
  const time = priceTime(range, { ...terms, rates });
  const net_minor = time.reduce((sum, each) => sum + discountedNet(terms, each), 0);
  return net_minor + taxOn(net_minor, tax_rate_bps, currency);
}

const iso = (instant: number): string => new Date(instant).toISOString();

/** Returns the price of the minutes of a rate after the tier discount, rounded once. */
const discountedNet = ({ discount_percent, currency }: Rate, { cost60 }: RatedTime): number =>
  roundToUnit(new Decimal(cost60).mul(new Decimal(100).minus(discount_percent)).div(6_000), currency);

function timeLine(terms: PriceTerms, time: RatedTime): UntaxedLine {
  const { rate, minutes, times, start, end } = time;
  const booked = describeBooking({ ...terms, start_at: new Date(start), end_at: new Date(end) });
  return {
    kind: 'time',
    description: rate ? `${rate.name}: ${booked}` : booked,
    quantity: times ?? toHours(minutes),
    unit: rate?.unit ?? 'hour',
    unit_amount_minor: rate?.amount_minor ?? terms.price_per_hour_minor,
    net_minor: discountedNet(terms, time),
    tax_code: terms.tax_code,
    tax_rate_bps: terms.tax_rate_bps,
    rate_id: rate?.id ?? null,
    extra_id: null,
    from: iso(start),
    to: iso(end),
    account: rate?.accounting_account ?? null,
  };
}

const accountingAccount = ({ rate }: RatedTime): string | null => rate?.accounting_account ?? null;

/**
 * Returns a negative line for each account whose minutes are paid with hour credits: the price of all of the
 * time minus the price of the rest, after the code's discount. `lines`: all lines except credits; `unpaid`:
 * the part of `time` that credits do not pay.
 */
function creditLines(
  terms: PriceTerms,
  lines: UntaxedLine[],
  {
    time,
    unpaid,
    hours,
    from,
    to,
  }: { time: RatedTime[]; unpaid: RatedTime[]; hours: number; from: string; to: string },
): UntaxedLine[] {
  const { currency, tax_code, tax_rate_bps, table, price_per_hour_minor } = terms;
  return [...new Set(time.map(accountingAccount))].flatMap((account) => {
    const sum = (of: RatedTime[], value: (one: RatedTime) => number): number =>
      of.filter((one) => accountingAccount(one) === account).reduce((total, one) => total + value(one), 0);
    const less = (value: (one: RatedTime) => number): number => sum(time, value) - sum(unpaid, value);
    const left = leftByCode(lines, { tax_code, tax_rate_bps, account });
    const taken_minor = roundToUnit(left.mul(less((one) => discountedNet(terms, one))), currency);
    if (taken_minor === 0) return [];
    const minutes = less((one) => one.minutes);
    return [
      {
        kind: 'credit' as const,
        description: formatHourCredits(hours),
        quantity: toHours(minutes),
        unit: 'hour' as const,
        unit_amount_minor: table
          ? -roundToUnit(new Decimal(taken_minor).mul(HOUR_MINUTES).div(minutes), currency)
          : -price_per_hour_minor,
        net_minor: -taken_minor,
        tax_code,
        tax_rate_bps,
        rate_id: null,
        extra_id: null,
        from,
        to,
        account,
      },
    ];
  });
}

/** Returns what is left to pay for the time after the code and hour credits; minor units without tax. */
export function timeLeftToPay(lines: PriceLine[], currency: string): number {
  const time = lines
    .filter(({ kind }) => kind === 'time')
    .reduce((sum, line) => leftByCode(lines, line).mul(line.net_minor).plus(sum), new Decimal(0));
  const credits = lines.filter(({ kind }) => kind === 'credit');
  const left = credits.reduce((sum, { net_minor }) => sum.plus(net_minor), time);
  return Math.max(0, roundToUnit(left, currency));
}
