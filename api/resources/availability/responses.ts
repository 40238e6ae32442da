import joi from 'joi';
import { oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

const window = {
  start_at: s.instant.description('The start of the window, inclusive.'),
  end_at: s.instant.description('The end of the window, exclusive.'),
};

/** Free and busy time as `presentAvailability` returns it for each room. */
export const availability = s.shape({
  data: joi
    .array()
    .items(
      s.shape({
        room: s
          .shape({
            id: s.anyUuid.description('The id of the room.'),
            name: s.anyText.description('The name of the room.'),
          })
          .description('The room.'),
        time_zone: s.anyText.description('The IANA time zone of the room.'),
        slot_minutes: s.count.description('The distance between lines of the slot grid, in minutes.'),
        free: joi
          .array()
          .items(s.shape(window))
          .description(
            'The windows in which every booking on the grid with an allowed length can be created now.',
          ),
        busy: joi
          .array()
          .items(
            s.shape({
              ...window,
              reason: oneOf(['booked', 'blackout', 'closed']).description('Why the room is not free.'),
            }),
          )
          .description('The other windows.'),
      }),
    )
    .description('One entry for each room.'),
});
