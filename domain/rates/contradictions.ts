import { DAY_MINUTES } from '../durations.js';
import { ApiError, type FieldError } from '../errors.js';
import type { RateAudience, RoomRate } from './rates.js';

type Contradiction = [field: string, says: string];

/** Returns contradictions between a rate's price and its limits. */
function ofAmounts(rate: RoomRate): Contradiction[] {
  const { unit, amount_minor, cap_minor, day_cap_minor, minimum_minor, closed, always } = rate;
  const found: Contradiction[] = [];
  const least = minimum_minor ?? 0;
  if (closed) {
    if (amount_minor > 0) found.push(['amount_minor', 'must be 0 if the rate is closed']);
    for (const field of ['cap_minor', 'day_cap_minor', 'minimum_minor'] as const)
      if (rate[field] !== null) found.push([field, 'is not allowed if the rate is closed']);
  }
  if (always && (closed || unit === 'hour'))
    found.push(['always', 'is only allowed for a flat price or a day price']);
  if (cap_minor !== null && cap_minor < least)
    found.push(['cap_minor', 'must not be less than {minimum_minor}']);
  if (day_cap_minor !== null && cap_minor !== null && day_cap_minor > cap_minor)
    found.push(['day_cap_minor', 'must not be more than {cap_minor}']);
  return found;
}

/** Returns contradictions within an audience. */
export function audienceContradictions(audience: RateAudience): Contradiction[] {
  if (audience.kind === 'members') return [];
  return (['tiers', 'company_ids'] as const).flatMap((field) =>
    audience[field] === null ? [] : [[`audience.${field}`, 'is only allowed for the audience members']],
  );
}

/**
 * A rate as sent by a client. It has an id if it replaces one of the room's rates. A closed rate needs no
 * amount.
 */
export type SentRate = Omit<RoomRate, 'id' | 'amount_minor'> & Partial<Pick<RoomRate, 'id' | 'amount_minor'>>;

/**
 * Returns the rates that replace those of a room. `newId` creates the id of a new rate. Errors: 422 for
 * contradictions within a rate, and for ids that the room does not have.
 */
export function completeRates(sent: SentRate[], known: RoomRate[], newId: () => string): RoomRate[] {
  const errors: FieldError[] = [];
  const ids = new Set<string>();
  const rates = sent.map((rate, index): RoomRate => {
    const fail = (field: string, says: string): void => {
      const param = `rates.${index}.${field}`;
      const message = `${param} ${says.replaceAll(/[{}]/g, '')}.`;
      errors.push({ param, message, rule: { type: 'custom', says } });
    };
    const { id, amount_minor } = rate;
    if (id && !known.some((one) => one.id === id)) fail('id', 'is not a rate of this room');
    if (id && ids.has(id)) fail('id', 'repeats an earlier rate');
    if (amount_minor === undefined && !rate.closed) fail('amount_minor', 'is required');
    if (id) ids.add(id);
    const whole = { ...rate, id: id ?? newId(), amount_minor: amount_minor ?? 0 };
    for (const [field, says] of findContradictions(whole)) fail(field, says);
    return whole;
  });
  const [first] = errors;
  if (first) throw new ApiError('validation_failed', first.message, { param: first.param, errors });
  return rates;
}

/**
 * Returns the contradictions within one rate, each as a field and the part of the message after its name.
 * Other rates do not matter.
 */
function findContradictions(rate: RoomRate): Contradiction[] {
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
  if (closed && min_minutes !== null) found.push(['min_minutes', 'is not allowed if the rate is closed']);
  if (closed && notice !== null) found.push(['notice', 'is not allowed if the rate is closed']);
  return found;
}
