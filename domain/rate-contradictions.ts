import { DAY_MINUTES } from './durations.js';
import type { RateAudience, RoomRate } from './rates.js';

type Contradiction = [field: string, says: string];

/** What is wrong with the limits of what a rate costs. */
function ofAmounts(rate: RoomRate): Contradiction[] {
  const { unit, amount_minor, cap_minor, day_cap_minor, minimum_minor, closed, always } = rate;
  const found: Contradiction[] = [];
  const least = minimum_minor ?? 0;
  if (closed) {
    if (amount_minor > 0) found.push(['amount_minor', 'must be 0 for time that is closed']);
    for (const field of ['cap_minor', 'day_cap_minor', 'minimum_minor'] as const)
      if (rate[field] !== null) found.push([field, 'is not allowed for time that is closed']);
  }
  if (always && (closed || unit === 'hour')) found.push(['always', 'is only for a flat or a day price']);
  if (cap_minor !== null && cap_minor < least)
    found.push(['cap_minor', 'must not be less than {minimum_minor}']);
  if (day_cap_minor !== null && cap_minor !== null && day_cap_minor > cap_minor)
    found.push(['day_cap_minor', 'must not be more than {cap_minor}']);
  return found;
}

/** What an audience contradicts in itself. */
export function audienceContradictions(audience: RateAudience): Contradiction[] {
  if (audience.kind === 'members') return [];
  return (['tiers', 'company_ids'] as const).flatMap((field) =>
    audience[field] === null ? [] : [[`audience.${field}`, 'is only for the audience members']],
  );
}

/** What one rate contradicts in itself, as field of it and what its message says. Other rates do not matter. */
export function contradictionsOf(rate: RoomRate): Contradiction[] {
  const { from, to, dates, audience, notice, closed, min_minutes } = rate;
  const found = ofAmounts(rate);
  if ((from === null) !== (to === null))
    found.push(from === null ? ['from', 'is required with {to}'] : ['to', 'is required with {from}']);
  if (dates?.from && dates.to && dates.to < dates.from)
    found.push(['dates.to', 'must not be before {dates.from}']);
  found.push(...audienceContradictions(audience));
  if (notice && notice.min_minutes !== null && notice.max_days !== null)
    if (notice.min_minutes > notice.max_days * DAY_MINUTES)
      found.push(['notice.max_days', 'must not be less than {notice.min_minutes}']);
  // Availability says for each minute whether it is free, before anybody says how long they book.
  if (closed && min_minutes !== null) found.push(['min_minutes', 'is not allowed for time that is closed']);
  if (closed && notice !== null) found.push(['notice', 'is not allowed for time that is closed']);
  return found;
}
