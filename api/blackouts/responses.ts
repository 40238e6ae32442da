import joi from 'joi';
import * as s from '../resource/shapes.js';

/** A blackout as `presentBlackout` returns it. */
export const blackout = s.shape({
  id: s.idOf('bo'),
  start_at: s.instant,
  end_at: s.instant,
  reason: s.nullableText,
  created_at: s.instant,
});

/** With the live bookings that it overlaps. */
export const createdBlackout = blackout.keys({
  booking_ids: joi.array().items(s.idOf('bk')).required(),
});
