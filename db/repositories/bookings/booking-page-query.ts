import type { BookingStatus } from '../../../domain/states.js';
import type { Tx } from '../../transaction.js';

/** What a payer's page shows of a booking. */
export interface BookingPage {
  id: string;
  status: BookingStatus;
  room_name: string;
  time_zone: string;
  workspace_name: string;
  return_url: string | null;
  start_at: Date;
  end_at: Date;
  currency: string;
  price_minor: number;
  checkout_url: string | null;
  expires_at: Date | null;
  /** Money came that could not confirm it, and goes back. */
  paid_too_late: boolean;
}

/** A published booking, as its payer may see it who knows its id or its session's. */
export async function findBookingPage(tx: Tx, bookingId: string): Promise<BookingPage | null> {
  const rows: BookingPage[] = await tx.query(
    `SELECT b.id, b.status, r.name AS room_name, r.time_zone, w.name AS workspace_name, w.return_url, b.start_at,
            b.end_at, b.currency, b.price_minor, b.checkout_url, b.expires_at,
            EXISTS (SELECT FROM payments p WHERE p.booking_id = b.id AND p.refusal IS NOT NULL) AS paid_too_late
     FROM bookings b JOIN rooms r ON r.id = b.room_id JOIN workspaces w ON w.id = b.workspace_id
     WHERE b.id = $1 AND b.published_at IS NOT NULL`,
    [bookingId],
  );
  return rows[0] ?? null;
}
