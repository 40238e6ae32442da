import type { toRoomCalendar } from '../../../../db/queries/bookings/availability.js';
import { computeAvailability } from '../../../../domain/bookings/availability.js';
import { DAY_MS } from '../../../../domain/durations.js';
import { ApiError, invalidField } from '../../../../domain/errors.js';
import { computeFromPrice } from '../../../../domain/rates/from-price.js';
import { presentAvailability } from '../../../../domain/bookings/availability-presenter.js';
import type { TaxCode } from '../../../../domain/rates/price.js';
import type { Range } from '../../../../domain/bookings/slots.js';
import { daysIn } from '../../../../domain/time-zone.js';
import { takeTurns, type Turn } from '../../../http/turns.js';
import { leastPrices } from './least-prices.js';

const MAX_DAYS = 31;
const COMMA = Buffer.from(',');

/** Rejects a range that is empty or far too long, before the database is queried. Errors: 422 on `to`. */
export function assertRange({ start, end }: Range): void {
  if (end <= start) throw invalidField('to', 'must be after from');
  if (end - start > (MAX_DAYS + 1) * DAY_MS) throw tooLong();
}

/** Rejects a range of more than 31 days of each of the zones. */
export function assertDays(range: Range, zones: string[]): void {
  if (daysIn(range, zones) > MAX_DAYS) throw tooLong();
}

function tooLong(): ApiError {
  const message = `to must be at most ${MAX_DAYS} days after from.`;
  return new ApiError('validation_failed', message, { param: 'to' });
}

/**
 * The availability of rooms as JSON. Each room is converted to bytes before the next one is computed, so that
 * their windows are never in memory together. Other requests run in between: a month of one room takes up to
 * 20 ms.
 */
export async function writeAvailability<Room>(
  rooms: Room[],
  write: (room: Room, turn: Turn) => Promise<Buffer>,
): Promise<Buffer> {
  const parts: Buffer[] = [Buffer.from('{"data":[')];
  const turn = takeTurns();
  for (const [n, room] of rooms.entries()) {
    if (n > 0) parts.push(COMMA);
    parts.push(await write(room, turn));
    await turn();
  }
  return Buffer.concat([...parts, Buffer.from(']}')]);
}

/**
 * The availability of a room as JSON. `taxCodes`: those of its workspace, for the
 * lowest price in each window.
 */
export async function writeRoom(
  calendar: ReturnType<typeof toRoomCalendar>,
  range: Range,
  now: number,
  turn: Turn,
  taxCodes?: TaxCode[],
): Promise<Buffer> {
  const { room, asker } = calendar;
  const availability = computeAvailability(calendar, range, now);
  if (turn.isDue()) await turn();
  const from = taxCodes && {
    currency: room.currency,
    least: await leastPrices(
      availability.free,
      computeFromPrice(room, asker?.tier ?? null, taxCodes, now),
      turn,
    ),
  };
  const json = presentAvailability(room, availability, from);
  if (turn.isDue()) await turn();
  return Buffer.from(json);
}
