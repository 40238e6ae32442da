import { TIERS } from '../../../../domain/rates/price.js';
import { UNAVAILABLE_REASONS } from '../../../../domain/bookings/slots.js';
import { timestamp, uuid } from '../../../http/fields.js';
import { array, object, oneOf, optional, type Infer } from '../../../http/typed.js';
import * as s from '../../shared/shapes.js';

/** Query of `GET /v1/availability`: a room, or all rooms that a tier can book. */
export const querySchema = object(
  {
    room_id: uuid.description('The room.'),
    tier: oneOf(TIERS).description('A tier, for all rooms that it can book.'),
    from: timestamp.description('The start of the time range, inclusive.'),
    to: timestamp.description('The end of the time range, exclusive; at most 31 days after `from`.'),
    include: oneOf(['price']).description('`price` for the lowest price in each free window.'),
  },
  'from',
  'to',
).xor('room_id', 'tier');
export type Query = Infer<typeof querySchema>;

/** A window of time. */
export const window = {
  start_at: s.instant.description('The start of the window, inclusive.'),
  end_at: s.instant.description('The end of the window, exclusive.'),
};

/** A room whose time is shown. */
export const roomOfTime = {
  room: s
    .shape({
      id: s.anyUuid.description('The id of the room.'),
      name: s.anyText.description('The name of the room.'),
    })
    .description('The room.'),
  time_zone: s.anyText.description('The IANA time zone of the room.'),
  slot_minutes: s.count.description('The distance between lines of the slot grid, in minutes.'),
};

/** What a free window promises. */
export const FREE =
  'The windows in which every booking on the grid with an allowed length can be created now.';

/** Free and busy time, as `presentAvailability` writes it for each room. */
export const availability = s.shape({
  data: array(
    s.shape({
      ...roomOfTime,
      free: array(
        s.shape({
          ...window,
          from_price: optional(s.orNull(s.money)).description(
            'What the cheapest booking of the shortest length in the window costs, tax included. Null if ' +
              'none fits. Only with `include`.',
          ),
        }),
      ).description(FREE),
      busy: array(
        s.shape({
          ...window,
          reason: oneOf(UNAVAILABLE_REASONS).description('Why the room is not free.'),
        }),
      ).description('The other windows.'),
    }),
  ).description('One entry for each room.'),
});
