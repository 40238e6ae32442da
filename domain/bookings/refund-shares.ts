import { Decimal } from 'decimal.js';
import {
  atMost,
  priceDifference,
  grossMinor,
  takePortion,
  scaledTo,
  sumByTax,
  type TaxPart,
} from '../invoices/credited-tax.js';
import { extraRefundPercent } from '../extras/extras.js';
import { extrasIn, type PriceLine, type Pricing } from '../rates/price-lines.js';
import { roundToUnit, allocateAmount } from '../processor/amounts.js';
import { refundNow, refundPercent, type Refundable, type RefundStep } from './refund-policy.js';
import { taxKey } from '../invoices/tax.js';

/**
 * How much of a booking's price is refunded, line by line (docs/rules/bookings.md#refunds-by-lines). A price
 * has parts: each extra with its own refund steps is a part, and everything else is the part that the room's
 * steps refund. A part can have several tax codes.
 */

/**
 * An amount of a part, tax included, of which at most a percentage is refunded because the booking was moved.
 * Minor units. `extra_id`: null for the part that the room's steps refund.
 */
export interface RefundCap {
  extra_id: string | null;
  amount_minor: number;
  percent: number;
}

/** The price of a booking and the parts it consists of. Amounts in minor units. */
export interface RefundableBooking {
  start_at: Date;
  currency: string;
  price_minor: number;
  net_minor: number;
  tax_minor: number;
  tax_code: string;
  tax_rate_bps: number;
  pricing: Pricing | null;
  /** Null if the booking was not moved. */
  refund_caps: RefundCap[] | null;
}

type PricedParts = Omit<RefundableBooking, 'start_at' | 'refund_caps'>;

/** The amount of one part under one tax code, rate and account, tax included; minor units. */
interface Share {
  key: string;
  extra_id: string | null;
  gross_minor: number;
}

type PartLine = TaxPart & Pick<PriceLine, 'kind' | 'extra_id'>;

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Returns the lines of a price. A price without stored lines has one line, for its time. */
const partLines = ({ pricing, price_minor: _price, ...whole }: PricedParts): PartLine[] =>
  pricing?.lines ?? [{ ...whole, kind: 'time', extra_id: null, account: null }];

/** Returns the net and tax of a price by tax code, rate and account; minor units. */
export const listTaxParts = (priced: PricedParts): TaxPart[] => sumByTax(partLines(priced));

/**
 * Returns the shares of a price. A code reduces the lines it applies to in proportion; hour credits reduce
 * the time. The shares of a tax code have the same sum as its lines.
 */
function sharesOfPrice(priced: PricedParts): Share[] {
  const own = new Set(
    extrasIn(priced)
      .filter(({ refund_steps }) => refund_steps)
      .map(({ extra_id }) => extra_id),
  );
  const lines = partLines(priced);
  return [...new Set(lines.map(taxKey))].flatMap((key) => {
    const ofKey = lines.filter((line) => taxKey(line) === key);
    const total = (kind: PriceLine['kind'], of = ofKey): number =>
      sum(of.filter((line) => line.kind === kind).map(grossMinor));
    const charged = total('time') + total('extra');
    const left = charged > 0 ? (charged + total('discount')) / charged : 0;
    const parts = [null, ...own].map((extra_id) => {
      const ofPart = ofKey.filter((line) => (own.has(line.extra_id!) ? line.extra_id : null) === extra_id);
      const gross = (total('time', ofPart) + total('extra', ofPart)) * left;
      return { extra_id, gross: Math.max(0, extra_id === null ? gross + total('credit') : gross) };
    });
    const amounts = allocateAmount(
      Math.max(0, sum(ofKey.map(grossMinor))),
      parts.map(({ gross }) => gross),
      priced.currency,
    );
    return parts
      .map(({ extra_id }, index) => ({ key, extra_id, gross_minor: amounts[index]! }))
      .filter(({ gross_minor }) => gross_minor > 0);
  });
}

/** Returns the sum of the shares of a part. */
const grossOfPart = (shares: Share[], extra: string | null): number =>
  sum(shares.filter(({ extra_id }) => extra_id === extra).map(({ gross_minor }) => gross_minor));

/** Returns the sum of the shares of a tax code. */
const grossOfKey = (shares: Share[], of: string): number =>
  sum(shares.filter(({ key }) => key === of).map(({ gross_minor }) => gross_minor));

/** Returns the percentage of a part that refund steps give at `now` (UTC milliseconds), without its caps. */
function percentNow(
  booking: Pick<RefundableBooking, 'start_at' | 'pricing'>,
  steps: RefundStep[],
  extra: string | null,
  now: number,
): number {
  const start = booking.start_at.getTime();
  if (extra === null) return refundPercent(steps, start, now);
  return extraRefundPercent(
    extrasIn(booking).find(({ extra_id }) => extra_id === extra)!,
    start,
    now,
  );
}

/**
 * Splits the amount of a part into slices: first those with the lowest caps, at the end the rest without a
 * cap. Minor units.
 */
function splitByCaps(
  caps: RefundCap[],
  extra: string | null,
  gross_minor: number,
): Omit<RefundCap, 'extra_id'>[] {
  const slices: Omit<RefundCap, 'extra_id'>[] = [];
  let rest = gross_minor;
  const lowest = caps.filter(({ extra_id }) => extra_id === extra).sort((a, b) => a.percent - b.percent);
  for (const { amount_minor, percent } of [...lowest, { amount_minor: gross_minor, percent: 100 }]) {
    const taken = Math.min(rest, amount_minor);
    rest -= taken;
    if (taken > 0) slices.push({ amount_minor: taken, percent });
  }
  return slices;
}

/**
 * Returns the percentage of an amount that is refunded. Amounts added last are removed first, so that the
 * caps of earlier moves apply to what the booking had then.
 */
function refundedPercent(
  slices: Omit<RefundCap, 'extra_id'>[],
  amount_minor: number,
  percent: number,
): number {
  let rest = amount_minor;
  let refunded = 0;
  for (const slice of slices.toReversed()) {
    const taken = Math.min(rest, slice.amount_minor);
    rest -= taken;
    refunded += taken * Math.min(slice.percent, percent);
  }
  return amount_minor > 0 ? refunded / amount_minor : 0;
}

/** Returns the caps of a booking after a change. `moved`: its time or room changes. UTC milliseconds. */
export function capsAfter(
  before: RefundableBooking,
  after: Omit<PricedParts, 'currency'>,
  { steps, moved, now }: { steps: RefundStep[]; moved: boolean; now: number },
): RefundCap[] {
  const had = sharesOfPrice(before);
  const has = sharesOfPrice({ ...after, currency: before.currency });
  const parts = [...new Set([...had, ...has].map(({ extra_id }) => extra_id))];
  return parts.flatMap((extra_id) => {
    const gross_minor = grossOfPart(had, extra_id);
    const percent = moved && gross_minor > 0 ? percentNow(before, steps, extra_id, now) : 100;
    const capped = splitByCaps(before.refund_caps ?? [], extra_id, gross_minor).map((slice) => ({
      extra_id,
      amount_minor: slice.amount_minor,
      percent: Math.min(slice.percent, percent),
    }));
    return splitByCaps(capped, extra_id, grossOfPart(has, extra_id))
      .filter((slice) => slice.percent < 100)
      .map((slice) => ({ extra_id, ...slice }));
  });
}

/** A refund and its net and tax by tax code, rate and account. Minor units. */
export interface LineRefund {
  amount_minor: number;
  credit: TaxPart[];
}

/**
 * Limits a refund to what is left of its lines (null: unknown) and of the payments, and subtracts what was
 * already refunded for it.
 */
export function limitedRefund(
  { credit }: LineRefund,
  { left, refundable }: { left: TaxPart[] | null; refundable: Refundable[] },
  currency: string,
): LineRefund {
  const possible = left ? atMost(credit, left, currency) : credit;
  const amount_minor = refundNow(refundable, sum(possible.map(grossMinor)));
  return { amount_minor, credit: scaledTo(possible, amount_minor, currency) };
}

/**
 * Removes the error of floating-point numbers from an amount in minor units, so that an exact half is rounded
 * as a half.
 */
export const withoutNoise = (amount_minor: Decimal): Decimal => amount_minor.toDecimalPlaces(6);

/** Refunds a percentage of each part of a price. */
function refundShares(
  amounts: Share[],
  of: TaxPart[],
  partPercent: (extra_id: string | null) => number,
  currency: string,
): LineRefund {
  const keys = of.map(taxKey);
  const due = keys.map((key) =>
    sum(
      amounts
        .filter((share) => share.key === key)
        .map(({ extra_id, gross_minor }) => gross_minor * partPercent(extra_id)),
    ),
  );
  const amount_minor = roundToUnit(withoutNoise(new Decimal(sum(due)).div(100)), currency);
  const each = allocateAmount(amount_minor, due, currency);
  return { amount_minor, credit: of.flatMap((part, index) => takePortion(part, each[index]!, currency)) };
}

/**
 * Returns what a cancellation at `now` (UTC milliseconds) refunds by the steps of the room and the extras.
 */
export function refundOfCancellation(
  booking: RefundableBooking,
  steps: RefundStep[],
  now: number,
): LineRefund & { partPercent: (extra_id: string | null) => number } {
  const shares = sharesOfPrice(booking);
  const partPercent = (extra_id: string | null): number => {
    const gross_minor = grossOfPart(shares, extra_id);
    const slices = splitByCaps(booking.refund_caps ?? [], extra_id, gross_minor);
    return refundedPercent(slices, gross_minor, percentNow(booking, steps, extra_id, now));
  };
  return { ...refundShares(shares, listTaxParts(booking), partPercent, booking.currency), partPercent };
}

/**
 * Returns what a cheaper price refunds at `now` (UTC milliseconds). Added amounts are offset first against
 * removed amounts of the same tax code, then against the others in proportion. The steps of each part refund
 * what is left of the removed amounts.
 */
export function refundOfDifference(
  before: RefundableBooking,
  after: Omit<PricedParts, 'currency'>,
  steps: RefundStep[],
  now: number,
): LineRefund {
  const { currency } = before;
  const [had, has] = [sharesOfPrice(before), sharesOfPrice({ ...after, currency })];
  const { taken } = priceDifference(listTaxParts(before), listTaxParts({ ...after, currency }));
  const keys = [...new Set([...had, ...has].map(({ key }) => key))];
  const differences = keys.map((key) => grossOfKey(had, key) - grossOfKey(has, key));
  const cheaper = sum(differences.map((difference) => Math.max(0, difference)));
  const toRefund = Math.max(0, sum(differences)) / (cheaper || 1);
  const less = had.flatMap((share) => {
    const stays = has.find(({ key, extra_id }) => key === share.key && extra_id === share.extra_id);
    const gross_minor = share.gross_minor - (stays?.gross_minor ?? 0);
    return gross_minor > 0 ? [{ ...share, gross_minor }] : [];
  });
  const amounts = less.map((share) => {
    const ofKey = Math.max(0, differences[keys.indexOf(share.key)]!);
    return { ...share, gross_minor: (share.gross_minor * ofKey * toRefund) / grossOfKey(less, share.key) };
  });
  const partPercent = (extra_id: string | null): number => {
    const slices = splitByCaps(before.refund_caps ?? [], extra_id, grossOfPart(had, extra_id));
    return refundedPercent(slices, grossOfPart(amounts, extra_id), percentNow(before, steps, extra_id, now));
  };
  return refundShares(amounts, taken, partPercent, currency);
}
