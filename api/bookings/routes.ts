import Router from '@koa/router';
import {
  type BookingRow,
  findBooking,
  listBookings,
} from '../../db/repositories/bookings/booking-queries.js';
import { ApiError } from '../../domain/errors.js';
import { can } from '../../domain/policies.js';
import { presentBooking } from '../../domain/presenters/booking.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { decodeCursor, page } from '../http/cursor.js';
import { validBody, validQuery } from '../http/validate.js';
import { cancelBooking } from './cancel.js';
import { changeBooking } from './change.js';
import { createBooking } from './create.js';
import { markNoShow } from './no-show.js';
import {
  cancelSchema,
  changeSchema,
  createSchema,
  isBookingId,
  listSchema,
  noShowSchema,
  normalise,
  windowOf,
  type CancelBody,
  type ChangeBody,
  type CreateBody,
  type ListQuery,
} from './schema.js';

/** Bookings: create, get, list, change, cancel, no-show (spec.md, "Bookings"; decisions.md, "Bookings"). */
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

  /** The booking in the path, if the caller may see it; another's is not found. */
  async function bookingOf({ state: { principal }, params: { id } }: ApiContext): Promise<BookingRow> {
    const booking = isBookingId(id!) ? await findBooking(deps.db.manager, principal.workspace_id, id!) : null;
    const own = booking?.member_id === principal.member_id;
    if (!booking || !(own || can(principal.role, 'all_bookings'))) {
      throw new ApiError('booking_not_found', 'There is no such booking.');
    }
    return booking;
  }

  const get: Handler = async (ctx) => {
    ctx.body = presentBooking(await bookingOf(ctx));
  };

  const change: Handler = async (ctx) => {
    const { principal, body } = ctx.state;
    ctx.body = await changeBooking(deps, principal, await bookingOf(ctx), body as ChangeBody);
  };

  const cancel: Handler = async (ctx) => {
    const { principal, body } = ctx.state;
    ctx.status = 200;
    ctx.body = await cancelBooking(deps, principal, await bookingOf(ctx), body as CancelBody);
  };

  const noShow: Handler = async (ctx) => {
    ctx.status = 200;
    ctx.body = presentBooking(await markNoShow(deps.db, await bookingOf(ctx)));
  };

  const list: Handler = async (ctx) => {
    const { principal } = ctx.state;
    const query = ctx.state.query as ListQuery;
    const after = query.cursor ? decodeCursor(query.cursor, isBookingId) : undefined;
    const rows = await listBookings(deps.db.manager, {
      workspace_id: principal.workspace_id,
      ...windowOf(query, new Date(), after),
      status: query.status,
      room_id: query.room_id,
      member_id: query.member_id,
      company_id: query.company_id,
      only_of: can(principal.role, 'all_bookings') ? undefined : principal.member_id,
      q: query.q,
      after: after && { start_at: after.key, id: after.id },
      limit: query.limit + 1,
    });
    ctx.body = page(rows, query.limit, (row) => row.start_at, presentBooking);
  };

  const mayRead = may('calendar:read', 'own_bookings');
  const mayWrite = may('calendar:write', 'own_bookings');
  const mayMark = may('calendar:write', 'all_bookings');
  router.get('/v1/bookings', ...route(signedIn, mayRead, validQuery(listSchema), list));
  router.post('/v1/bookings', ...route(signedIn, mayWrite, validBody(createSchema), sameKey, create));
  router.get('/v1/bookings/:id', ...route(signedIn, mayRead, get));
  router.patch('/v1/bookings/:id', ...route(signedIn, mayWrite, validBody(changeSchema), change));
  router.post('/v1/bookings/:id/cancel', ...route(signedIn, mayWrite, validBody(cancelSchema), cancel));
  router.post('/v1/bookings/:id/no-show', ...route(signedIn, mayMark, validBody(noShowSchema), noShow));
  return router;
}
