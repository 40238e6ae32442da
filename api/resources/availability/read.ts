import { setImmediate } from 'node:timers/promises';
import { findRoomCalendars } from '../../../db/queries/rooms/availability.js';
import { availabilityOf } from '../../../domain/availability.js';
import { DAY_MS } from '../../../domain/durations.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { presentAvailability } from '../../../domain/presenters/availability.js';
import type { Range } from '../../../domain/slots.js';
import { wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import type { Query } from './shape.js';

const MAX_DAYS = 31;
const COMMA = Buffer.from(',');
/** How long a response is computed before other requests get a turn. */
const TURN_MS = 5;

type Calendars = Awaited<ReturnType<typeof findRoomCalendars>>;

/** Refuses a range that is empty or far too long before the database is queried. Errors: 422 on `to`. */
function assertRange({ start, end }: Range): void {
  if (end <= start) throw invalidField('to', 'must be after from');
  if (end - start > (MAX_DAYS + 1) * DAY_MS) throw tooLong();
}

/** Refuses more than 31 days. A month with the end of daylight saving is an hour longer but has 31 local days. */
function assertDays({ start, end }: Range, zones: string[]): void {
  const localLengths = zones.map((zone) => wallClock(end, zone) - wallClock(start, zone));
  if (Math.min(end - start, ...localLengths) > MAX_DAYS * DAY_MS) throw tooLong();
}

function tooLong(): ApiError {
  const message = `to must be at most ${MAX_DAYS} days after from.`;
  return new ApiError('validation_failed', message, { param: 'to' });
}

/**
 * `GET /v1/availability` (docs/rules/rooms.md#availability). Rooms are sorted by creation time; an archived room is
 * included only if it is requested by id. Errors: 404 `room_not_found`, 422 `validation_failed`.
 */
export function get({ db }: Pick<ApiDependencies, 'db'>): Handler<unknown, Query> {
  return async (ctx) => {
    const { room_id, tier, from, to } = ctx.state.query;
    const range = { start: from.getTime(), end: to.getTime() };
    assertRange(range);
    const calendars = await findRoomCalendars(db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      of: room_id ? { room_id } : { tier: tier! },
      from,
      to,
    });
    const zones = calendars.map(({ room }) => room.time_zone);
    assertDays(range, zones);
    if (room_id && calendars.length === 0)
      throw new ApiError('room_not_found', 'No such room.', { param: 'room_id' });
    ctx.type = 'json';
    ctx.body = await writeAvailability(calendars, range, Date.now());
  };
}

/**
 * The availability of rooms as JSON. Each room is turned into bytes before the next one is computed, so that their
 * windows are never all in memory. Other requests are served in between: a month of one room takes up to 20 ms.
 */
export async function writeAvailability(calendars: Calendars, range: Range, now: number): Promise<Buffer> {
  const parts = [Buffer.from('{"data":[')];
  let turn = performance.now();
  for (const [n, calendar] of calendars.entries()) {
    if (n > 0) parts.push(COMMA);
    parts.push(Buffer.from(presentAvailability(calendar.room, availabilityOf(calendar, range, now))));
    if (performance.now() - turn < TURN_MS) continue;
    await setImmediate();
    turn = performance.now();
  }
  return Buffer.concat([...parts, Buffer.from(']}')]);
}
