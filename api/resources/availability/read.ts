import { findRoomCalendars } from '../../../db/queries/rooms/availability.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { availabilityOf } from '../../../domain/availability.js';
import { DAY_MS } from '../../../domain/durations.js';
import { availabilityCost } from '../../../domain/limits.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { fromPriceOf } from '../../../domain/from-price.js';
import { presentAvailability } from '../../../domain/presenters/availability.js';
import type { TaxCode } from '../../../domain/price.js';
import type { Range } from '../../../domain/slots.js';
import { wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { limiter, type LimitsDependencies } from '../../http/limits.js';
import { takeTurns } from '../../http/turns.js';
import { leastPrices } from './least-prices.js';
import type { Query } from './shape.js';

const MAX_DAYS = 31;
const COMMA = Buffer.from(',');

type Calendars = Awaited<ReturnType<typeof findRoomCalendars>>;

/** Refuses a range that is empty or far too long before the database is queried. Errors: 422 on `to`. */
export function assertRange({ start, end }: Range): void {
  if (end <= start) throw invalidField('to', 'must be after from');
  if (end - start > (MAX_DAYS + 1) * DAY_MS) throw tooLong();
}

/** Refuses more than 31 days. A month with the end of daylight saving is an hour longer but has 31 local days. */
export function assertDays({ start, end }: Range, zones: string[]): void {
  const localLengths = zones.map((zone) => wallClock(end, zone) - wallClock(start, zone));
  if (Math.min(end - start, ...localLengths) > MAX_DAYS * DAY_MS) throw tooLong();
}

function tooLong(): ApiError {
  const message = `to must be at most ${MAX_DAYS} days after from.`;
  return new ApiError('validation_failed', message, { param: 'to' });
}

/**
 * `GET /v1/availability` (docs/rules/rooms.md#availability). Rooms are sorted by creation time; an archived room is
 * included only if it is requested by id. What it costs beyond a request
 * is counted once its rooms are known. Errors: 404 `room_not_found`, 422 `validation_failed`, 429 `rate_limited`.
 */
export function get(deps: Pick<ApiDependencies, 'db'> & LimitsDependencies): Handler<unknown, Query> {
  const { db } = deps;
  const limit = limiter(deps);
  return async (ctx) => {
    const { room_id, tier, from, to, include } = ctx.state.query;
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
    const cost = availabilityCost(calendars.length, (range.end - range.start) / DAY_MS);
    if (cost > 0) await limit(ctx, { cost });
    ctx.type = 'json';
    const { workspace_id } = ctx.state.principal;
    const taxCodes = include && (await findWorkspace(db.manager, workspace_id))!.tax_codes;
    ctx.body = await writeAvailability(calendars, range, Date.now(), taxCodes);
  };
}

/**
 * The availability of rooms as JSON. Each room is turned into bytes before the next one is computed, so that their
 * windows are never all in memory. Other requests are served in between: a month of one room takes up to 20 ms.
 * `taxCodes`: those of the workspace, for the lowest price in each window.
 */
export async function writeAvailability(
  calendars: Calendars,
  range: Range,
  now: number,
  taxCodes?: TaxCode[],
): Promise<Buffer> {
  const parts = [Buffer.from('{"data":[')];
  const turn = takeTurns();
  for (const [n, calendar] of calendars.entries()) {
    const { room, tier } = calendar;
    if (n > 0) parts.push(COMMA);
    const availability = availabilityOf(calendar, range, now);
    const from = taxCodes && {
      currency: room.currency,
      least: await leastPrices(availability.free, fromPriceOf(room, tier, taxCodes, now), turn),
    };
    parts.push(Buffer.from(presentAvailability(room, availability, from)));
    await turn();
  }
  return Buffer.concat([...parts, Buffer.from(']}')]);
}
