import { Decimal } from 'decimal.js';
import { HOUR_MS } from '../durations.js';
import type { BookedExtra } from '../extras/extras.js';
import type { RefundStep } from './refund-policy.js';
import type { RefundCap } from './refund-shares.js';
import type { Words } from '../words/words.js';

function describeRefundShare(words: Words, percent: number): string {
  if (percent === 100) return words.say('terms.full_refund');
  if (percent === 0) return words.say('terms.no_refund');
  return words.say('terms.part_refund', { percent: words.number(percent) });
}

/** The percentage that is due if another is not. */
export const duePercent = (percent: number): number => new Decimal(100).minus(percent).toNumber();

/** The share that is due of an unpaid booking on account: nothing can be refunded. */
function describeDueShare(words: Words, percent: number): string {
  if (percent === 100) return words.say('terms.nothing_due');
  if (percent === 0) return words.say('terms.all_due');
  return words.say('terms.part_due', { percent: words.number(duePercent(percent)) });
}

/** `36 hours`, `2 days`. */
export const formatDuration = (words: Words, hours: number): string =>
  hours >= 48 && hours % 24 === 0
    ? words.say('terms.days', { days: hours / 24 })
    : words.say('terms.hours', { hours });

/** The start of a booking in its room's zone, at the time `now`. */
interface ZonedStart {
  start_at: Date;
  time_zone: string;
  currency: string;
  now: Date;
  /** The booking is on account, and nothing has been paid. */
  is_unpaid?: boolean;
  /** What its moves have left of later refunds. */
  refund_caps?: RefundCap[] | null;
  /** Times have the name of the zone: a mail is read elsewhere. */
  is_mailed?: boolean;
}

/** An extra, which can have its own refund steps. */
export type TermsOfExtra = Pick<BookedExtra, 'name' | 'refund_steps'> & { extra_id?: string };

/** Whether the deadline of a step has passed for a booking. */
const isOver = (hours: number, booking?: ZonedStart): boolean =>
  booking !== undefined && booking.start_at.getTime() - hours * HOUR_MS < booking.now.getTime();

/**
 * Describes a refund step: `If cancelled at least 24 hours before the start, 50% of the price is refunded.`,
 * or for a booking `If cancelled by Thu 26 Nov, 10:00, …`
 */
function describeRefundStep(words: Words, hours: number, share: string, booking?: ZonedStart): string {
  if (!booking) return words.say('terms.cancelled_ahead', { duration: formatDuration(words, hours), share });
  const limit = new Date(booking.start_at.getTime() - hours * HOUR_MS);
  const moment = booking.is_mailed
    ? words.zonedMoment(limit, booking, booking.now)
    : words.moment(limit, booking, booking.now);
  return words.say('terms.cancelled_until', { moment, share });
}

/**
 * A room's refund steps as sentences, earliest cancellation first (docs/rules/rooms.md#refund-steps). For a
 * booking, the sentences have its times, and steps that have passed are left out.
 */
export function describeRefundSteps(words: Words, steps: RefundStep[], booking?: ZonedStart): string[] {
  const describeShare = booking?.is_unpaid ? describeDueShare : describeRefundShare;
  const sorted = steps.toSorted((a, b) => b.hours_before - a.hours_before);
  const until = sorted
    .filter(({ hours_before }) => hours_before > 0 && !isOver(hours_before, booking))
    .map(({ hours_before, percent }) =>
      describeRefundStep(words, hours_before, describeShare(words, percent), booking),
    );
  const last = sorted.find(({ hours_before }) => hours_before === 0);
  const share = describeShare(words, last?.percent ?? 0);
  return [
    ...until,
    words.say(until.length > 0 ? 'terms.cancelled_later' : 'terms.cancelled_any_time', { share }),
  ];
}

/**
 * How a change of the booking limits its refunds (docs/rules/bookings.md#changes), as a sentence; null if it
 * does not. `cap`: the maximum share, in percent, that is refunded of what was paid before the change.
 */
function describeCap(words: Words, cap: number): string | null {
  if (cap >= 100) return null;
  return cap === 0
    ? words.say('terms.cap_none')
    : words.say('terms.cap_part', { percent: words.number(cap) });
}

/**
 * Returns the steps of the room, or of an extra, as moves limit them. They limit a booking in whole while it
 * is unpaid, because its price cannot change. A step that no longer makes a difference is left out.
 */
function limitedSteps(
  steps: RefundStep[],
  { is_unpaid, refund_caps }: ZonedStart,
  extra: string | null = null,
): RefundStep[] {
  if (!is_unpaid || !refund_caps) return steps;
  const caps = refund_caps.filter(({ extra_id }) => extra_id === extra).map(({ percent }) => percent);
  return steps
    .map((step) => ({ ...step, percent: Math.min(step.percent, ...caps) }))
    .sort((a, b) => a.hours_before - b.hours_before)
    .filter(
      ({ hours_before, percent }, index, limited) =>
        hours_before === 0 || percent !== (limited[index - 1]?.percent ?? 0),
    );
}

/** The refund terms of a booking and of its extras with their own steps. `cap`: as in `describeCap`. */
export function describeTerms(
  words: Words,
  of: { steps: RefundStep[]; extras: TermsOfExtra[]; cap?: number },
  booking: ZonedStart,
): string[] {
  const describe = (steps: RefundStep[], extra_id?: string): string[] =>
    describeRefundSteps(words, limitedSteps(steps, booking, extra_id), booking);
  const changed = booking.is_unpaid ? null : describeCap(words, of.cap ?? 100);
  return [
    ...describe(of.steps),
    ...of.extras.flatMap(({ extra_id, name, refund_steps }) =>
      refund_steps ? [`${name}: ${describe(refund_steps, extra_id).join(' ')}`] : [],
    ),
    ...(changed ? [changed] : []),
  ];
}
