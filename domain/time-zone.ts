/**
 * Wall-clock arithmetic for IANA time zones.
 *
 * A "wall" value is a wall-clock time written as if it were UTC milliseconds. Two of them can be subtracted,
 * and the time of day is `wall mod 24 h`.
 */
import { DAY_MS } from './durations.js';
import { ApiError } from './errors.js';
import { isKnownZone, spanAt } from './utc-offsets.js';

export { isKnownZone, zoneOrUtc } from './utc-offsets.js';

/** `Area/Place`, for the areas in which IANA names zones after places. */
const AREA_PLACE =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Europe|Indian|Mexico|Pacific|US)(\/[A-Z_-]+){1,2}$/i;

/**
 * True for the name of a zone that settings accept, in upper or lower case: an `Area/Place` that the platform
 * knows, or `UTC`. Abbreviations, offsets and POSIX names are refused, because Postgres interprets them
 * differently or not at all (docs/rules/workspace.md#time-zones).
 */
export const isZoneName = (name: string): boolean =>
  /^utc$/i.test(name) || (AREA_PLACE.test(name) && isKnownZone(name));

/** The message for a value that is not a zone. */
export const ZONE_RULE = 'must be an IANA time zone, such as Europe/London';

/**
 * 422 for a stored zone that the platform does not know: anything that depends on local time cannot be
 * decided.
 */
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

/**
 * Returns the zone, for decisions that must not fall back to UTC. Throws `UnknownTimeZone` if the platform
 * does not know it.
 */
export function knownZone(zone: string): string {
  if (!isKnownZone(zone)) throw new UnknownTimeZone(zone);
  return zone;
}

/** Returns the wall-clock time in `timeZone` at an instant (UTC milliseconds). */
export function wallClock(instant: number, timeZone: string): number {
  return instant + spanAt(instant, timeZone).offset;
}

/**
 * Returns the instant of a wall-clock time. A time that is skipped when clocks go forward is moved forward by
 * the length of the gap. For a time that is repeated when clocks go back, the first occurrence is returned.
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

/**
 * Returns how many days a range has: 24 hours each, or local days of one of the zones if these are fewer. A
 * month in which clocks go back is an hour longer.
 */
export function daysIn({ start, end }: { start: number; end: number }, zones: string[]): number {
  const localLengths = zones.map((zone) => wallClock(end, zone) - wallClock(start, zone));
  return Math.min(end - start, ...localLengths) / DAY_MS;
}

/** Returns the instants of a range at which clocks change. */
export function zoneChanges({ start, end }: { start: number; end: number }, timeZone: string): number[] {
  const changes: number[] = [];
  for (let span = spanAt(start, timeZone); span.end < end; span = spanAt(span.end, timeZone))
    if (spanAt(span.end, timeZone).offset !== span.offset) changes.push(span.end);
  return changes;
}
