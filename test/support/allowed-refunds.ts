import { MINUTE_MS } from '../../domain/durations.js';
import type { PriceLine } from '../../domain/rates/price-lines.js';
import { refundPercent, type RefundStep } from '../../domain/bookings/refund-policy.js';

/**
 * What the lines of a booking allow to be refunded (docs/rules/bookings.md#refunds-by-lines), computed from
 * the moments of its life and not from what the service stores. Each part of its price is a pile of amounts:
 * the last one is taken off first, and a move lowers the percentage of all amounts on it.
 */

/** A change may be planned this long before its event: its difference is paid by link. */
const PLANNED_WITHIN_MS = 5 * MINUTE_MS;

/** From minimum to maximum: a step may have ended between a plan and its event. */
export type Bounds = [least: number, most: number];
const lower = (one: Bounds, other: Bounds): Bounds => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
];

type Line = Pick<PriceLine, 'kind' | 'extra_id' | 'tax_code' | 'net_minor' | 'tax_minor'>;

/** A booking after an event. Times in ISO 8601. */
export interface Moment {
  type: 'changed' | 'cancelled by the steps';
  at: string;
  booking: { room_id: string; start_at: string; end_at: string; lines: Line[] };
}

/**
 * The refund steps of rooms and of extras with their own, and the accounts of extras that have one, by id.
 */
export interface Terms {
  steps: Map<string, RefundStep[]>;
  accounts: Map<string, string>;
}

/**
 * The amount of a price's part under a tax code and account; `part`: an extra with its own steps, or null.
 */
interface Share {
  part: string | null;
  code: string;
  account: string | undefined;
  gross: number;
}

const shareKey = ({ code, account }: Pick<Share, 'code' | 'account'>): string => `${code} ${account}`;
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const sumGross = (lines: Line[]): number =>
  sum(lines.map(({ net_minor, tax_minor }) => net_minor + tax_minor));
const ofPart = (shares: Share[], part: string | null): Share[] =>
  shares.filter((share) => share.part === part);
const total = (shares: Share[]): number => sum(shares.map(({ gross }) => gross));

/**
 * Whether a code is taken off lines of several accounts with one tax code: lines do not say how much of each.
 */
export const isAmbiguous = ({ booking: { lines } }: Moment, { accounts }: Terms): boolean =>
  lines.some(({ kind }) => kind === 'discount') && lines.some(({ extra_id }) => accounts.has(extra_id ?? ''));

/** The shares of a price. A code is taken off them in proportion, hour credits off the time. */
function priceShares(lines: Line[], { steps, accounts }: Terms): Share[] {
  const charges = lines.filter(({ kind }) => kind === 'time' || kind === 'extra');
  const offs = lines.filter(({ kind }) => kind === 'discount');
  const shares = new Map<string, Share>();
  for (const line of lines) {
    if (line.kind === 'discount') continue;
    const { extra_id, tax_code: code } = line;
    const part = extra_id && steps.has(extra_id) ? extra_id : null;
    const account = extra_id ? accounts.get(extra_id) : undefined;
    const charged = sumGross(charges.filter(({ tax_code }) => tax_code === code));
    const off = sumGross(offs.filter(({ tax_code }) => tax_code === code));
    const left = line.kind === 'credit' || charged <= 0 ? 1 : 1 + off / charged;
    const key = `${shareKey({ code, account })} ${part}`;
    const before = shares.get(key)?.gross ?? 0;
    shares.set(key, { part, code, account, gross: before + sumGross([line]) * left });
  }
  return [...shares.values()].filter(({ gross }) => gross > 0);
}

/** The amounts of a part, oldest first, and the maximum percentage refunded for each. */
type CappedAmounts = { amount: number; cap: Bounds }[];

/** Takes an amount off a pile. Returns its refund at the current percentage. */
function takeOff(amounts: CappedAmounts, amount: number, percent: Bounds): Bounds {
  const refunded: Bounds = [0, 0];
  for (let rest = amount; rest > 1e-9 && amounts.length > 0;) {
    const last = amounts.at(-1)!;
    const taken = Math.min(rest, last.amount);
    const [least, most] = lower(last.cap, percent);
    refunded[0] += (taken * least) / 100;
    refunded[1] += (taken * most) / 100;
    rest -= taken;
    last.amount -= taken;
    if (last.amount < 1e-9) amounts.pop();
  }
  return refunded;
}

/**
 * What a change takes off, less what it adds: first under the same tax code and account, then in proportion.
 */
function takenOff(had: Share[], has: Share[]): Share[] {
  const ofKey = (shares: Share[], key: string): number =>
    total(shares.filter((share) => shareKey(share) === key));
  const keys = [...new Set([...had, ...has].map(shareKey))];
  const differences = new Map(keys.map((key) => [key, ofKey(had, key) - ofKey(has, key)]));
  const cheaper = sum([...differences.values()].map((difference) => Math.max(0, difference)));
  const toRefund = cheaper > 0 ? Math.max(0, sum([...differences.values()])) / cheaper : 0;
  const less = had.flatMap((share) => {
    const stays = has.find((other) => shareKey(other) === shareKey(share) && other.part === share.part);
    const gross = share.gross - (stays?.gross ?? 0);
    return gross > 0 ? [{ ...share, gross }] : [];
  });
  return less.flatMap((share) => {
    const due = Math.max(0, differences.get(shareKey(share))!) * toRefund;
    return due > 0 ? [{ ...share, gross: (share.gross * due) / ofKey(less, shareKey(share)) }] : [];
  });
}

/**
 * The maximum refund for each tax code that a booking's lines allow over its life, including tax; minor
 * units, not rounded.
 */
export function allowedRefunds([first, ...later]: Moment[], terms: Terms): Map<string, Bounds> {
  const allowed = new Map<string, Bounds>();
  const amountsByPart = new Map<string | null, CappedAmounts>();
  const amountsOfPart = (part: string | null): CappedAmounts =>
    amountsByPart.get(part) ?? amountsByPart.set(part, []).get(part)!;
  const allow = (shares: Share[], percentBounds: (part: string | null) => Bounds): void => {
    for (const part of new Set(shares.map((share) => share.part))) {
      const gross = total(ofPart(shares, part));
      const [least, most] = takeOff(structuredClone(amountsOfPart(part)), gross, percentBounds(part));
      for (const share of ofPart(shares, part)) {
        const before = allowed.get(share.code) ?? [0, 0];
        const of = share.gross / gross;
        allowed.set(share.code, [before[0] + least * of, before[1] + most * of]);
      }
    }
  };
  let before = first!.booking;
  for (const { part, gross } of priceShares(before.lines, terms))
    amountsOfPart(part).push({ amount: gross, cap: [100, 100] });
  for (const { type, at, booking } of later) {
    const { start_at, room_id } = before;
    const percentBounds = (part: string | null): Bounds => {
      const percents = [-PLANNED_WITHIN_MS, MINUTE_MS].map((ms) =>
        refundPercent(terms.steps.get(part ?? room_id)!, Date.parse(start_at), Date.parse(at) + ms),
      );
      return [Math.min(...percents), Math.max(...percents)];
    };
    const [had, has] = [before, booking].map(({ lines }) => priceShares(lines, terms)) as [Share[], Share[]];
    allow(type === 'changed' ? takenOff(had, has) : had, percentBounds);
    const moved = (['room_id', 'start_at', 'end_at'] as const).some(
      (field) => before[field] !== booking[field],
    );
    for (const part of new Set([...had, ...has].map((share) => share.part))) {
      const amounts = amountsOfPart(part);
      if (moved) for (const each of amounts) each.cap = lower(each.cap, percentBounds(part));
      const more = total(ofPart(has, part)) - total(ofPart(had, part));
      if (more > 0) amounts.push({ amount: more, cap: [100, 100] });
      else takeOff(amounts, -more, [0, 0]);
    }
    before = booking;
  }
  return allowed;
}
