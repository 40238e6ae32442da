import Router from '@koa/router';
import { findBooking, listBookings } from '../../db/repositories/bookings.js';
import { ApiError } from '../../domain/errors.js';
import { holds } from '../../domain/policies.js';
import { presentBooking } from '../../domain/presenters/booking.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { decodeCursor, page } from '../http/cursor.js';
import { validBody, validQuery } from '../http/validate.js';
import { createBooking } from './create.js';
import {
  createSchema,
  isBookingId,
  listSchema,
  normalise,
  windowOf,
  type CreateBody,
  type ListQuery,
} from './schema.js';

/** Bookings: create, get, list (spec.md, "Bookings"; decisions.md, "Bookings"). */
export function bookingRoutes(deps: ApiDependencies): Router {
  const router = new Router();
  const signedIn = authenticated(deps);

  /** The header may repeat the body's key, not contradict it. */
  const sameKey: Handler = async (ctx, next) => {
    const header = ctx.get('idempotency-key');
    if (header && header.toLowerCase() !== (ctx.state.body as CreateBody).idempotency_key) {
      const message = 'The Idempotency-Key header differs from idempotency_key in the body.';
      throw new ApiError('validation_failed', message, { param: 'Idempotency-Key' });
    }
    await next();
  };

  const create: Handler = async (ctx) => {
    const body = ctx.state.body as CreateBody;
    const { principal } = ctx.state;
    const { booking, created } = await createBooking(deps, principal, body.idempotency_key, normalise(body));
    ctx.status = created ? 201 : 200;
    ctx.body = presentBooking(booking);
  };

  const get: Handler = async (ctx) => {
    const { principal } = ctx.state;
    const { id } = ctx.params;
    const booking = isBookingId(id!) ? await findBooking(deps.db.manager, principal.workspace_id, id!) : null;
    const own = booking?.member_id === principal.member_id;
    if (!booking || !(own || holds(principal.role, 'all_bookings'))) {
      throw new ApiError('booking_not_found', 'There is no such booking.');
    }
    ctx.body = presentBooking(booking);
  };

  const list: Handler = async (ctx) => {
    const { principal } = ctx.state;
    const query = ctx.state.query as ListQuery;
    const own = holds(principal.role, 'all_bookings') ? query.member_id : principal.member_id;
    const after = query.cursor ? decodeCursor(query.cursor, isBookingId) : undefined;
    const othersAsked = own !== query.member_id && query.member_id !== undefined;
    const rows = othersAsked
      ? []
      : await listBookings(deps.db.manager, {
          workspace_id: principal.workspace_id,
          ...windowOf(query, new Date()),
          status: query.status,
          room_id: query.room_id,
          member_id: own,
          company_id: query.company_id,
          after: after && { start_at: after.key, id: after.id },
          limit: query.limit + 1,
        });
    ctx.body = page(rows, query.limit, (row) => row.start_at, presentBooking);
  };

  const mayRead = may('calendar:read', 'own_bookings');
  const mayWrite = may('calendar:write', 'own_bookings');
  router.get('/v1/bookings', ...route(signedIn, mayRead, validQuery(listSchema), list));
  router.post('/v1/bookings', ...route(signedIn, mayWrite, validBody(createSchema), sameKey, create));
  router.get('/v1/bookings/:id', ...route(signedIn, mayRead, get));
  return router;
}
