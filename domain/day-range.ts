import { invalidField } from './errors.js';
import { daysIn } from './time-zone.js';

/** Errors: 422 on `to` for a time range that is empty or has more than `max` days of the zone. */
export function assertDayRange({ from, to }: { from: Date; to: Date }, max: number, timeZone: string): void {
  if (to <= from) throw invalidField('to', 'must be after {from}');
  if (daysIn({ start: from.getTime(), end: to.getTime() }, [timeZone]) > max)
    throw invalidField('to', `must be at most ${max} days after {from}`);
}
