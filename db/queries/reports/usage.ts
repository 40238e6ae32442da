import type { RoomRate } from '../../../domain/rates/rates.js';
import type { BookableRoom, Range } from '../../../domain/bookings/slots.js';
import type { UsedTime } from '../../../domain/reports/usage.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A room, with the blackouts that concern it and the bookings that took place or are confirmed. */
export interface UsedRoomRow {
  id: string;
  name: string;
  room: BookableRoom & { rates: RoomRate[] };
  blackouts: Range[];
  bookings: UsedTime[];
}

/** A time in JSON is in seconds. */
interface InSeconds {
  starts: number[];
  ends: number[];
}

interface Facts {
  id: string;
  name: string;
  room: UsedRoomRow['room'];
  blackouts: InSeconds;
  bookings: InSeconds & { currencies: string[]; nets: number[]; paid: boolean[] };
}

const toRanges = ({ starts, ends }: InSeconds): Range[] =>
  starts.map((start, index) => ({ start: Math.round(start * 1000), end: Math.round(ends[index]! * 1000) }));

/**
 * Returns the rooms of a workspace, or one, with what happened in them in `[from, to)`; archived rooms only
 * if they were booked then, or are the one. By name.
 */
export async function listUsedRooms(
  tx: Tx,
  workspaceId: string,
  { from, to, room_id }: { from: Date; to: Date; room_id?: string | undefined },
): Promise<UsedRoomRow[]> {
  const rows = await many<Facts>(
    tx,
    // A booking lasts at most a year, so that its index has a first start.
    `WITH used AS (
       SELECT b.room_id, array_agg(extract(epoch FROM b.start_at)::float8 ORDER BY b.id) AS starts,
              array_agg(extract(epoch FROM b.end_at)::float8 ORDER BY b.id) AS ends,
              array_agg(b.currency::text ORDER BY b.id) AS currencies,
              array_agg(b.net_minor ORDER BY b.id) AS nets,
              array_agg(coalesce(i.status = 'paid' AND i.total_minor > 0, false) ORDER BY b.id) AS paid
       FROM bookings b LEFT JOIN invoices i ON i.id = b.invoice_id
       WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.status IN ('confirmed', 'completed')
         AND b.start_at >= $2::timestamptz - interval '366 days' AND b.start_at < $3 AND b.end_at > $2
         AND ($4::uuid IS NULL OR b.room_id = $4)
       GROUP BY b.room_id)
     SELECT r.id, r.name,
       json_build_object('time_zone', r.time_zone, 'slot_minutes', r.slot_minutes,
         'min_minutes', r.min_minutes, 'max_minutes', r.max_minutes, 'capacity', r.capacity,
         'opening_hours', r.opening_hours, 'tiers', r.tiers, 'archived', r.archived,
         'rates', r.rates) AS room,
       (SELECT json_build_object(
           'starts', coalesce(json_agg(date_part('epoch', lower(o.during))), '[]'),
           'ends', coalesce(json_agg(date_part('epoch', upper(o.during))), '[]'))
        FROM (SELECT r.id UNION SELECT other.room_id FROM rooms_sharing(r.id) other) closer (id), LATERAL (
          SELECT * FROM blackouts b
          WHERE b.room_id = closer.id AND b.during && tstzrange($2, $3) OFFSET 0) o) AS blackouts,
       json_build_object('starts', coalesce(used.starts, '{}'), 'ends', coalesce(used.ends, '{}'),
         'currencies', coalesce(used.currencies, '{}'), 'nets', coalesce(used.nets, '{}'),
         'paid', coalesce(used.paid, '{}')) AS bookings
     FROM rooms r LEFT JOIN used ON used.room_id = r.id
     WHERE r.workspace_id = $1 AND (r.id = $4 OR $4 IS NULL AND (NOT r.archived OR used.room_id IS NOT NULL))
     ORDER BY r.name, r.id`,
    [workspaceId, from, to, room_id ?? null],
  );
  return rows.map(({ id, name, room, blackouts, bookings: { currencies, nets, paid, ...times } }) => ({
    id,
    name,
    room,
    blackouts: toRanges(blackouts),
    bookings: toRanges(times).map((range, index) => ({
      ...range,
      currency: currencies[index]!,
      net_minor: nets[index]!,
      is_paid: paid[index]!,
    })),
  }));
}
