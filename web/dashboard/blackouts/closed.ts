import type { Room } from '../../../db/entities/rooms.js';
import { invalidField } from '../../../domain/errors.js';
import { instantIn } from '../shared/local-time.js';
import type { EnteredBlackout } from './inputs.js';

/** A room and the time for which it is closed. */
export interface Closed {
  room: Room;
  start_at: Date;
  end_at: Date;
}

/** The room and time of a form. Errors: 422. */
export function closedIn({ start_at, end_at }: EnteredBlackout, room: Room): Closed {
  const closed = {
    room,
    start_at: instantIn(start_at, room.time_zone, 'start_at'),
    end_at: instantIn(end_at, room.time_zone, 'end_at'),
  };
  if (closed.end_at <= closed.start_at) throw invalidField('end_at', 'must be after {start_at}');
  return closed;
}
