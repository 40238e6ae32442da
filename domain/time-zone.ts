/**
 * Wall-clock arithmetic for IANA time zones.
 *
 * A "wall" value is a wall-clock time expressed as if it were UTC milliseconds, so that two of them can be
 * subtracted and the minute of the day is `wall mod 24 h`.
 */
import { DAY_MS } from './durations.js';
import { ApiError } from './errors.js';
import { isKnownZone, spanAt } from './utc-offsets.js';

export { isKnownZone, zoneOrUtc } from './utc-offsets.js';

/** `Area/Place`, of the areas in which IANA names zones by their places. */
const AREA_PLACE =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Europe|Indian|Mexico|Pacific|US)(\/[A-Z_-]+){1,2}$/i;

/**
 * True for the name of a zone as settings take it, in any letter case: `Area/Place` that the platform knows,
 * or `UTC`. No abbreviations, offsets or POSIX names: Postgres reads them differently or not at all
 * (docs/rules/workspace.md#time-zones).
 */
export const isZoneName = (name: string): boolean =>
  /^utc$/i.test(name) || (AREA_PLACE.test(name) && isKnownZone(name));

/** What a field for a zone says of other values. */
export const ZONE_RULE = 'must be an IANA time zone, such as Europe/London';

/** 422 for a stored zone that the platform does not know: what depends on local time cannot be decided. */
export class UnknownTimeZone extends ApiError {
  constructor(zone: string) {
    super(
      'validation_failed',
      `The time zone ${JSON.stringify(zone.slice(0, 64))} is not known. Set another time zone.`,
      {
        param: 'time_zone',
      },
    );
  }
}

/** The same zone, for what must not be decided by another one. Throws `UnknownTimeZone`. */
export function knownZone(zone: string): string {
  if (!isKnownZone(zone)) throw new UnknownTimeZone(zone);
  return zone;
}

/** The wall-clock time in `timeZone` at an instant (UTC milliseconds). */
export function wallClock(instant: number, timeZone: string): number {
  return instant + spanAt(instant, timeZone).offset;
}

/**
 * The instant of a wall-clock time. A time that is skipped when clocks go forward is moved past the gap by
 * its length; one that is repeated when clocks go back is the first of the two.
 */
export function toInstant(wall: number, timeZone: string): number {
  const offsetBefore = wallClock(wall - DAY_MS, timeZone) - (wall - DAY_MS);
  const offsetAfter = wallClock(wall + DAY_MS, timeZone) - (wall + DAY_MS);
  for (const offset of [offsetBefore, offsetAfter]) {
    const instant = wall - offset;
    if (wallClock(instant, timeZone) === wall) return instant;
  }
  return wall - offsetBefore;
}

/** The instants of a range at which clocks change. */
export function zoneChanges({ start, end }: { start: number; end: number }, timeZone: string): number[] {
  const changes: number[] = [];
  for (let span = spanAt(start, timeZone); span.end < end; span = spanAt(span.end, timeZone))
    if (spanAt(span.end, timeZone).offset !== span.offset) changes.push(span.end);
  return changes;
}
