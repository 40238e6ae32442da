/**
 * UTC offsets of IANA time zones, from the platform's tables (`Intl`). A call to `Intl` takes about 5 µs, so
 * offsets are cached in blocks of 32 days.
 */

import { DAY_MS } from './durations.js';

const BLOCK_MS = 32 * DAY_MS;
/** Enough for all zones for two years ahead. A full cache is emptied. */
const MAX_BLOCKS = 20_000;

/** A time span `[start, end)` in which a zone has one offset; all in milliseconds. */
export interface OffsetSpan {
  start: number;
  end: number;
  /** Wall clock minus UTC. */
  offset: number;
  /** The offset just before `start`. It differs from `offset` if clocks change at `start`. */
  before: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
const blocks = new Map<string, Map<number, OffsetSpan[]>>();
let blockCount = 0;

function newFormatter(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
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
}

/** Zones that were looked up and that the platform does not know. */
const unknown = new Set<string>();
const MAX_UNKNOWN = 1_000;

/** True for a zone that the platform knows, such as `Europe/London`. */
export function isKnownZone(timeZone: string): boolean {
  if (formatters.has(timeZone)) return true;
  if (unknown.has(timeZone)) return false;
  try {
    formatters.set(timeZone, newFormatter(timeZone));
    return true;
  } catch {
    if (unknown.size >= MAX_UNKNOWN) unknown.clear();
    unknown.add(timeZone);
    return false;
  }
}

/**
 * Returns the zone in which times are shown, or UTC if the platform does not know it: pages must still open
 * so that the zone can be corrected (docs/rules/workspace.md#time-zones). Use `knownZone` for decisions that
 * must not be made in another zone.
 */
export const zoneOrUtc = (timeZone: string): string => (isKnownZone(timeZone) ? timeZone : 'UTC');

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  if (isKnownZone(timeZone)) return formatters.get(timeZone)!;
  isKnownZone('UTC');
  return formatters.get('UTC')!;
}

function computeOffset(instant: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterFor(timeZone).formatToParts(instant)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  const wholeSeconds = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  return wholeSeconds - Math.floor(instant / 1000) * 1000;
}

/** Returns the first instant in `(from, to]` whose offset differs from that at `from`. */
function changeBetween(from: number, to: number, timeZone: string): number {
  const offset = computeOffset(from, timeZone);
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (computeOffset(middle, timeZone) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/**
 * Returns the spans of one block. Checks only each midnight, because no zone changes its clocks twice within
 * a day.
 */
function readBlock(start: number, timeZone: string): OffsetSpan[] {
  const first = { start, end: start + BLOCK_MS, offset: computeOffset(start, timeZone) };
  const spans: OffsetSpan[] = [{ ...first, before: computeOffset(start - 1, timeZone) }];
  for (let day = start; day < first.end; day += DAY_MS) {
    const span = spans.at(-1)!;
    const offset = computeOffset(day + DAY_MS - 1, timeZone);
    if (offset === span.offset) continue;
    const change = changeBetween(Math.max(start, day - 1), day + DAY_MS - 1, timeZone);
    spans.push({ start: change, end: span.end, offset, before: span.offset });
    span.end = change;
  }
  return spans;
}

/** Consecutive lookups are mostly for the same span. */
let latest = { timeZone: '', span: { start: 0, end: 0, offset: 0, before: 0 } };

/** Returns the span that contains an instant (UTC milliseconds). Spans also end at block boundaries. */
export function spanAt(instant: number, timeZone: string): OffsetSpan {
  const { span } = latest;
  if (instant >= span.start && instant < span.end && timeZone === latest.timeZone) return span;
  latest = { timeZone, span: findSpan(instant, timeZone) };
  return latest.span;
}

function findSpan(instant: number, timeZone: string): OffsetSpan {
  let ofZone = blocks.get(timeZone);
  if (!ofZone) blocks.set(timeZone, (ofZone = new Map()));
  const block = Math.floor(instant / BLOCK_MS);
  let spans = ofZone.get(block);
  if (!spans) {
    spans = readBlock(block * BLOCK_MS, timeZone);
    if (++blockCount > MAX_BLOCKS) {
      blocks.clear();
      blockCount = 0;
    } else ofZone.set(block, spans);
  }
  let index = 0;
  while (spans[index]!.end <= instant) index++;
  return spans[index]!;
}

/** True for an instant whose wall-clock time occurs twice because clocks go back. */
export function isRepeated(instant: number, timeZone: string): boolean {
  const span = spanAt(instant, timeZone);
  const next = spanAt(span.end, timeZone);
  return (
    instant < span.start + span.before - span.offset || instant >= span.end - (span.offset - next.offset)
  );
}
