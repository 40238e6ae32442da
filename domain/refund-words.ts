import { formatMoment, localeOf } from './display.js';
import { HOUR_MS } from './durations.js';
import type { RefundStep } from './refund-policy.js';

const refundOf = (percent: number): string =>
  percent === 100 ? 'full refund' : percent === 0 ? 'no refund' : `${percent}% refund`;

/** Of a booking on account that is not paid yet: nothing can be refunded. */
const dueOf = (percent: number): string =>
  percent === 100
    ? 'nothing is due'
    : percent === 0
      ? 'the full price is due'
      : `${100 - percent}% of the price is due`;

/** `36 hours`, `2 days`. */
export function durationOf(hours: number): string {
  if (hours >= 48 && hours % 24 === 0) return `${hours / 24} days`;
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

/** A start in its room's zone, seen at `now`. */
interface ZonedStart {
  start_at: Date;
  time_zone: string;
  currency: string;
  now: Date;
  /** It is on account, and nothing has been paid. */
  is_unpaid?: boolean;
}

/** Whether the time of a step has passed for a booking. */
const isOver = (hours: number, booking?: ZonedStart): boolean =>
  booking !== undefined && booking.start_at.getTime() - hours * HOUR_MS < booking.now.getTime();

/** `at least 24 hours before the start`, or for a booking `until Thu 26 Nov, 10:00`. */
function limitOf(hours: number, booking?: ZonedStart): string {
  if (!booking) return `at least ${durationOf(hours)} before the start`;
  const { start_at, time_zone, now } = booking;
  return `until ${formatMoment(new Date(start_at.getTime() - hours * HOUR_MS), time_zone, now, localeOf(booking))}`;
}

/**
 * A room's refund steps as sentences, earliest cancellation first (docs/rules/rooms.md#refund-steps); with a booking, by
 * its times, without those that have passed.
 */
export function refundsInWords(steps: RefundStep[], booking?: ZonedStart): string[] {
  const shareOf = booking?.is_unpaid ? dueOf : refundOf;
  const sorted = steps.toSorted((a, b) => b.hours_before - a.hours_before);
  const until = sorted
    .filter(({ hours_before }) => hours_before > 0 && !isOver(hours_before, booking))
    .map(({ hours_before, percent }) => `Cancelled ${limitOf(hours_before, booking)}: ${shareOf(percent)}.`);
  const last = sorted.find(({ hours_before }) => hours_before === 0);
  const rest = shareOf(last?.percent ?? 0);
  return [...until, until.length > 0 ? `Cancelled later: ${rest}.` : `Cancelled before the start: ${rest}.`];
}

/**
 * What a change of the booking has done to its refunds (docs/rules/bookings.md#changes), as a sentence; null if nothing.
 * `cap`: the most that is refunded of what was paid before the change, in percent.
 */
export function capInWords(cap: number): string | null {
  if (cap >= 100) return null;
  return cap === 0
    ? 'What was paid before the booking was changed is not refunded.'
    : `Of what was paid before the booking was changed, at most ${cap}% is refunded.`;
}

/** The terms of the extras of a booking that have refund steps of their own, each as a sentence. */
export const ownTermsInWords = (
  extras: { name: string; refund_steps: RefundStep[] | null }[],
  booking?: ZonedStart,
): string[] =>
  extras.flatMap(({ name, refund_steps }) =>
    refund_steps ? [`${name}: ${refundsInWords(refund_steps, booking).join(' ')}`] : [],
  );
