import { Decimal } from 'decimal.js';
import type { DiscountTerms } from './code.js';
import type { UntaxedLine } from '../rates/price-lines.js';
import { roundToUnit, allocateAmount } from '../processor/amounts.js';
import { taxKey } from '../invoices/tax.js';

/** A code has one discount line for all lines that agree in these fields. */
type Group = Pick<UntaxedLine, 'tax_code' | 'tax_rate_bps' | 'account'>;

/** True if a code reduces both lines by the same discount line. */
export const isTakenOffTogether = (one: Group, other: Group): boolean => taxKey(one) === taxKey(other);

/**
 * Returns the share, from 0 to 1, of the charges in a group that a code leaves. It is the same for each line
 * of the group.
 */
export function leftByCode(lines: UntaxedLine[], group: Group): Decimal {
  const sumNet = (kinds: UntaxedLine['kind'][]): number =>
    lines
      .filter((line) => kinds.includes(line.kind) && isTakenOffTogether(line, group))
      .reduce((sum, { net_minor }) => sum + net_minor, 0);
  const charged = sumNet(['time', 'extra']);
  return charged === 0 ? new Decimal(1) : new Decimal(charged + sumNet(['discount'])).div(charged);
}

/**
 * Returns the negative lines of a code, one for each tax code and account that it reduces. A fixed amount is
 * spread in proportion and never exceeds the charges (docs/rules/discounts.md#what-it-takes-off).
 */
export function discountLines(
  lines: UntaxedLine[],
  { code, percent, amount_minor }: DiscountTerms,
  currency: string,
): UntaxedLine[] {
  const groups = [...new Set(lines.map(taxKey))]
    .map((key) => lines.filter((line) => taxKey(line) === key))
    .map((of) => ({ first: of[0]!, net: of.reduce((sum, { net_minor }) => sum + net_minor, 0) }))
    .filter(({ net }) => net > 0);
  if (groups.length === 0) return [];
  const nets = groups.map(({ net }) => net);
  const total = nets.reduce((sum, net) => sum + net, 0);
  const off =
    percent === null
      ? allocateAmount(Math.min(amount_minor!, total), nets, currency)
      : nets.map((net) => roundToUnit(new Decimal(net).mul(percent).div(100), currency));
  return groups.flatMap(({ first: { tax_code, tax_rate_bps, account } }, index) => {
    const net_minor = -off[index]!;
    if (net_minor === 0) return [];
    return [
      {
        kind: 'discount' as const,
        description: percent === null ? `Code ${code}` : `Code ${code}, ${percent}%`,
        quantity: 1,
        unit: 'booking' as const,
        unit_amount_minor: net_minor,
        net_minor,
        tax_code,
        tax_rate_bps,
        rate_id: null,
        extra_id: null,
        from: null,
        to: null,
        account,
      },
    ];
  });
}
