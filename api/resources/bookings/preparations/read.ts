import { listPreparations, type PreparationFilter } from '../../../../db/queries/bookings/preparation.js';
import type { BookingRow } from '../../../../db/queries/bookings/booking.js';
import { DAY_MS } from '../../../../domain/durations.js';
import { ApiError, invalidField } from '../../../../domain/errors.js';
import { presentPreparation } from '../../../../domain/bookings/preparation-presenter.js';
import type { ApiDependencies } from '../../../dependencies.js';
import type { Handler } from '../../../http/context.js';
import type { Query } from './shape.js';

const MAX_DAYS = 31;
/** About 2 MB. */
const MAX_BOOKINGS = 5_000;

/**
 * What is to be prepared in a time (docs/rules/extras.md#preparations). Errors: 422
 * `validation_failed` on `to` if it is not after `from` or there are more than 5,000 bookings, since a
 * list must not omit some silently.
 */
export async function readPreparations(
  { db }: Pick<ApiDependencies, 'db'>,
  filter: Omit<PreparationFilter, 'limit'>,
): Promise<BookingRow[]> {
  const { from, to } = filter;
  if (to <= from) throw invalidField('to', 'must be after {from}');
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    throw invalidField('to', `must be at most ${MAX_DAYS} days after {from}`);
  const rows = await listPreparations(db.manager, { ...filter, limit: MAX_BOOKINGS + 1 });
  if (rows.length <= MAX_BOOKINGS) return rows;
  throw new ApiError(
    'validation_failed',
    `More than ${MAX_BOOKINGS} bookings start in this range. Request a shorter range or one room.`,
    { param: 'to' },
  );
}

/** `GET /v1/preparations` */
export function get(deps: Pick<ApiDependencies, 'db'>): Handler<unknown, Query> {
  return async (ctx) => {
    const { workspace_id } = ctx.state.principal;
    const rows = await readPreparations(deps, { ...ctx.state.query, workspace_id });
    ctx.body = { data: rows.map(presentPreparation) };
  };
}
