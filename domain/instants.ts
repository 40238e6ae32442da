import { MINUTE_MS } from './durations.js';

/** Enough for two years of half-hours. A full cache is emptied. */
const MAX_CACHED = 50_000;

/**
 * Returns a function that writes an instant (UTC milliseconds) as ISO 8601 in UTC, between two texts. It
 * caches its results: formatting takes a microsecond, and the same starts and ends of bookings recur in every
 * room and response.
 */
export function instantWriter(before: string, after: string): (instant: number) => string {
  /** Keyed by minute: small integers make faster keys. */
  const written = new Map<number, string>();
  return (instant) => {
    const minute = instant / MINUTE_MS;
    let text = written.get(minute);
    if (text === undefined) {
      // `join` makes one flat string, which is copied at once; `+` would make a chain of strings.
      text = [before, new Date(instant).toISOString(), after].join('');
      if (written.size === MAX_CACHED) written.clear();
      written.set(minute, text);
    }
    return text;
  };
}

/** Writes the start or end of a booking (UTC milliseconds) as ISO 8601 in UTC. */
export const toIso = instantWriter('', '');
