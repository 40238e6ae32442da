import { calendarOf, findRoomFacts } from '../../../../db/queries/bookings/availability.js';
import { findWorkspace } from '../../../../db/queries/workspaces/workspace.js';
import { availabilityOf } from '../../../../domain/bookings/availability.js';
import { DAY_MS } from '../../../../domain/durations.js';
import { availabilityCost } from '../../../../domain/api-keys/limits.js';
import { ApiError, invalidField } from '../../../../domain/errors.js';
import { fromPriceOf } from '../../../../domain/rates/from-price.js';
import { presentAvailability } from '../../../../domain/bookings/availability-presenter.js';
import type { TaxCode } from '../../../../domain/rates/price.js';
import type { Range } from '../../../../domain/bookings/slots.js';
import { wallClock } from '../../../../domain/time-zone.js';
import type { ApiDependencies } from '../../../dependencies.js';
import type { Handler } from '../../../http/context.js';
import { limiter, type LimitsDependencies } from '../../../http/limits.js';
import { takeTurns, type Turn } from '../../../http/turns.js';
import { Written } from '../../../http/written.js';
import { leastPrices } from './least-prices.js';
import type { Query } from './shape.js';

const MAX_DAYS = 31;
const COMMA = Buffer.from(',');

/** Refuses a range that is empty or far too long before the database is queried. Errors: 422 on `to`. */
export function assertRange({ start, end }: Range): void {
  if (end <= start) throw invalidField('to', 'must be after from');
  if (end - start > (MAX_DAYS + 1) * DAY_MS) throw tooLong();
}

/**
 * Refuses more than 31 days. A month with the end of daylight saving is an hour longer but has 31 local days.
 */
export function assertDays({ start, end }: Range, zones: string[]): void {
  const localLengths = zones.map((zone) => wallClock(end, zone) - wallClock(start, zone));
  if (Math.min(end - start, ...localLengths) > MAX_DAYS * DAY_MS) throw tooLong();
}

function tooLong(): ApiError {
  const message = `to must be at most ${MAX_DAYS} days after from.`;
  return new ApiError('validation_failed', message, { param: 'to' });
}

/**
 * `GET /v1/availability` (docs/rules/rooms.md#availability). Rooms are sorted by creation time; an archived
 * room is included only if it is requested by id. What it costs beyond a request is counted once its rooms
 * are known. Errors: 404 `room_not_found`, 422 `validation_failed`, 429 `rate_limited`.
 */
export function get(deps: Pick<ApiDependencies, 'db'> & LimitsDependencies): Handler<unknown, Query> {
  const { db } = deps;
  const limit = limiter(deps);
  const written = new Written();
  return async (ctx) => {
    const { room_id, tier, from, to, include } = ctx.state.query;
    const range = { start: from.getTime(), end: to.getTime() };
    assertRange(range);
    const rooms = await findRoomFacts(db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      of: room_id ? { room_id } : { tier: tier! },
      from,
      to,
    });
    assertDays(
      range,
      rooms.map(({ time_zone }) => time_zone),
    );
    if (room_id && rooms.length === 0)
      throw new ApiError('room_not_found', 'No such room.', { param: 'room_id' });
    const cost = availabilityCost(rooms.length, (range.end - range.start) / DAY_MS);
    if (cost > 0) await limit(ctx, { cost });
    ctx.type = 'json';
    const { workspace_id } = ctx.state.principal;
    const taxCodes = include && (await findWorkspace(db.manager, workspace_id))!.tax_codes;
    const now = Date.now();
    const key = `${range.start} ${range.end} ${tier}`;
    ctx.body = await writeAvailability(rooms, (room, turn) => {
      const write = (): Promise<Buffer> =>
        writeRoom(calendarOf(room, tier ?? null), range, now, turn, taxCodes);
      return taxCodes ? write() : written.of(`${room.id} ${key}`, [room.facts], now, write);
    });
  };
}

/**
 * The availability of rooms as JSON. Each is turned into bytes before the next one is computed,
 * so that their windows are never all in memory. Other requests are served in between: a month of
 * one room takes up to 20 ms.
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
  calendar: ReturnType<typeof calendarOf>,
  range: Range,
  now: number,
  turn: Turn,
  taxCodes?: TaxCode[],
): Promise<Buffer> {
  const { room, tier } = calendar;
  const availability = availabilityOf(calendar, range, now);
  const from = taxCodes && {
    currency: room.currency,
    least: await leastPrices(availability.free, fromPriceOf(room, tier, taxCodes, now), turn),
  };
  return Buffer.from(presentAvailability(room, availability, from));
}
