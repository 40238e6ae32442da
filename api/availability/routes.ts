import Router from '@koa/router';
import { findRoomCalendars } from '../../db/repositories/rooms/availability-queries.js';
import { availabilityOf } from '../../domain/availability.js';
import { ApiError } from '../../domain/errors.js';
import type { Range } from '../../domain/slots.js';
import { DAY, wallClock } from '../../domain/time-zone.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { validQuery } from '../http/validate.js';
import { presentAvailability } from './presenter.js';
import { availabilitySchema, type AvailabilityQuery } from './schema.js';

const MAX_DAYS = 31;
const COMMA = Buffer.from(',');

/** Refuses a time that ends before it starts or is much too long, before the database is asked for it: 422 on `to`. */
function assertWindow({ start, end }: Range): void {
  if (end <= start) throw new ApiError('validation_failed', 'to must be after from.', { param: 'to' });
  if (end - start > (MAX_DAYS + 1) * DAY) throw tooLong();
}

/** Refuses more than 31 days. A month whose clocks go back is an hour longer, and 31 days by them all the same. */
function assertDays({ start, end }: Range, zones: string[]): void {
  const byTheClock = zones.map((zone) => wallClock(end, zone) - wallClock(start, zone));
  if (Math.min(end - start, ...byTheClock) > MAX_DAYS * DAY) throw tooLong();
}

function tooLong(): ApiError {
  const message = `to may be at most ${MAX_DAYS} days after from.`;
  return new ApiError('validation_failed', message, { param: 'to' });
}

/** Free and busy time (decisions.md, "Bookings": GET /v1/availability). */
export function availabilityRoutes(deps: ApiDependencies): Router {
  const router = new Router();

  /**
   * `GET /v1/availability`: `room_id` or `tier`, `from`, `to`. Rooms in the order of their making, archived ones only
   * where they are asked for; read in one statement.
   * Errors: 422 `validation_failed`, 404 `room_not_found`.
   */
  const availability: Handler = async (ctx) => {
    const query = ctx.state.query as AvailabilityQuery;
    const { room_id, tier, from, to } = query;
    const asked = { start: from.getTime(), end: to.getTime() };
    assertWindow(asked);
    const of = room_id ? { room_id } : { tier: tier! };
    const calendars = await findRoomCalendars(deps.db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      of,
      from,
      to,
    });
    const zones = calendars.map(({ room }) => room.time_zone);
    assertDays(asked, zones);
    if (room_id && calendars.length === 0) {
      throw new ApiError('room_not_found', 'There is no such room.', { param: 'room_id' });
    }
    const now = Date.now();
    // Each room is bytes before the next is looked at: their windows, thousands in all, need not live at once.
    const rooms = calendars.flatMap((calendar, n) => {
      const room = presentAvailability(calendar.room, availabilityOf(calendar, asked, now));
      return n === 0 ? [room] : [COMMA, room];
    });
    ctx.type = 'json';
    ctx.body = Buffer.concat([Buffer.from('{"data":['), ...rooms, Buffer.from(']}')]);
  };

  const mayRead = may('calendar:read', 'own_bookings');
  const signedIn = authenticated(deps);
  router.get('/v1/availability', ...route(signedIn, mayRead, validQuery(availabilitySchema), availability));
  return router;
}
