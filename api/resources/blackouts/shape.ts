import { isId } from '../../../db/ids.js';
import { presentBlackout } from '../../../domain/blackouts/presenter.js';
import { text, timestamp } from '../../http/fields.js';
import { array, boolean, nullable, object, withDefault, type Infer } from '../../http/typed.js';
import { field, sidesOf } from '../shared/field.js';
import * as s from '../shared/shapes.js';

export const isBlackoutId = (id: string): boolean => isId('bo', id);

const { sent, read } = sidesOf({
  start_at: field(timestamp, 'The start of the blackout, inclusive.'),
  end_at: field(timestamp, 'The end of the blackout, exclusive.'),
  reason: field(
    nullable(text(1_000).allow('')),
    'The reason, visible to owners, admins and the front desk; null for other roles.',
  ),
});

/** Body of `POST /v1/rooms/{id}/blackouts`. */
export const createSchema = object(
  {
    ...sent,
    force: withDefault(
      boolean.description(
        'Whether to create the blackout although it overlaps bookings. The bookings are kept.',
      ),
      false,
    ),
  },
  'start_at',
  'end_at',
).required();
export type CreateBody = Infer<typeof createSchema>;

/** A blackout in responses. */
export const blackout = s.presentedBy(
  presentBlackout,
  s.shape({ id: s.idOf('bo'), ...read, created_at: s.instant }),
);

/** With the live bookings that it overlaps. */
export const createdBlackout = s.extend(blackout, {
  booking_ids: array(s.idOf('bk')).description('The live bookings that the blackout overlaps.'),
});
