import joi from 'joi';
import * as s from '../resource/shapes.js';

const window = { start_at: s.instant, end_at: s.instant };

/** Free and busy time as `presentAvailability` returns it for each room. */
export const availability = s.shape({
  data: joi.array().items(
    s.shape({
      room: s.shape({ id: s.anyUuid, name: s.anyText }),
      time_zone: s.anyText,
      slot_minutes: s.count,
      free: joi.array().items(s.shape(window)),
      busy: joi.array().items(s.shape({ ...window, reason: s.oneOf(['booked', 'blackout', 'closed']) })),
    }),
  ),
});
