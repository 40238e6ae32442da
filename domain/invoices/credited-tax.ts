import { Decimal } from 'decimal.js';
import type { DocumentKind } from './document.js';
import type { InvoiceLine } from './invoice.js';
import type { Money } from '../money.js';
import { roundToUnit, allocateAmount } from '../processor/amounts.js';
import { taxKey } from './tax.js';

/** An amount under one tax code, rate and account; minor units. */
export type TaxPart = Pick<InvoiceLine, 'tax_code' | 'tax_rate_bps' | 'net_minor' | 'tax_minor' | 'account'>;

/** Returns the amount including tax; minor units. */
export const grossMinor = ({ net_minor, tax_minor }: Pick<TaxPart, 'net_minor' | 'tax_minor'>): number =>
  net_minor + tax_minor;
const totalGross = (parts: TaxPart[]): number => parts.reduce((sum, part) => sum + grossMinor(part), 0);

/** Returns the parts with the opposite sign. */
export const negated = <Part extends TaxPart>(parts: Part[]): Part[] =>
  parts.map((part) => ({ ...part, net_minor: -part.net_minor, tax_minor: -part.tax_minor }));

/** Sums parts by tax code, rate and account. Sums that are not above zero are left out. */
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
 * credit notes negated. Each part takes its share of the net and tax that are left. So all parts taken over
 * time add up to exactly what was charged, and the last part takes the rest
 * (docs/rules/billing.md#documents). An amount above what is left, such as when a bank withdraws money that
 * was already refunded, is split like `charged`.
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

/** What a document has charged, or what a pending refund will credit. Minor units. */
export interface Charge {
  kind: DocumentKind;
  currency: string;
  /** Null for a refund that credits a share of everything that is left. */
  lines: TaxPart[] | null;
  amount_minor: number;
}

/**
 * Returns what charges have left by tax code, rate and account, whatever their order. A refund without lines
 * takes its share of what all others leave.
 */
export function remainingParts(charges: Charge[]): TaxPart[] {
  const known = charges.flatMap(({ kind, lines }) =>
    lines && kind === 'credit_note' ? negated(lines) : (lines ?? []),
  );
  return charges
    .filter(({ lines }) => !lines)
    .reduce(
      (left, amount) => sumByTax([...left, ...negated(splitOverTaxCodes(amount, left))]),
      sumByTax(known),
    );
}

/**
 * Returns a portion of a part, given as an amount including tax, with its share of the tax. Empty for zero.
 */
export function takePortion<Part extends TaxPart>(part: Part, gross_minor: number, currency: string): Part[] {
  const whole = grossMinor(part);
  if (gross_minor === 0) return [];
  if (gross_minor === whole) return [part];
  const tax_minor = roundToUnit(new Decimal(gross_minor).mul(part.tax_minor).div(whole), currency);
  return [{ ...part, net_minor: gross_minor - tax_minor, tax_minor }];
}

/**
 * Returns what a price no longer has (`taken`) and what is new (`added`), by tax code, rate and account. Tax
 * codes whose net and tax stay the same are left out. If net and tax change in opposite directions, the whole
 * old amount is taken and the whole new amount added.
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
    // Net and tax change in the same direction: one document can contain the difference.
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

/**
 * Subtracts other parts from those with the same tax code. Parts that do not stay above zero are left out.
 */
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
 * Limits each part to what is left of its tax code, in gross, net and tax, so that neither net nor tax falls
 * below zero.
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

/** Scales parts in proportion so that they add up to an amount; minor units. */
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
 * Returns what a change exchanges without payment: part of what it takes off is credited, and the same amount
 * of what it adds is charged (docs/rules/billing.md#documents-of-a-change). `refunded`: what the refunds of
 * the change credit; `left`: what is left of the invoice's documents after those refunds; `paid_minor`: what
 * is paid in addition, which increases the added amount.
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

/** Splits the refunded parts over several refunds, given their amounts; minor units. */
export function splitOverRefunds(parts: TaxPart[], amounts: number[], currency: string): TaxPart[][] {
  let rest = parts;
  return amounts.map((amount_minor) => {
    const taken = scaledTo(rest, Math.min(amount_minor, totalGross(rest)), currency);
    rest = without(rest, taken);
    return taken;
  });
}

/**
 * Returns the lines of a credit: the `wanted` parts, each limited to what is left of its tax code. Any
 * missing amount is taken from the rest in proportion.
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
