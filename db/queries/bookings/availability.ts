import type { RoomCalendar } from '../../../domain/bookings/availability.js';
import type { Tier } from '../../../domain/rates/price.js';
import type { Asker } from '../../../domain/rates/rates.js';
import type { Range } from '../../../domain/bookings/slots.js';
import { many } from '../../query.js';
import type { Room } from '../../entities/rooms.js';
import type { Tx } from '../../transaction.js';

export interface AvailabilityFilter {
  workspace_id: string;
  /** One room or several, archived or not, or all rooms that a tier can book (null: any tier). */
  of: { room_id: string } | { room_ids: string[] } | { tier: Tier | null };
  from: Date;
  to: Date;
  /** A booking whose slot counts as free, because it is to be moved. */
  except?: string;
}

/** Ranges as two lists of instants, in seconds, which is the smallest format to serialize and parse. */
interface Instants {
  starts: number[] | null;
  ends: number[] | null;
}

const toRanges = ({ starts, ends }: Instants): Range[] =>
  (starts ?? []).map((start, index) => ({
    start: Math.round(start * 1000),
    end: Math.round(ends![index]! * 1000),
  }));

/** A room from JSON, without its timestamps. */
type CalendarRoom = Omit<Room, 'created_at' | 'updated_at'>;

/** The content of `facts`. Times in seconds. */
interface CalendarFacts {
  room: CalendarRoom;
  loaded_from: number;
  loaded_until: number;
  claims: Instants;
  part_claims: Instants & { rooms: string[] | null };
  blackouts: Instants;
}

/**
 * All facts that decide the availability of a room, as JSON. The same text always means the same
 * availability.
 */
export interface RoomCalendarRow {
  id: string;
  time_zone: string;
  facts: string;
}

/**
 * Returns rooms by creation time, each with the claims and blackouts in and around the requested time, in one
 * statement. Adjacent bookings of a room are merged. Abandoned reservations count as free.
 */
export function findRoomFacts(tx: Tx, filter: AvailabilityFilter): Promise<RoomCalendarRow[]> {
  const { of } = filter;
  const ids = 'room_id' in of ? [of.room_id] : 'room_ids' in of ? of.room_ids : null;
  return many<RoomCalendarRow>(
    tx,
    `SELECT r.id, r.time_zone, json_build_object(
            'room', to_jsonb(r) - '{created_at,updated_at}'::text[],
            'loaded_from', date_part('epoch', lower(around.loaded)),
            'loaded_until', date_part('epoch', upper(around.loaded)),
            'claims', (SELECT json_build_object('starts', json_agg(date_part('epoch', lower(held))),
              'ends', json_agg(date_part('epoch', upper(held)))) FROM (
               SELECT unnest(range_agg(c.during)) AS held FROM slot_claims c
               WHERE c.room_id = r.id AND c.during && around.loaded AND c.booking_id IS DISTINCT FROM $5
                 AND c.booking_id <> ALL (ARRAY(
                 SELECT bookings.id FROM bookings WHERE bookings.workspace_id = $1
                   AND is_abandoned(bookings)))) AS claims),
            'part_claims', (SELECT json_build_object('starts', json_agg(date_part('epoch', lower(held))),
              'ends', json_agg(date_part('epoch', upper(held))), 'rooms', json_agg((SELECT name FROM rooms
                WHERE id = room_id))) FROM (
               SELECT c.room_id, unnest(range_agg(c.during)) AS held
               FROM part_claims_of(r.id, around.loaded) c
               WHERE c.booking_id IS DISTINCT FROM $5 AND c.booking_id <> ALL (ARRAY(
                 SELECT bookings.id FROM bookings WHERE bookings.workspace_id = $1
                   AND is_abandoned(bookings))) GROUP BY c.room_id) AS claims),
            'blackouts', (SELECT json_build_object('starts', json_agg(date_part('epoch', lower(o.during))),
              'ends', json_agg(date_part('epoch', upper(o.during)))) FROM (SELECT r.id
                UNION SELECT other.room_id FROM rooms_sharing(r.id) other) closer (id), LATERAL (
                SELECT * FROM blackouts b WHERE b.room_id = closer.id
                  AND b.during && around.loaded OFFSET 0) o))::text AS facts
     FROM rooms r, LATERAL (SELECT tstzrange(
            $2::timestamptz - ((coalesce(r.min_minutes,
              0) + 2 * r.slot_minutes) * interval '1 minute' + interval '1 day'),
            $3::timestamptz + ((coalesce(r.min_minutes,
              0) + 2 * r.slot_minutes) * interval '1 minute' + interval '1 day') + r.turnaround_minutes *
              interval '1 minute') AS loaded) AS around
     WHERE r.workspace_id = $1 AND (r.id = ANY ($4::uuid[]) OR $4::uuid[] IS NULL AND NOT r.archived
       AND ($6::text IS NULL OR r.tiers IS NULL OR $6 = ANY (r.tiers)))
     ORDER BY r.created_at, r.id`,
    [filter.workspace_id, filter.from, filter.to, ids, filter.except ?? null, 'tier' in of ? of.tier : null],
  );
}

/**
 * Returns the calendar of a room for who asks. Ranges are only created when they are read: a month of
 * rooms has thousands of them, and the numbers from which they are made take a tenth of the memory while the
 * request waits.
 */
export function toRoomCalendar(
  { facts }: RoomCalendarRow,
  asker: Asker,
): RoomCalendar & { room: CalendarRoom } {
  const { room, loaded_from, loaded_until, claims, part_claims, blackouts } = JSON.parse(
    facts,
  ) as CalendarFacts;
  const [loaded] = toRanges({ starts: [loaded_from], ends: [loaded_until] });
  return {
    room,
    asker,
    loaded: loaded!,
    get claims() {
      return toRanges(claims);
    },
    get part_claims() {
      return toRanges(part_claims).map((range, n) => ({ ...range, room_name: part_claims.rooms![n]! }));
    },
    get blackouts() {
      return toRanges(blackouts);
    },
  };
}

/** Returns the calendars of rooms (`findRoomFacts`), for who asks. */
export async function findRoomCalendars(
  tx: Tx,
  filter: AvailabilityFilter,
  asker: Asker = null,
): Promise<ReturnType<typeof toRoomCalendar>[]> {
  return (await findRoomFacts(tx, filter)).map((facts) => toRoomCalendar(facts, asker));
}
