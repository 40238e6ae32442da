import { Decimal } from 'decimal.js';
import type { InvoiceLine } from './invoice.js';
import type { Money } from '../money.js';
import { roundToUnit, allocateAmount } from '../processor/amounts.js';
import { taxKey } from './tax.js';

/** A part of an amount under one tax code, and one account of the books; minor units. */
export type TaxPart = Pick<InvoiceLine, 'tax_code' | 'tax_rate_bps' | 'net_minor' | 'tax_minor' | 'account'>;

/** An amount with its tax; minor units. */
export const grossMinor = ({ net_minor, tax_minor }: Pick<TaxPart, 'net_minor' | 'tax_minor'>): number =>
  net_minor + tax_minor;
const totalGross = (parts: TaxPart[]): number => parts.reduce((sum, part) => sum + grossMinor(part), 0);

/** Parts with the opposite sign. */
export const negated = <Part extends TaxPart>(parts: Part[]): Part[] =>
  parts.map((part) => ({ ...part, net_minor: -part.net_minor, tax_minor: -part.tax_minor }));

/** The sums of parts by tax code, rate and account, of those that are above zero. */
export function sumByTax(parts: TaxPart[]): TaxPart[] {
  const sums = new Map<string, TaxPart>();
  for (const { tax_code, tax_rate_bps, account = null, net_minor, tax_minor } of parts) {
    const key = taxKey({ tax_code, tax_rate_bps, account });
    const sum = sums.get(key) ?? { tax_code, tax_rate_bps, account, net_minor: 0, tax_minor: 0 };
    sums.set(key, {
      ...sum,
      net_minor: sum.net_minor + net_minor,
      tax_minor: sum.tax_minor + tax_minor,
    });
  }
  return [...sums.values()].filter((sum) => grossMinor(sum) > 0);
}

/**
 * Splits an amount, tax included, over the tax codes of what is left of an invoice: its documents, with
 * credit notes negated. Each part takes its share of the net and tax that are left, so all parts that
 * are ever taken are together exactly what was charged, and the last one takes what is left
 * (docs/rules/billing.md#documents). More than is left, as when a bank takes what was refunded before,
 * is split as `charged` is.
 */
export function splitOverTaxCodes(
  { amount_minor, currency }: Money,
  left: TaxPart[],
  charged = left,
): TaxPart[] {
  const remaining = sumByTax(left);
  const sums = totalGross(remaining) >= amount_minor ? remaining : sumByTax(charged);
  const parts: TaxPart[] = [];
  let [rest, restGross] = [amount_minor, totalGross(sums)];
  for (const sum of sums) {
    const gross = grossMinor(sum);
    const amount = roundToUnit(new Decimal(rest).mul(gross).div(restGross), currency);
    rest -= amount;
    restGross -= gross;
    if (amount === 0) continue;
    const tax_minor = roundToUnit(new Decimal(amount).mul(sum.tax_minor).div(gross), currency);
    parts.push({ ...sum, net_minor: amount - tax_minor, tax_minor });
  }
  return parts;
}

/** So much of a part of a price, tax included, with the share of its tax; nothing of zero. */
export function takePortion<Part extends TaxPart>(part: Part, gross_minor: number, currency: string): Part[] {
  const whole = grossMinor(part);
  if (gross_minor === 0) return [];
  if (gross_minor === whole) return [part];
  const tax_minor = roundToUnit(new Decimal(gross_minor).mul(part.tax_minor).div(whole), currency);
  return [{ ...part, net_minor: gross_minor - tax_minor, tax_minor }];
}

/**
 * What a price has no longer and what it has in addition, by tax code, rate and account; nothing of a code
 * whose net and tax stay. Of a code that costs as much with another tax, all is taken off and added.
 */
export function priceDifference<Part extends TaxPart>(
  before: Part[],
  after: Part[],
): { taken: Part[]; added: Part[] } {
  const byKey = (parts: Part[]) => new Map(parts.map((part) => [taxKey(part), part]));
  const [had, has] = [byKey(before), byKey(after)];
  const [taken, added]: Part[][] = [[], []];
  for (const key of new Set([...had.keys(), ...has.keys()])) {
    const [old, now] = [had.get(key), has.get(key)];
    const net_minor = (now?.net_minor ?? 0) - (old?.net_minor ?? 0);
    const tax_minor = (now?.tax_minor ?? 0) - (old?.tax_minor ?? 0);
    if (net_minor === 0 && tax_minor === 0) continue;
    // Of one sign it is a difference of one document.
    if (net_minor >= 0 && tax_minor >= 0) added!.push({ ...now!, net_minor, tax_minor });
    else if (net_minor <= 0 && tax_minor <= 0)
      taken!.push({ ...old!, net_minor: -net_minor, tax_minor: -tax_minor });
    else {
      if (old) taken!.push(old);
      if (now) added!.push(now);
    }
  }
  return { taken: taken!, added: added! };
}

/** Parts less other parts of their tax codes, none below zero. */
function without<Part extends TaxPart>(parts: Part[], off: TaxPart[]): Part[] {
  const taken = new Map(sumByTax(off).map((part) => [taxKey(part), part]));
  return parts.flatMap((part) => {
    const less = taken.get(taxKey(part));
    if (!less) return [part];
    const net_minor = part.net_minor - less.net_minor;
    const tax_minor = part.tax_minor - less.tax_minor;
    return net_minor + tax_minor > 0 ? [{ ...part, net_minor, tax_minor }] : [];
  });
}

/**
 * Parts, each at most what its tax code has in others, also of net and tax: so nothing of
 * either is left below zero.
 */
export function atMost<Part extends TaxPart>(parts: Part[], left: TaxPart[], currency: string): Part[] {
  const most = new Map(sumByTax(left).map((part) => [taxKey(part), part]));
  return parts.flatMap((part) => {
    const of = most.get(taxKey(part));
    if (!of) return [];
    const gross_minor = Math.min(grossMinor(part), grossMinor(of));
    return takePortion(part, gross_minor, currency).map((portion) => {
      const tax_minor = Math.max(gross_minor - of.net_minor, Math.min(portion.tax_minor, of.tax_minor));
      return { ...portion, net_minor: gross_minor - tax_minor, tax_minor };
    });
  });
}

/** Parts in proportion, so that they have an amount together; minor units. */
export function scaledTo<Part extends TaxPart>(
  parts: Part[],
  amount_minor: number,
  currency: string,
): Part[] {
  if (totalGross(parts) === amount_minor) return parts;
  const each = allocateAmount(amount_minor, parts.map(grossMinor), currency);
  return parts.flatMap((part, index) => takePortion(part, each[index]!, currency));
}

/**
 * What a change exchanges without money: so much of what it takes off is credited, and as much of what it
 * adds is charged (docs/rules/billing.md#documents-of-a-change). `refunded`: what is credited by the refunds
 * of the change; `left`: what the documents of the invoice have left without that; `paid_minor`: what is paid
 * in addition, for which more is added.
 */
export function exchangedParts<Part extends TaxPart>(
  { taken, added }: { taken: Part[]; added: Part[] },
  { refunded, left, paid_minor }: { refunded: TaxPart[]; left: TaxPart[]; paid_minor: number },
  currency: string,
): { taken: Part[]; added: Part[] } {
  const rest = atMost(without(taken, refunded), left, currency);
  const amount_minor = Math.min(totalGross(rest), totalGross(added) - paid_minor);
  return {
    taken: scaledTo(rest, amount_minor, currency),
    added: scaledTo(added, amount_minor + paid_minor, currency),
  };
}

/** The parts of each of several amounts that are refunded for them; minor units. */
export function splitOverRefunds(parts: TaxPart[], amounts: number[], currency: string): TaxPart[][] {
  let rest = parts;
  return amounts.map((amount_minor) => {
    const taken = scaledTo(rest, Math.min(amount_minor, totalGross(rest)), currency);
    rest = without(rest, taken);
    return taken;
  });
}

/**
 * The lines of an amount that is credited for them: each is at most what is left of its tax code, and what
 * that does not cover is taken from the rest in proportion.
 */
export function creditLines(
  amount: Money,
  wanted: TaxPart[],
  left: TaxPart[],
  charged: TaxPart[],
): TaxPart[] {
  const { amount_minor, currency } = amount;
  const possible = atMost(wanted, left, currency);
  const parts = scaledTo(possible, Math.min(amount_minor, totalGross(possible)), currency);
  const missing = amount_minor - totalGross(parts);
  if (missing === 0) return parts;
  const rest = without(sumByTax(left), parts);
  return sumByTax([...parts, ...splitOverTaxCodes({ amount_minor: missing, currency }, rest, charged)]);
}
