import { ApiError } from '../../../domain/errors.js';
import { toInstant, wallClock } from '../../../domain/time-zone.js';

/** The value of a `datetime-local` field: `2026-11-24T10:00`, in a time zone. */
export const localTime = (at: Date, timeZone: string): string =>
  new Date(wallClock(at.getTime(), timeZone)).toISOString().slice(0, 16);

export const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/;

/** The instant of a local time. Errors: 422 on `param`. */
export function instantIn(value: string, timeZone: string, param: string): Date {
  const wall = LOCAL.test(value) ? Date.parse(`${value}Z`) : Number.NaN;
  if (Number.isNaN(wall)) throw new ApiError('validation_failed', 'Enter a date and time.', { param });
  return new Date(toInstant(wall, timeZone));
}

/**
 * The instant of a local time that a form was filled in with: `exact` (ISO 8601) while the local time is
 * still its own. A local time that clocks repeat is two instants. Errors: 422 on `param`.
 */
export function exactInstantIn(
  { value, exact }: { value: string; exact?: string },
  timeZone: string,
  param: string,
): Date {
  const at = new Date(exact ?? Number.NaN);
  const isItsOwn = !Number.isNaN(at.getTime()) && localTime(at, timeZone) === value.slice(0, 16);
  return isItsOwn ? at : instantIn(value, timeZone, param);
}
