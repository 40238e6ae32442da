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
 * What of a booking's price is refunded, line by line (docs/rules/bookings.md#refunds-by-lines). A price
 * has parts: an extra with refund steps of its own is one, all else is refunded by the room's steps. A part
 * can have several tax codes.
 */

/**
 * An amount of a part, tax included, of which at most a percentage is refunded since its booking was moved.
 * Minor units. `extra_id`: null for what the room's steps refund.
 */
export interface RefundCap {
  extra_id: string | null;
  amount_minor: number;
  percent: number;
}

/** What a booking's price says about its parts. Amounts in minor units. */
export interface RefundableBooking {
  start_at: Date;
  currency: string;
  price_minor: number;
  net_minor: number;
  tax_minor: number;
  tax_code: string;
  tax_rate_bps: number;
  pricing: Pricing | null;
  /** Null if it was not moved. */
  refund_caps: RefundCap[] | null;
}

type PricedParts = Omit<RefundableBooking, 'start_at' | 'refund_caps'>;

/** What one part has of one tax code, rate and account, tax included; minor units. */
interface Share {
  key: string;
  extra_id: string | null;
  gross_minor: number;
}

type PartLine = TaxPart & Pick<PriceLine, 'kind' | 'extra_id'>;

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The lines of a price: one by the hourly price. */
const partLines = ({ pricing, price_minor: _price, ...whole }: PricedParts): PartLine[] =>
  pricing?.lines ?? [{ ...whole, kind: 'time', extra_id: null, account: null }];

/** Net and tax of a price by tax code, rate and account; minor units. */
export const listTaxParts = (priced: PricedParts): TaxPart[] => sumByTax(partLines(priced));

/**
 * The shares of a price. A code is taken off what it is for in proportion, hour credits are taken off the
 * time. What the shares of a tax code have together is what its lines have.
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

/** What the shares of a part have together. */
const grossOfPart = (shares: Share[], extra: string | null): number =>
  sum(shares.filter(({ extra_id }) => extra_id === extra).map(({ gross_minor }) => gross_minor));

/** What the shares of a tax code have together. */
const grossOfKey = (shares: Share[], of: string): number =>
  sum(shares.filter(({ key }) => key === of).map(({ gross_minor }) => gross_minor));

/** The percentage of a part that steps refund at `now` (UTC milliseconds), without its caps. */
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

/** A part's amount in slices: those with the lowest caps first, the last one without a cap. Minor units. */
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
 * What of an amount of a part is refunded, from 0 to 1: what was added last is taken off first, so that caps
 * of earlier moves hold for what the booking had then.
 */
function refundedShare(slices: Omit<RefundCap, 'extra_id'>[], amount_minor: number, percent: number): number {
  let rest = amount_minor;
  let refunded = 0;
  for (const slice of slices.toReversed()) {
    const taken = Math.min(rest, slice.amount_minor);
    rest -= taken;
    refunded += (taken * Math.min(slice.percent, percent)) / 100;
  }
  return amount_minor > 0 ? refunded / amount_minor : 0;
}

/**
 * The caps of a booking after a change of its time, room or extras. `moved`: its time
 * or room. UTC milliseconds.
 */
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

/** A refund and what it takes off: net and tax by tax code, rate and account. Minor units. */
export interface LineRefund {
  amount_minor: number;
  credit: TaxPart[];
}

/**
 * A refund as it is made: at most what is left of its lines (null: unknown) and of the payments, and less
 * what was refunded for it before.
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

/** Refunds shares of parts of a price: `percents` of each, from 0 to 1. */
function refundShares(
  amounts: Share[],
  of: TaxPart[],
  partRefunded: (extra_id: string | null) => number,
  currency: string,
): LineRefund {
  const keys = of.map(taxKey);
  const due = keys.map((key) =>
    sum(
      amounts
        .filter((share) => share.key === key)
        .map(({ extra_id, gross_minor }) => gross_minor * partRefunded(extra_id)),
    ),
  );
  const exact = new Decimal(sum(due)).toDecimalPlaces(6);
  const amount_minor = roundToUnit(exact, currency);
  const each = allocateAmount(amount_minor, due, currency);
  return { amount_minor, credit: of.flatMap((part, index) => takePortion(part, each[index]!, currency)) };
}

/**
 * What a cancellation at `now` (UTC milliseconds) refunds of a booking's price by the
 * steps of its room and extras.
 */
export function refundOfCancellation(
  booking: RefundableBooking,
  steps: RefundStep[],
  now: number,
): LineRefund & { partRefunded: (extra_id: string | null) => number } {
  const shares = sharesOfPrice(booking);
  const partRefunded = (extra_id: string | null): number => {
    const gross_minor = grossOfPart(shares, extra_id);
    const slices = splitByCaps(booking.refund_caps ?? [], extra_id, gross_minor);
    return refundedShare(slices, gross_minor, percentNow(booking, steps, extra_id, now));
  };
  return { ...refundShares(shares, listTaxParts(booking), partRefunded, booking.currency), partRefunded };
}

/**
 * What a cheaper price refunds at `now` (UTC milliseconds). What is added is set off against what is
 * taken off of the same tax code first, then in proportion against the rest; what is left of that is
 * refunded by the steps of its part.
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
  const partRefunded = (extra_id: string | null): number => {
    const slices = splitByCaps(before.refund_caps ?? [], extra_id, grossOfPart(had, extra_id));
    return refundedShare(slices, grossOfPart(amounts, extra_id), percentNow(before, steps, extra_id, now));
  };
  return refundShares(amounts, taken, partRefunded, currency);
}
