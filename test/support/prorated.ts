import { dayIn, periodContaining } from '../../domain/cycle.js';
import { prorate } from '../../domain/members/tiers.js';

/**
 * The cost of a monthly difference for anyone who became a member today, in minor units without tax: all of
 * it, except from the 29th of a month on, since periods begin on the 28th at the latest.
 */
export function proratedToday(monthly_minor: number, timeZone = 'Europe/London'): number {
  const today = dayIn(timeZone, new Date());
  return prorate(monthly_minor, periodContaining(today, today), today);
}
