import { findUnsettledChange } from '../../../db/queries/bookings/booking-change.js';
import { listClosedRooms } from '../../../db/queries/blackouts/blackout.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Room } from '../../../db/entities/rooms.js';
import { isInTheWay } from '../../../domain/blackouts/plan.js';
import { whyNotChange } from '../../../domain/bookings/change.js';
import { whyNotAnotherChange } from '../../../domain/bookings/pending-change.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import {
  findAlternatives,
  overlapIn,
  type Closed,
  type AlternativeSlot,
  type MovePlan,
} from './alternatives.js';

/** Where bookings can be moved, by their ids, and why not elsewhere, in sentences. */
type Moves = Map<string, { places: AlternativeSlot[]; whyNot: string[] }>;

/**
 * Offers slots to the bookings in turn until none are left. No two bookings are offered overlapping slots, so
 * all can be moved together.
 */
export async function movesFor(
  deps: ApiDependencies,
  closed: Closed,
  bookings: BookingRow[],
  rooms: Room[],
): Promise<Moves> {
  const overlap = overlapIn(rooms);
  const closes = await listClosedRooms(deps.db.manager, closed.room.id);
  const others = rooms.filter(({ id }) => !closes.has(id));
  const offered: { booking: BookingRow; plan: MovePlan }[] = [];
  const isTaken = (booking: BookingRow, place: MovePlan): boolean =>
    offered.some((other) => other.booking !== booking && overlap(other.plan, place));
  const moves: Moves = new Map();
  let searches: { booking: BookingRow; found: AsyncGenerator<AlternativeSlot> }[] = [];
  for (const booking of bookings) {
    // A part of the closed room, or a room of which that is a part.
    const room = rooms.find(({ id }) => id === booking.room_id) ?? closed.room;
    const refusal = isInTheWay(booking, closed, closes) ? await whyNotMove(deps, room, booking) : IS_MOVING;
    moves.set(booking.id, { places: [], whyNot: refusal ? [refusal] : [] });
    if (refusal) continue;
    const found = findAlternatives(deps, { ...closed, room }, booking, others, (place) =>
      isTaken(booking, place),
    );
    searches.push({ booking, found });
  }
  while (searches.length > 0) {
    const going: typeof searches = [];
    for (const { booking, found } of searches) {
      const next = await found.next();
      const { places, whyNot } = moves.get(booking.id)!;
      if (!next.done) {
        places.push(next.value);
        offered.push({ booking, plan: next.value.plan });
        going.push({ booking, found });
      } else if (places.length === 0) whyNot.push(NO_PLACE);
      else if (places.every(({ room }) => room.id === booking.room_id)) whyNot.push(NO_OTHER_ROOM);
    }
    searches = going;
  }
  return moves;
}

const NO_PLACE = 'No other room or time was found at no extra cost to the payer.';
const NO_OTHER_ROOM = 'No other room was found at this time at no extra cost to the payer.';

const IS_MOVING =
  'A change that is not paid yet moves it into this time. To stop it, withdraw the change on ' +
  'the booking’s page.';

async function whyNotMove(deps: ApiDependencies, room: Room, booking: BookingRow): Promise<string | null> {
  if (whyNotAnotherChange(await findUnsettledChange(deps.db.manager, booking.id)))
    return 'It cannot be moved until an earlier change is complete.';
  const refusal = whyNotChange(booking, room, Date.now(), { moves: true });
  return refusal && `It cannot be moved: ${WHY_NOT_MOVE[refusal.details.reason]}.`;
}

const WHY_NOT_MOVE = {
  status: 'it has ended',
  unpaid: 'it is not paid yet',
  edit_window: 'it starts too soon or has started',
};
