import { formatHourCredits } from '../display.js';
import { MINUTE_MS } from '../durations.js';
import { sumTotals, type InvoiceLine } from '../invoices/invoice.js';
import type { DiscountTerms } from '../discounts/code.js';
import type { BookedExtra } from '../extras/extras.js';
import type { Audience } from './rates.js';
import { describeBooking } from '../bookings/words.js';
import { quote, type Rate } from './price.js';
import { elapsedMinutes } from '../bookings/slots.js';
import type { TaxPart } from '../invoices/credited-tax.js';
import { spreadTax, taxKey, taxWithin } from '../invoices/tax.js';

/** What a line adds or takes off: booked time, an extra, a discount code, hour credits. */
export const LINE_KINDS = ['time', 'extra', 'discount', 'credit'] as const;
/** The unit of a line's quantity. */
export const LINE_UNITS = ['hour', 'flat', 'day', 'booking', 'attendee', 'piece'] as const;

/**
 * A line of a booking's price (docs/rules/bookings.md#price-lines). Amounts in minor units. The net is
 * authoritative, because a tier discount is included in it. Times are ISO 8601.
 */
export interface PriceLine {
  kind: (typeof LINE_KINDS)[number];
  description: string;
  quantity: number;
  unit: (typeof LINE_UNITS)[number];
  unit_amount_minor: number;
  net_minor: number;
  tax_code: string;
  tax_rate_bps: number;
  tax_minor: number;
  rate_id: string | null;
  extra_id: string | null;
  /** The time that the line is for; null for an extra and a discount. */
  from: string | null;
  to: string | null;
  /** The account in the accounting system; null for the workspace's account. */
  account: string | null;
}

export type UntaxedLine = Omit<PriceLine, 'tax_minor'>;

/** What is stored about the price of a booking with rates, extras or a code; null for any other booking. */
export interface Pricing {
  room_id: string;
  /**
   * The version of the room's rates (null for the hourly price), and the audience they were applied for. A
   * change in the same room keeps using them.
   */
  version: number | null;
  audience: Audience;
  /**
   * When the rates priced the time, in UTC milliseconds. A change of extras alone does not price the time
   * again.
   */
  priced_at?: number;
  lines: PriceLine[];
  /** Absent if there are none. */
  extras?: BookedExtra[];
  /** The redeemed code; absent without one. */
  discount?: DiscountTerms;
}

/** Returns the code that a booking has redeemed. */
export const discountIn = ({ pricing }: { pricing: Pricing | null }): DiscountTerms | null =>
  pricing?.discount ?? null;

/** Returns the extras of a booking. */
export const extrasIn = ({ pricing }: { pricing: Pricing | null }): BookedExtra[] => pricing?.extras ?? [];

/** The facts from which the lines of a booking are built. Amounts in minor units. */
export interface PricedBooking extends Omit<Rate, 'discount_percent'> {
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
  discount_percent: number | string;
  hour_credits_used: number;
  tax_code: string;
  net_minor: number;
  tax_minor: number;
  pricing: Pricing | null;
}

/** Converts minutes to hours with at most four decimals, as on invoices. */
export const toHours = (minutes: number): number => Math.round((minutes / 60) * 10_000) / 10_000;

/**
 * Returns the lines of a booking, which add up to its price. Stored lines are returned as they are. With the
 * hourly price alone, there is a line for the time and a negative line for hour credits.
 */
export const bookingLines = (booking: PricedBooking): PriceLine[] =>
  booking.pricing?.lines ?? buildHourlyLines(booking);

function buildHourlyLines(booking: PricedBooking): PriceLine[] {
  const { start_at, end_at, hour_credits_used: hours, currency, net_minor, tax_minor } = booking;
  const { price_per_hour_minor, tax_code, tax_rate_bps } = booking;
  const [start, end] = [start_at.getTime(), end_at.getTime()];
  const minutes = elapsedMinutes({ start, end });
  const line = (kind: PriceLine['kind'], paid: number, sign: 1 | -1, net: number, description: string) => ({
    kind,
    description,
    quantity: toHours(paid),
    unit: 'hour' as const,
    unit_amount_minor: sign * price_per_hour_minor,
    net_minor: net,
    tax_code,
    tax_rate_bps,
    rate_id: null,
    extra_id: null,
    from: new Date(start).toISOString(),
    to: new Date(start + paid * MINUTE_MS).toISOString(),
    account: null,
  });
  const lineOfTime = (net: number) => line('time', minutes, 1, net, describeBooking(booking));
  if (hours === 0) return [{ ...lineOfTime(net_minor), tax_minor }];
  const rate = { ...booking, discount_percent: Number(booking.discount_percent) };
  const netPrice = (paid: number): number => quote(rate, Math.max(0, paid)).net_minor;
  const credit_minor = netPrice(minutes - hours * 60) - netPrice(minutes);
  const time = lineOfTime(net_minor - credit_minor);
  const credited = Math.min(minutes, hours * 60);
  const credit = line('credit', credited, -1, credit_minor, formatHourCredits(hours));
  return spreadTax([time, credit], tax_minor, currency);
}

type SettledLine = TaxPart & Pick<PriceLine, 'kind'>;

/** True for a line that adds to the price; the others take something off. */
const isCharge = ({ kind }: SettledLine): boolean => kind === 'time' || kind === 'extra';

/**
 * Adjusts lines so that they add up to what was paid, if the difference is too small to be charged or
 * refunded. The difference is applied to time first, and no charge falls below zero. A tax code whose total
 * stays the same keeps its net and tax.
 */
export function settledLines<Line extends SettledLine>(
  lines: Line[],
  paid: TaxPart[],
  paid_minor: number,
  currency: string,
): Line[] {
  let rest = paid_minor - sumTotals(lines).total_minor;
  const charges = lines
    .filter(isCharge)
    .sort((a, b) => Number(b.kind === 'time') - Number(a.kind === 'time'));
  const settled = new Map<Line, Line>();
  for (const key of new Set(charges.map(taxKey))) {
    const ofKey = lines.filter((line) => taxKey(line) === key);
    const priced = sumTotals(ofKey);
    const more = Math.max(-priced.total_minor, rest);
    rest -= more;
    const was = sumTotals(paid.filter((line) => taxKey(line) === key));
    const total = priced.total_minor + more;
    const same = [was, priced].find(({ total_minor }) => total_minor === total);
    const tax = same ? same.tax_minor : taxWithin(total, ofKey[0]!.tax_rate_bps, currency);
    const taxed = spreadTax(withNet(ofKey, total - tax), tax, currency);
    for (const [index, line] of ofKey.entries()) settled.set(line, taxed[index]!);
  }
  return lines.map((line) => settled.get(line) ?? line);
}

/** Adjusts the charges among lines so that all lines add up to a net amount. No charge falls below zero. */
function withNet<Line extends SettledLine>(lines: Line[], net_minor: number): Line[] {
  let rest = net_minor - sumTotals(lines).net_minor;
  return lines.map((line) => {
    const more = isCharge(line) ? Math.max(-line.net_minor, rest) : 0;
    rest -= more;
    return { ...line, net_minor: line.net_minor + more };
  });
}

/** A line as the API returns it. Its tax rate is on the invoice's documents. */
export const presentLine = (line: PriceLine) => ({
  kind: line.kind,
  description: line.description,
  quantity: line.quantity,
  unit: line.unit,
  unit_amount_minor: line.unit_amount_minor,
  net_minor: line.net_minor,
  tax_code: line.tax_code,
  tax_minor: line.tax_minor,
  rate_id: line.rate_id,
  extra_id: line.extra_id,
  from: line.from,
  to: line.to,
});

/**
 * Returns the lines of a booking for its invoice. An extra keeps its quantity; any other line has quantity 1
 * and its net as unit amount.
 */
export const toInvoiceLines = (lines: PriceLine[]): InvoiceLine[] =>
  lines.map(({ kind, description, quantity, unit_amount_minor, net_minor, ...line }) => {
    const { tax_code, tax_rate_bps, tax_minor, account } = line;
    const each =
      kind === 'extra' ? { quantity, unit_amount_minor } : { quantity: 1, unit_amount_minor: net_minor };
    return { description, ...each, tax_code, tax_rate_bps, net_minor, tax_minor, account };
  });

/**
 * Returns the lines that are owed on a booking's invoice: the lines of the booking's price, also if a change
 * has exchanged some. Those of the invoice if they are not of this price.
 */
export function owedLines(booking: PricedBooking, { lines }: { lines: InvoiceLine[] }): InvoiceLine[] {
  const priced = toInvoiceLines(bookingLines(booking));
  return sumTotals(priced).total_minor === sumTotals(lines).total_minor ? priced : lines;
}
