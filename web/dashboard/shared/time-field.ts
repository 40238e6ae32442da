import { ApiError } from '../../../domain/errors.js';
import { instantOf } from '../../../domain/time-zone.js';

/** The instant of a field with a date and a time, in a time zone, as ISO 8601. Errors: 422 on `field`. */
export function instantEntered(value: string, timeZone: string, field: string): string {
  const wall = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(value) ? Date.parse(`${value}Z`) : NaN;
  if (Number.isNaN(wall)) throw new ApiError('validation_failed', 'Enter a date and time.', { param: field });
  return new Date(instantOf(wall, timeZone)).toISOString();
}
