import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { HOUR_MS } from '../../domain/durations.js';
import { db } from '../support/stack.js';

export interface StoredBooking {
  id?: string;
  start_at: Date;
  status?: 'completed' | 'cancelled' | 'expired';
  member_id?: string;
  company_id?: string;
  guest_name?: string;
  guest_email?: string;
  notes?: string;
  cancelled_at?: Date;
  expired_at?: Date;
}

/**
 * Inserts bookings of an hour into the database, for tests that need many, or past ones that the API cannot
 * create. They have ended, so they hold no slot, and they have no invoice. Returns their ids in the given order.
 */
export async function storeBookings(
  place: { workspace_id: string; room_id: string },
  bookings: StoredBooking[],
  on: Pick<DataSource, 'query'> = db,
): Promise<string[]> {
  const rows = bookings.map((booking) => ({
    id: newId('bk'),
    status: 'completed',
    ...(!booking.member_id && { guest_name: 'Grace Guest', guest_email: 'grace@example.com' }),
    ...booking,
    end_at: new Date(booking.start_at.getTime() + HOUR_MS),
  }));
  await on.query(
    `INSERT INTO bookings (id, workspace_id, room_id, status, start_at, end_at, occupies, member_id, company_id,
                           guest_name, guest_email, notes, cancelled_at, expired_at, attendees, currency, net_minor, tax_minor,
                           price_minor, tax_code, tax_rate_bps, price_per_hour_minor, discount_percent, hold_seconds,
                           published_at)
     SELECT id, $1, $2, status, start_at, end_at, tstzrange(start_at, end_at), member_id, company_id, guest_name,
            guest_email, notes,
            cancelled_at, expired_at, 1, 'GBP', 0, 0, 0, 'STANDARD', 0, 0, 0, 1800, now()
     FROM jsonb_populate_recordset(null::bookings, $3::jsonb)`,
    [place.workspace_id, place.room_id, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}
