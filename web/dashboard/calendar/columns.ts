import type { CalendarBooking } from '../../../db/queries/bookings/booking.js';
import { availabilityOf, type RoomCalendar } from '../../../domain/availability.js';
import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../../../domain/durations.js';
import type { Range } from '../../../domain/slots.js';
import type { BlackoutRow } from '../../../db/queries/rooms/blackout.js';
import { instantOf, wallClock } from '../../../domain/time-zone.js';

/** Minutes of a row of the grid. */
export const STEP = 30;

/** What is in a part of a column. */
export type Block =
  | { kind: 'free'; start: number; end: number }
  | { kind: 'closed' | 'past' | 'buffer' | 'short'; start: number; end: number }
  | { kind: 'blackout'; start: number; end: number; blackouts: RoomBlackout[] }
  | { kind: 'bookings'; start: number; end: number; bookings: CalendarBooking[] };

/** A day of a room, in the room's zone. */
export interface Column {
  room: RoomCalendar['room'] & { id: string; name: string };
  /** The wall-clock midnight, as if it were UTC. */
  midnight: number;
  bookings: CalendarBooking[];
  free: Range[];
  busy: (Range & { reason: string })[];
  blackouts: RoomBlackout[];
}

/** A blackout of a room. */
export type RoomBlackout = BlackoutRow & { room_id: string };

/** A room's day with its bookings, and what else is not free. */
export function columnOf(
  calendar: RoomCalendar & { room: Column['room'] },
  midnight: number,
  bookings: CalendarBooking[],
  blackouts: RoomBlackout[],
  now: number,
): Column {
  const { room } = calendar;
  const day = {
    start: instantOf(midnight, room.time_zone),
    end: instantOf(midnight + DAY_MS, room.time_zone),
  };
  const { free, busy } = availabilityOf(calendar, day, now);
  const mine = bookings.filter(
    ({ room_id, start_at, end_at }) =>
      room_id === room.id && start_at.getTime() < day.end && end_at.getTime() > day.start,
  );
  const closing = blackouts.filter(
    ({ room_id, ...blackout }) => room_id === room.id && overlaps(day, rangeOf(blackout)),
  );
  return { room, midnight, bookings: mine, free, busy, blackouts: closing };
}

const rangeOf = ({ start_at, end_at }: { start_at: Date; end_at: Date }): Range => ({
  start: start_at.getTime(),
  end: end_at.getTime(),
});

const overlaps = (a: Range, b: Range): boolean => a.start < b.end && b.start < a.end;

/** The blocks of a column between two minutes of the day, from top to bottom; each is whole rows. */
export function blocksOf(column: Column, from: number, to: number, now = Date.now()): Block[] {
  const { room, midnight, bookings, free, busy } = column;
  const at = (minute: number): number => instantOf(midnight + minute * MINUTE_MS, room.time_zone);
  const blocks: Block[] = [];
  for (let minute = from; minute < to; minute += STEP) {
    const row = { start: at(minute), end: at(minute + STEP) };
    const inRow = bookings.filter(({ start_at, end_at }) =>
      overlaps(row, { start: start_at.getTime(), end: end_at.getTime() }),
    );
    const before = blocks.at(-1);
    if (inRow.length > 0) {
      const continues =
        before?.kind === 'bookings' && inRow.some((booking) => before.bookings.includes(booking));
      if (continues) {
        before.end = minute + STEP;
        before.bookings.push(...inRow.filter((booking) => !before.bookings.includes(booking)));
      } else blocks.push({ kind: 'bookings', start: minute, end: minute + STEP, bookings: inRow });
      continue;
    }
    // A free row can be booked from its start; other times are chosen in the form.
    const isFree = free.some((window) => window.start <= row.start && window.end >= row.end);
    const reason = busy.find((window) => overlaps(row, window))?.reason;
    const kind = isFree ? 'free' : row.start < now ? 'past' : kindOf(reason, inBuffer(row, column));
    const end = minute + STEP;
    if (kind === 'blackout') {
      const inThis = column.blackouts.filter((blackout) => overlaps(row, rangeOf(blackout)));
      const continues =
        before?.kind === 'blackout' && inThis.every((blackout) => before.blackouts.includes(blackout));
      if (continues) before.end = end;
      else blocks.push({ kind, start: minute, end, blackouts: inThis });
    } else if (before?.kind === kind && kind !== 'free') before.end = end;
    else blocks.push({ kind, start: minute, end });
  }
  return blocks;
}

/** Whether a row is within the turnaround before or after a booking. */
function inBuffer(row: Range, { room, bookings }: Column): boolean {
  const buffer = room.turnaround_minutes * MINUTE_MS;
  return bookings.some(({ start_at, end_at }) =>
    overlaps(row, { start: start_at.getTime() - buffer, end: end_at.getTime() + buffer }),
  );
}

function kindOf(reason: string | undefined, isBuffer: boolean): 'closed' | 'blackout' | 'buffer' | 'short' {
  if (reason === 'booked') return isBuffer ? 'buffer' : 'short';
  return reason === 'blackout' ? 'blackout' : 'closed';
}

/** The minutes of the day that a grid shows: usual hours, and the time of each booking. */
export function shownMinutes(columns: Column[], all: boolean): { from: number; to: number } {
  if (all) return { from: 0, to: DAY_MINUTES };
  let [from, to] = [8 * 60, 20 * 60];
  for (const { room, midnight, bookings } of columns)
    for (const { start_at, end_at } of bookings) {
      const minuteOf = (time: Date): number =>
        Math.min(
          DAY_MINUTES,
          Math.max(0, (wallClock(time.getTime(), room.time_zone) - midnight) / MINUTE_MS),
        );
      from = Math.min(from, Math.floor(minuteOf(start_at) / 60) * 60);
      to = Math.max(to, Math.ceil(minuteOf(end_at) / 60) * 60);
    }
  return { from, to };
}

/** `10:00` of a minute of the day. */
export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
