/**
 * Wall-clock arithmetic for IANA time zones.
 *
 * A "wall" value is a wall-clock time expressed as if it were UTC milliseconds, so that two of them can be subtracted
 * and the minute of the day is `wall mod 24 h`.
 */
import { DAY_MS } from './durations.js';
import { formatterFor, spanAt } from './utc-offsets.js';

/** True for a zone that the platform knows, such as `Europe/London`. */
export function isTimeZone(name: string): boolean {
  try {
    formatterFor(name);
    return true;
  } catch {
    return false;
  }
}

/** The wall-clock time in `timeZone` at an instant (UTC milliseconds). */
export function wallClock(instant: number, timeZone: string): number {
  return instant + spanAt(instant, timeZone).offset;
}

/**
 * The instant of a wall-clock time. A time that is skipped when clocks go forward is moved past the gap by its length;
 * one that is repeated when clocks go back is the first of the two.
 */
export function instantOf(wall: number, timeZone: string): number {
  const offsetBefore = wallClock(wall - DAY_MS, timeZone) - (wall - DAY_MS);
  const offsetAfter = wallClock(wall + DAY_MS, timeZone) - (wall + DAY_MS);
  for (const offset of [offsetBefore, offsetAfter]) {
    const instant = wall - offset;
    if (wallClock(instant, timeZone) === wall) return instant;
  }
  return wall - offsetBefore;
}
