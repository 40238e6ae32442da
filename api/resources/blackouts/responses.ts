import joi from 'joi';
import * as s from '../shared/shapes.js';

/** A blackout as `presentBlackout` returns it. */
export const blackout = s.shape({
  id: s.idOf('bo'),
  start_at: s.instant.description('The start of the blackout, inclusive.'),
  end_at: s.instant.description('The end of the blackout, exclusive.'),
  reason: s.nullableText.description('The reason, visible to staff.'),
  created_at: s.instant,
});

/** With the live bookings that it overlaps. */
export const createdBlackout = blackout.keys({
  booking_ids: joi
    .array()
    .items(s.idOf('bk'))
    .required()
    .description('The live bookings that the blackout overlaps.'),
});
