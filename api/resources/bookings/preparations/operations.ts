import {
  listPreparations as find,
  type PreparationFilter,
} from '../../../../db/queries/bookings/preparation.js';
import { findZone } from '../../../../db/queries/workspaces/workspace.js';
import type { BookingRow } from '../../../../db/queries/bookings/booking.js';
import { presentPreparation } from '../../../../domain/bookings/preparation-presenter.js';
import { assertDayRange } from '../../../../domain/day-range.js';
import { ApiError } from '../../../../domain/errors.js';
import type { ApiDependencies } from '../../../dependencies.js';
import { timestamp, uuid } from '../../../http/fields.js';
import { operation } from '../../../http/operation.js';
import { array, object } from '../../../http/typed.js';
import { lunch } from '../../extras/operations.js';
import { exampleTime } from '../../shared/examples.js';
import type { Resource } from '../../shared/resource.js';
import * as s from '../../shared/shapes.js';
import { confirmed } from '../examples.js';
import { bookedExtras } from '../booking.js';

const MAX_DAYS = 31;
/** About 2 MB. */
const MAX_BOOKINGS = 5_000;

/**
 * What is to be prepared in a time (docs/rules/extras.md#preparations). Errors: 422
 * `validation_failed` on `to` if it is not after `from`, if it is more than 31 days of the workspace's zone
 * later, or if there are more than 5,000 bookings, since a list must not omit some silently.
 */
export async function readPreparations(
  { db }: Pick<ApiDependencies, 'db'>,
  filter: Omit<PreparationFilter, 'limit'>,
): Promise<BookingRow[]> {
  assertDayRange(filter, MAX_DAYS, await findZone(db.manager, filter.workspace_id));
  const rows = await find(db.manager, { ...filter, limit: MAX_BOOKINGS + 1 });
  if (rows.length <= MAX_BOOKINGS) return rows;
  throw new ApiError(
    'validation_failed',
    `More than ${MAX_BOOKINGS} bookings start in this range. Request a shorter range or one room.`,
    { param: 'to' },
  );
}

const preparation = s.presentedBy(
  presentPreparation,
  s.shape({
    booking_id: s.prefixedId('bk').description('The booking.'),
    reference: s.anyText.description('The reference of the booking.'),
    room: s.roomReference.description('The room.'),
    start_at: s.instant.description('The start, inclusive.'),
    end_at: s.instant.description('The end, exclusive.'),
    attendees: s.count.description('The number of people.'),
    notes: s.nullableText.description('Free text for staff.'),
    extras: bookedExtras.description('The extras that are booked with the room.'),
  }),
);

export const toPrepare = s.shape({
  data: array(preparation).description('The bookings by room, then by start.'),
});

const { reference, room, start_at, end_at, attendees, notes } = confirmed;

export const listPreparations = operation({
  route: 'GET /v1/preparations',
  summary: 'List preparations',
  description:
    'Returns what to prepare for the confirmed bookings that start in `[from, to)`, by room, then by ' +
    'start. The range is at most 31 days. Requires the role `front_desk`, `admin` or `owner`.',
  scope: 'calendar:read',
  capability: 'all_bookings',
  query: object(
    {
      from: timestamp.description('Returns only bookings that start at or after this time.'),
      to: timestamp.description(
        'Returns only bookings that start before this time; at most 31 days after `from`.',
      ),
      room_id: uuid.description('Returns only bookings of this room.'),
    },
    'from',
    'to',
  ),
  responses: { 200: toPrepare },
  examples: {
    query: { from: exampleTime(45, 0), to: exampleTime(46, 0) },
    response: {
      data: [
        {
          booking_id: confirmed.id,
          reference,
          room,
          start_at,
          end_at,
          attendees,
          notes,
          extras: [{ extra_id: lunch.id, name: lunch.name, quantity: 4 }],
        },
      ],
    },
  },
  run: async ({ query }, { workspace_id }, deps) => ({
    data: (await readPreparations(deps, { ...query, workspace_id })).map(presentPreparation),
  }),
});

/** What is to be prepared (docs/rules/extras.md#preparations). */
export const preparations: Resource = { tag: 'Extras', operations: [listPreparations] };
