import { dayAfter, dayIn, latestDay, startOfDay, type Day } from '../cycle.js';
import { HOUR_MS } from '../durations.js';
import type { MemberStatus } from '../states.js';
import { knownZone } from '../time-zone.js';

/** The facts of a member that decide whether their cycle must run (docs/rules/members.md#monthly-cycle). */
export interface CyclingMember {
  status: MemberStatus;
  cycle_starts_on: Day | null;
  trial_ends_at: Date | null;
  pending_tier_at: Date | null;
}

/** The time zone furthest behind UTC is UTC-12. */
const WESTERNMOST_MS = 12 * HOUR_MS;

/**
 * Returns the end of a day in a time zone, or by default the current moment, with its day. Throws
 * `UnknownTimeZone`.
 */
export function cycleMoment(
  zone: string,
  asOf: Day | undefined,
  now = new Date(),
): { day: Day; moment: Date } {
  const known = knownZone(zone);
  return asOf
    ? { day: asOf, moment: startOfDay(dayAfter(asOf), known) }
    : { day: dayIn(known, now), moment: now };
}

/**
 * Returns the latest value that `cycleMoment` returns for any time zone. Every member who is due anywhere is
 * due by then.
 */
export const latestMoment = (asOf: Day | undefined, now = new Date()): { day: Day; moment: Date } =>
  asOf
    ? { day: asOf, moment: new Date(Date.parse(dayAfter(asOf)) + WESTERNMOST_MS) }
    : { day: latestDay(now), moment: now };

/** True if a trial ends, a lower tier takes effect or hour credits are due. */
export const isCycleDue = (
  { status, cycle_starts_on, trial_ends_at, pending_tier_at }: CyclingMember,
  { day, moment }: { day: Day; moment: Date },
): boolean =>
  (['active', 'trialing'].includes(status) && cycle_starts_on !== null && cycle_starts_on <= day) ||
  (status === 'trialing' && trial_ends_at !== null && trial_ends_at < moment) ||
  (pending_tier_at !== null && pending_tier_at < moment);
