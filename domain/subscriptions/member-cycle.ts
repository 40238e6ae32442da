import { dayAfter, dayIn, latestDay, startOfDay, type Day } from '../cycle.js';
import { HOUR_MS } from '../durations.js';
import type { MemberStatus } from '../states.js';
import { knownZone } from '../time-zone.js';

/** What of a member decides whether their cycle has to run (docs/rules/members.md#monthly-cycle). */
export interface CyclingMember {
  status: MemberStatus;
  cycle_starts_on: Day | null;
  trial_ends_at: Date | null;
  pending_tier_at: Date | null;
}

/** The westernmost clock is so far behind UTC. */
const WESTERNMOST_MS = 12 * HOUR_MS;

/** The end of a day in a zone, by default now, with its day. Throws `UnknownTimeZone`. */
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

/** The latest that `cycleMoment` returns for any zone: whoever is due is due by then. */
export const latestMoment = (asOf: Day | undefined, now = new Date()): { day: Day; moment: Date } =>
  asOf
    ? { day: asOf, moment: new Date(Date.parse(dayAfter(asOf)) + WESTERNMOST_MS) }
    : { day: latestDay(now), moment: now };

/** Whether a trial ends, a lower tier applies or hour credits are due. */
export const isCycleDue = (
  { status, cycle_starts_on, trial_ends_at, pending_tier_at }: CyclingMember,
  { day, moment }: { day: Day; moment: Date },
): boolean =>
  (['active', 'trialing'].includes(status) && cycle_starts_on !== null && cycle_starts_on <= day) ||
  (status === 'trialing' && trial_ends_at !== null && trial_ends_at < moment) ||
  (pending_tier_at !== null && pending_tier_at < moment);
