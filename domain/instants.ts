import { MINUTE_MS } from './durations.js';

/** Two years of half-hours. A full cache is emptied. */
const MAX_CACHED = 50_000;

/**
 * Writes instants at which bookings begin and end (UTC milliseconds) as ISO 8601 in UTC, between two texts.
 * Formatting takes a microsecond, and the same instants recur in every room and response.
 */
export function instantWriter(before: string, after: string): (instant: number) => string {
  /** By their minute: small integers make faster keys. */
  const written = new Map<number, string>();
  return (instant) => {
    const minute = instant / MINUTE_MS;
    let text = written.get(minute);
    if (text === undefined) {
      // Unlike a sum of texts, a joined one is in one piece, which is copied at once.
      text = [before, new Date(instant).toISOString(), after].join('');
      if (written.size === MAX_CACHED) written.clear();
      written.set(minute, text);
    }
    return text;
  };
}

/** An instant at which a booking begins or ends, as ISO 8601 in UTC. */
export const toIso = instantWriter('', '');
