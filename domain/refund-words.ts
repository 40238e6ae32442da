import type { RefundStep } from './refund-policy.js';

const shareOf = (percent: number): string =>
  percent === 100 ? 'full refund' : percent === 0 ? 'no refund' : `${percent}% refund`;

function durationOf(hours: number): string {
  if (hours >= 48 && hours % 24 === 0) return `${hours / 24} days`;
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

/** A room's refund steps as sentences, earliest cancellation first (docs/rules/rooms.md#refund-steps). */
export function refundsInWords(steps: RefundStep[]): string[] {
  const sorted = steps.toSorted((a, b) => b.hours_before - a.hours_before);
  const until = sorted
    .filter(({ hours_before }) => hours_before > 0)
    .map(
      ({ hours_before, percent }) =>
        `Cancelled at least ${durationOf(hours_before)} before the start: ${shareOf(percent)}.`,
    );
  const last = sorted.find(({ hours_before }) => hours_before === 0);
  const rest = shareOf(last?.percent ?? 0);
  return [...until, until.length > 0 ? `Cancelled later: ${rest}.` : `Cancelled before the start: ${rest}.`];
}
