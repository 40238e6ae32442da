import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../durations.js';
import { toInstant, wallClock } from '../time-zone.js';
import { spanAt, type OffsetSpan } from '../utc-offsets.js';

/**
 * A room's grid: wall-clock lines every `slot_minutes` from midnight (docs/rules/rooms.md#slot-grid). If
 * clocks jump forward over a line, the first instant after the jump replaces it. Lines in a repeated hour
 * exist twice.
 */
export interface Grid {
  slot_minutes: number;
  time_zone: string;
}

/** True if the start of a span replaces a line that the clock jumped over. */
function beginsWithLine({ start, offset, before }: OffsetSpan, slot: number): boolean {
  return offset > before && Math.floor((start + offset) / slot) * slot >= start + before;
}

/** Returns the first line at or after an instant (UTC milliseconds). */
export function lineFrom(instant: number, { slot_minutes, time_zone }: Grid): number {
  const slot = slot_minutes * MINUTE_MS;
  for (let at = instant; ;) {
    const span = spanAt(at, time_zone);
    if (at === span.start && beginsWithLine(span, slot)) return at;
    const line = Math.ceil((at + span.offset) / slot) * slot - span.offset;
    if (line < span.end) return line;
    at = span.end;
  }
}

/** Returns the last line at or before an instant (UTC milliseconds). */
export function lineUntil(instant: number, { slot_minutes, time_zone }: Grid): number {
  const slot = slot_minutes * MINUTE_MS;
  for (let at = instant; ;) {
    const span = spanAt(at, time_zone);
    const line = Math.floor((at + span.offset) / slot) * slot - span.offset;
    if (line >= span.start) return line;
    if (beginsWithLine(span, slot)) return span.start;
    at = span.start - 1;
  }
}

/** True if an instant is on the grid. */
export function onGrid(instant: number, grid: Grid): boolean {
  return lineFrom(instant, grid) === instant;
}

/**
 * True if all lines in `[start, end]` are `slot_minutes` apart, so that no clock change inside or at either
 * end shifts them.
 */
export function isEven(start: number, end: number, grid: Grid): boolean {
  const slot = grid.slot_minutes * MINUTE_MS;
  for (let span = spanAt(start - 1, grid.time_zone); span.end <= end;) {
    const after = lineFrom(span.end, grid);
    if (after - lineUntil(span.end - 1, grid) !== slot || lineFrom(after + 1, grid) - after !== slot)
      return false;
    span = spanAt(span.end, grid.time_zone);
  }
  return true;
}

/**
 * True if slots are whole days. Lengths are then days of the room's clock, of 23, 24 or 25 hours
 * (docs/rules/rooms.md#days).
 */
export const hasDays = ({ slot_minutes }: Pick<Grid, 'slot_minutes'>): boolean =>
  slot_minutes % DAY_MINUTES === 0;

/**
 * Returns the length of a booking as limits and forms count it, in minutes: 1,440 per day if slots are days,
 * otherwise the elapsed minutes.
 */
export function countedMinutes({ start, end }: { start: number; end: number }, grid: Grid): number {
  if (!hasDays(grid)) return (end - start) / MINUTE_MS;
  const days = (wallClock(end, grid.time_zone) - wallClock(start, grid.time_zone)) / DAY_MS;
  // A day whose midnight is skipped begins a little later.
  return Math.round(days) * DAY_MINUTES;
}

/**
 * Returns the end of a booking that starts on a line and has a length as forms count it. That is `minutes`
 * later in elapsed time. If that is off the grid, for example after a clock change on a grid of several
 * hours, it is `minutes` later on the wall clock. If neither is on the grid, the elapsed time is used.
 */
export function addLength(start: number, minutes: number, grid: Grid): number {
  const elapsed = start + minutes * MINUTE_MS;
  if (!hasDays(grid) && onGrid(elapsed, grid)) return elapsed;
  const slot = grid.slot_minutes * MINUTE_MS;
  // The wall-clock time of the line at the start, or that the start replaces.
  const line = Math.floor(wallClock(start, grid.time_zone) / slot) * slot;
  const byClock = toInstant(line + minutes * MINUTE_MS, grid.time_zone);
  return onGrid(byClock, grid) ? byClock : elapsed;
}
