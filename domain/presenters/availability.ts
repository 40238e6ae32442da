import type { Availability } from '../availability.js';
import { MINUTE_MS } from '../durations.js';
import type { Range } from '../slots.js';

/** The fields of a room that its availability contains. */
export interface AvailabilityRoomFacts {
  id: string;
  name: string;
  time_zone: string;
  slot_minutes: number;
}

/** Two years of half-hours. A full cache is emptied. */
const MAX_CACHED = 50_000;

/**
 * Instants as ISO 8601, by their minute: small integers make faster keys. Formatting takes a microsecond, and the same
 * instants recur in every room and response.
 */
const formatted = new Map<number, string>();

function format(instant: number): string {
  const minute = instant / MINUTE_MS;
  let text = formatted.get(minute);
  if (text === undefined) {
    text = new Date(instant).toISOString();
    if (formatted.size === MAX_CACHED) formatted.clear();
    formatted.set(minute, text);
  }
  return text;
}

const span = ({ start, end }: Range): string => `"start_at":"${format(start)}","end_at":"${format(end)}"`;

/** The lowest price in each free window, in minor units; null where no booking of the shortest length fits. */
export interface FromPrices {
  currency: string;
  least: (number | null)[];
}

/** A window's price as JSON. Most windows of a room have one of a few. */
function priced({ currency, least }: FromPrices): string[] {
  const texts = new Map<number | null, string>();
  return least.map((amount_minor) => {
    let text = texts.get(amount_minor);
    if (text === undefined) {
      const price = amount_minor === null ? null : { currency, amount_minor };
      texts.set(amount_minor, (text = `,"from_price":${JSON.stringify(price)}`));
    }
    return text;
  });
}

/**
 * Free and busy time of a room as JSON text (docs/rules/rooms.md#availability), without who booked. A response
 * has thousands of windows and nothing in them needs escaping, so appending them to a text takes half the time of
 * `JSON.stringify`.
 */
export function presentAvailability(
  room: AvailabilityRoomFacts,
  { free, busy }: Availability,
  from?: FromPrices,
): string {
  const { id, name, time_zone, slot_minutes } = room;
  let text = JSON.stringify({ room: { id, name }, time_zone, slot_minutes }).slice(0, -1) + ',"free":[';
  let separator = '';
  const prices = from && priced(from);
  for (const [n, window] of free.entries()) {
    text += `${separator}{${span(window)}${prices ? prices[n] : ''}}`;
    separator = ',';
  }
  text += '],"busy":[';
  separator = '';
  for (const window of busy) {
    text += `${separator}{${span(window)},"reason":"${window.reason}"}`;
    separator = ',';
  }
  return text + ']}';
}
