import { presentPreparation } from '../../../../domain/bookings/preparation-presenter.js';
import { timestamp, uuid } from '../../../http/fields.js';
import { array, object, type Infer } from '../../../http/typed.js';
import { bookedExtras } from '../booking.js';
import * as s from '../../shared/shapes.js';

/** Query of `GET /v1/preparations`. */
export const querySchema = object(
  {
    from: timestamp.description('Returns only bookings that start at or after this time.'),
    to: timestamp.description(
      'Returns only bookings that start before this time; at most 31 days after `from`.',
    ),
    room_id: uuid.description('Returns only bookings of this room.'),
  },
  'from',
  'to',
);
export type Query = Infer<typeof querySchema>;

const preparation = s.presentedBy(
  presentPreparation,
  s.shape({
    booking_id: s.idOf('bk').description('The booking.'),
    reference: s.anyText.description('The reference of the booking.'),
    room: s
      .shape({
        id: s.anyUuid.description('The id of the room.'),
        name: s.anyText.description('The name of the room.'),
      })
      .description('The room.'),
    start_at: s.instant.description('The start, inclusive.'),
    end_at: s.instant.description('The end, exclusive.'),
    attendees: s.count.description('The number of people.'),
    notes: s.nullableText.description('Free text for staff.'),
    extras: bookedExtras.description('The extras that are booked with the room.'),
  }),
);

/** What is to be prepared. */
export const preparations = s.shape({
  data: array(preparation).description('The bookings by room, then by start.'),
});
