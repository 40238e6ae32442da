import { HOUR_MS } from '../durations.js';

export const REFUND_POLICIES = ['standard', 'full', 'none'] as const;
/** What a cancellation refunds: the percentage of the room's refund steps, everything, or nothing. */
export type RefundPolicy = (typeof REFUND_POLICIES)[number];

/** How much a cancellation refunds: a policy, or an amount in minor units. */
export type RefundChoice = RefundPolicy | number;

/** Until `hours_before` hours before the start, `percent` is refunded (docs/rules/rooms.md#refund-steps). */
export interface RefundStep {
  hours_before: number;
  percent: number;
}

/**
 * Returns the percentage that is refunded at `now`: that of the reached step with the largest `hours_before`;
 * 0 if no step is reached.
 */
export function refundPercent(steps: RefundStep[], startAt: number, now: number): number {
  const hoursLeft = (startAt - now) / HOUR_MS;
  const reached = steps.filter((step) => hoursLeft >= step.hours_before);
  return reached.sort((a, b) => b.hours_before - a.hours_before)[0]?.percent ?? 0;
}

/** A payment with the amount that can still be refunded. */
export interface Refundable {
  id: string;
  refundable_minor: number;
  /**
   * How much of it was refunded for the same purpose by a cancellation, change or adjustment whose record is
   * lost, for example after a backup was restored. It counts towards the repetition.
   */
  lost_minor?: number;
}

/** Returns what was already refunded by the operation that the caller repeats. */
export const lostMinor = (payments: Pick<Refundable, 'lost_minor'>[]): number =>
  payments.reduce((sum, { lost_minor = 0 }) => sum + lost_minor, 0);

/**
 * Returns how much of the amount due is refunded now, in minor units: at most what is left of the payments,
 * less what was refunded for it before.
 */
export function refundNow(payments: Refundable[], due_minor: number): number {
  const lost = lostMinor(payments);
  const left = payments.reduce((sum, { refundable_minor }) => sum + refundable_minor, lost);
  return Math.max(0, Math.min(due_minor, left) - lost);
}

/**
 * Returns how much of a refund belongs to manual payments, which the workspace returns by hand. Payments as
 * for `spreadRefund`.
 */
export function byHandMinor(payments: (Refundable & { by_hand: boolean })[], amountMinor: number): number {
  const byHand = new Set(payments.filter(({ by_hand }) => by_hand).map(({ id }) => id));
  return spreadRefund(payments, amountMinor)
    .filter(({ payment_id }) => byHand.has(payment_id))
    .reduce((sum, { amount_minor }) => sum + amount_minor, 0);
}

/**
 * Spreads a refund over payments in the given order (newest first). Any amount beyond what is refundable is
 * dropped.
 */
export function spreadRefund(
  payments: Refundable[],
  amountMinor: number,
): { payment_id: string; amount_minor: number }[] {
  let rest = amountMinor;
  const shares = payments.map(({ id, refundable_minor }) => {
    const amount_minor = Math.min(refundable_minor, rest);
    rest -= amount_minor;
    return { payment_id: id, amount_minor };
  });
  return shares.filter((share) => share.amount_minor > 0);
}
