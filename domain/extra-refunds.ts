import { extraRefundPercent } from './extras.js';
import { isTakenOffTogether } from './discount-lines.js';
import { extrasIn, type PriceLine, type Pricing } from './price-lines.js';

/** A part of a price that is refunded by a percentage of its own, tax included; minor units, not always whole ones. */
export interface OwnRefund {
  extra_id: string;
  amount_minor: number;
  percent: number;
}

/** What a booking's price says about its extras. */
interface WithExtras {
  start_at: Date;
  price_minor: number;
  pricing: Pricing | null;
}

/** What is left of lines after a code, by their tax code and account: 1 without one. */
function shareLeft(lines: PriceLine[], of: PriceLine): number {
  const group = lines.filter((line) => isTakenOffTogether(line, of));
  const sum = (each: PriceLine[]): number => each.reduce((total, { net_minor }) => total + net_minor, 0);
  const full = sum(group.filter(({ kind }) => kind !== 'discount'));
  return full > 0 ? sum(group) / full : 1;
}

/** What each extra costs, tax included, less its share of what a code takes off. Nothing if an earlier release, which does not know them, has changed the price. */
function grossOfExtras({ price_minor, pricing }: Omit<WithExtras, 'start_at'>): Map<string, number> {
  const lines = pricing?.lines ?? [];
  const total = lines.reduce((sum, { net_minor, tax_minor }) => sum + net_minor + tax_minor, 0);
  return new Map(
    total === price_minor
      ? lines.flatMap((line) =>
          line.extra_id
            ? [[line.extra_id, (line.net_minor + line.tax_minor) * shareLeft(lines, line)] as const]
            : [],
        )
      : [],
  );
}

/** What a cancellation at `now` refunds of the extras that have refund steps of their own. UTC milliseconds. */
export function ownRefunds(booking: WithExtras, now: number): OwnRefund[] {
  const gross = grossOfExtras(booking);
  return extrasIn(booking).flatMap((extra) => {
    const amount_minor = gross.get(extra.extra_id) ?? 0;
    if (!extra.refund_steps || amount_minor === 0) return [];
    const percent = extraRefundPercent(extra, booking.start_at.getTime(), now);
    return [{ extra_id: extra.extra_id, amount_minor, percent }];
  });
}

/**
 * Of a cheaper price, the parts of extras with refund steps of their own. Where something else has become more expensive,
 * each part that has become cheaper has its share of what is refunded.
 */
export function ownRefundsOfDifference(
  before: WithExtras,
  after: { price_minor: number; pricing: Pricing | null },
  now: number,
): OwnRefund[] {
  const gross = grossOfExtras(after);
  const own = ownRefunds(before, now).map((part) => ({
    ...part,
    less: part.amount_minor - (gross.get(part.extra_id) ?? 0),
  }));
  const total = before.price_minor - after.price_minor;
  const rest = total - own.reduce((sum, { less }) => sum + less, 0);
  const cheaper = own.reduce((sum, { less }) => sum + Math.max(0, less), Math.max(0, rest));
  if (total <= 0 || cheaper === 0) return [];
  return own
    .filter(({ less }) => less > 0)
    .map(({ extra_id, percent, less }) => ({ extra_id, percent, amount_minor: (less * total) / cheaper }));
}
