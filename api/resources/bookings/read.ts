import { findBooking, listBookingTexts, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { ApiError } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { decodeCursor, page } from '../../http/cursor.js';
import { bytesOf } from '../../http/json.js';
import { Written } from '../../http/written.js';
import { windowOf } from './aliases.js';
import { hasManageLinks, presentBookingFor } from './present.js';
import { isBookingId, type ListQuery } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;
type LinkingDeps = Pick<ApiDependencies, 'db' | 'manageLinks'>;

/**
 * A booking as it is now, for a request that knows it already. A database that was restored meanwhile may
 * lack it. Errors: 404 `booking_not_found`.
 */
export async function changedBooking(
  { db }: Deps,
  { workspace_id, id }: Pick<BookingRow, 'workspace_id' | 'id'>,
): Promise<BookingRow> {
  const booking = await findBooking(db.manager, workspace_id, id);
  if (!booking) throw new ApiError('booking_not_found', 'No such booking.');
  return booking;
}

/** The booking in the path if the caller may see it. Errors: 404 `booking_not_found`. */
export async function bookingOf(
  { state: { principal }, params: { id } }: ApiContext,
  { db }: Deps,
): Promise<BookingRow> {
  const booking = isBookingId(id!) ? await findBooking(db.manager, principal.workspace_id, id!) : null;
  const isOwn = booking?.member_id === principal.member_id;
  if (!booking || !(isOwn || can(principal.role, 'all_bookings')))
    throw new ApiError('booking_not_found', 'No such booking.');
  return booking;
}

/** `GET /v1/bookings/{id}` */
export function get(deps: LinkingDeps): Handler {
  return async (ctx) => {
    ctx.body = presentBookingFor(deps, ctx.state.principal, await bookingOf(ctx, deps));
  };
}

/** `GET /v1/bookings`, by start (docs/rules/bookings.md#list). */
export function list(deps: LinkingDeps): Handler<unknown, ListQuery> {
  const { db } = deps;
  const written = new Written();
  return async (ctx) => {
    const { principal, query } = ctx.state;
    const { workspace_id } = principal;
    const after = decodeCursor(query.cursor, isBookingId);
    const now = new Date();
    const { texts, rows } = await listBookingTexts(db.manager, {
      workspace_id,
      ...windowOf(query, now, after),
      status: query.status,
      room_id: query.room_id,
      member_id: query.member_id,
      company_id: query.company_id,
      only_of: can(principal.role, 'all_bookings') ? undefined : principal.member_id,
      reference: query.reference,
      q: query.q,
      after: after && { start_at: after.key, id: after.id },
      limit: query.limit + 1,
    });
    const { limit } = query;
    const key = [workspace_id, hasManageLinks(principal), ctx.querystring].join(' ');
    ctx.type = 'json';
    ctx.body = await written.of(key, texts, now.getTime(), () =>
      bytesOf(
        page(
          rows(),
          limit,
          (row) => row.start_at,
          (row) => presentBookingFor(deps, principal, row),
        ),
      ),
    );
  };
}
