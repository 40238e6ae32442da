/**
 * Wall-clock arithmetic for IANA time zones, on the platform's own tables (`Intl`).
 *
 * A "wall" value is a wall-clock reading written as if it were UTC milliseconds, so that two readings can be
 * subtracted and the minute of the day is `wall mod 24 h`.
 */

const MINUTE = 60_000;
export const DAY = 86_400_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** True for a name the platform knows, such as `Europe/London`. */
export function isTimeZone(name: string): boolean {
  try {
    formatterFor(name);
    return true;
  } catch {
    return false;
  }
}

/** The wall-clock reading in `timeZone` at an instant (UTC milliseconds). */
export function wallClock(instant: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterFor(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  const wholeSeconds = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  return wholeSeconds + (((instant % 1000) + 1000) % 1000);
}

/**
 * The instant of a wall-clock reading. A reading that a spring-forward skips is moved past the gap by its
 * length; one that a fall-back repeats is the first of the two.
 */
export function instantOf(wall: number, timeZone: string): number {
  const offsetBefore = wallClock(wall - DAY, timeZone) - (wall - DAY);
  const offsetAfter = wallClock(wall + DAY, timeZone) - (wall + DAY);
  for (const offset of [offsetBefore, offsetAfter]) {
    const instant = wall - offset;
    if (wallClock(instant, timeZone) === wall) return instant;
  }
  return wall - offsetBefore;
}

/**
 * True when an instant lies on a wall-clock grid of `slotMinutes` counted from midnight. Where the clocks
 * jump over a grid line, the first instant after the jump stands for it.
 */
export function onGrid(instant: number, slotMinutes: number, timeZone: string): boolean {
  const slot = slotMinutes * MINUTE;
  const wall = wallClock(instant, timeZone);
  if (wall % slot === 0) return true;
  const wallJustBefore = wallClock(instant - 1, timeZone);
  const skipped = wall - wallJustBefore > 1;
  return skipped && Math.floor(wall / slot) * slot > wallJustBefore;
}
