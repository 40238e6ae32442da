import { Decimal } from 'decimal.js';
import { roundHalfUp } from './money.js';

export const REFUND_POLICIES = ['standard', 'full', 'none'] as const;
/** What a cancellation gives back: what the room's steps say, everything, or nothing. */
export type RefundPolicy = (typeof REFUND_POLICIES)[number];

/** "At least `hours_before` hours before the start, `percent` comes back." */
export interface RefundStep {
  hours_before: number;
  percent: number;
}

const HOUR = 3_600_000;

/** The percentage that a room's steps give back at `now`: of the steps that have been reached, the earliest one's. */
export function refundPercent(steps: RefundStep[], startAt: number, now: number): number {
  const hoursLeft = (startAt - now) / HOUR;
  const reached = steps.filter((step) => hoursLeft >= step.hours_before);
  return reached.sort((a, b) => b.hours_before - a.hours_before)[0]?.percent ?? 0;
}

/** A percentage of an amount, in whole minor units. */
export function percentOf(amountMinor: number, percent: number): number {
  return roundHalfUp(new Decimal(amountMinor).mul(percent).div(100));
}

/** A payment with what of it has not been given back. */
export interface Refundable {
  id: string;
  left_minor: number;
}

/**
 * Spreads an amount to be given back over the payments it came from, newest first, so that as few refunds as
 * possible are made. Gives back what is left at most.
 */
export function spreadRefund(
  payments: Refundable[],
  amountMinor: number,
): { payment_id: string; amount_minor: number }[] {
  let rest = amountMinor;
  const shares = payments.map(({ id, left_minor }) => {
    const amount_minor = Math.min(left_minor, rest);
    rest -= amount_minor;
    return { payment_id: id, amount_minor };
  });
  return shares.filter((share) => share.amount_minor > 0);
}
