import type { RoomCalendar } from '../../../domain/availability.js';
import type { Tier } from '../../../domain/price.js';
import type { Range } from '../../../domain/slots.js';
import { many } from '../../query.js';
import type { Room } from '../../entities/rooms.js';
import type { Tx } from '../../transaction.js';
import { ABANDONED } from '../bookings/abandoned.js';

export interface AvailabilityFilter {
  workspace_id: string;
  /** One room, archived or not, or all rooms that a tier can book; every tier if null. */
  of: { room_id: string } | { tier: Tier | null };
  from: Date;
  to: Date;
  /** A booking whose slot counts as free, since it is to be moved. */
  except?: string;
}

/** How far beyond the requested time the calendar is read, to tell whether free time at its edges is long enough. */
const MARGIN = `(coalesce(r.min_minutes, 0) + 2 * r.slot_minutes) * interval '1 minute' + interval '1 day'`;

/** Ranges as two lists of instants, in seconds: the smallest format to serialize and parse. */
interface Instants {
  starts: number[] | null;
  ends: number[] | null;
}

const instants = (during: string): string =>
  `json_build_object('starts', json_agg(date_part('epoch', lower(${during}))),
                     'ends', json_agg(date_part('epoch', upper(${during}))))`;

const rangesOf = ({ starts, ends }: Instants): Range[] =>
  (starts ?? []).map((start, index) => ({
    start: Math.round(start * 1000),
    end: Math.round(ends![index]! * 1000),
  }));

/** A room from JSON, without its timestamps. */
type CalendarRoom = Omit<Room, 'created_at' | 'updated_at'>;

interface CalendarRow {
  room: CalendarRoom;
  loaded_from: Date;
  loaded_until: Date;
  claims: Instants;
  blackouts: Instants;
}

/**
 * Rooms by creation time, each with the claims and blackouts in and around the requested time, in one statement.
 * Adjacent bookings are merged. Abandoned reservations count as free.
 */
export async function findRoomCalendars(
  tx: Tx,
  filter: AvailabilityFilter,
): Promise<(RoomCalendar & { room: CalendarRoom })[]> {
  const [condition, value] =
    'room_id' in filter.of
      ? [`r.id = $4`, filter.of.room_id]
      : [`NOT r.archived AND ($4::text IS NULL OR r.tiers IS NULL OR $4 = ANY (r.tiers))`, filter.of.tier];
  const rows = await many<CalendarRow>(
    tx,
    `SELECT to_jsonb(r) - '{created_at,updated_at}'::text[] AS room,
            lower(around.loaded) AS loaded_from, upper(around.loaded) AS loaded_until,
            (SELECT ${instants('held')} FROM (
               SELECT unnest(range_agg(c.during)) AS held FROM slot_claims c
               WHERE c.room_id = r.id AND c.during && around.loaded
                 AND c.booking_id IS DISTINCT FROM $5 AND c.booking_id <> ALL (ARRAY(
                 SELECT bookings.id FROM bookings WHERE bookings.workspace_id = $1 AND ${ABANDONED}))) AS claims)
              AS claims,
            (SELECT ${instants('o.during')} FROM blackouts o WHERE o.room_id = r.id AND o.during && around.loaded)
              AS blackouts
     FROM rooms r, LATERAL (SELECT tstzrange(
            $2::timestamptz - (${MARGIN}),
            $3::timestamptz + (${MARGIN}) + r.turnaround_minutes * interval '1 minute') AS loaded) AS around
     WHERE r.workspace_id = $1 AND ${condition}
     ORDER BY r.created_at, r.id`,
    [filter.workspace_id, filter.from, filter.to, value, filter.except ?? null],
  );
  return rows.map(({ room, loaded_from, loaded_until, claims, blackouts }) => ({
    room,
    loaded: { start: loaded_from.getTime(), end: loaded_until.getTime() },
    claims: rangesOf(claims),
    blackouts: rangesOf(blackouts),
  }));
}
