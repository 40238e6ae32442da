import { memberId, rangeEnd, timestamp, uuid } from '../../../http/fields.js';
import { object, type Infer } from '../../../http/typed.js';

/** Query of `GET /v1/calendar.ics`. */
export const querySchema = object({
  from: timestamp.description(
    'Includes only bookings that start at or after this time. Defaults to 30 days ago.',
  ),
  to: rangeEnd.description('Includes only bookings that start before this time.'),
  room_id: uuid.description('Includes only bookings of this room.'),
  member_id: memberId.description('Includes only bookings of this member.'),
});
export type Query = Infer<typeof querySchema>;
