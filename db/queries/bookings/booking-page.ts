import type { RefundStep } from '../../../domain/refund-policy.js';
import type { BookingStatus } from '../../../domain/states.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A booking as the payer's page shows it. */
export interface BookingPage {
  id: string;
  status: BookingStatus;
  room_name: string;
  time_zone: string;
  workspace_name: string;
  return_url: string | null;
  booking_url: string | null;
  contact_email: string | null;
  refund_steps: RefundStep[];
  refund_percent_cap: number;
  manage_link_version: number | null;
  self_service: boolean;
  start_at: Date;
  end_at: Date;
  currency: string;
  price_minor: number;
  checkout_url: string | null;
  expires_at: Date | null;
}

/** A published booking for its payer, who knows its id or its session's id. */
export function findBookingPage(tx: Tx, bookingId: string): Promise<BookingPage | null> {
  return maybeOne<BookingPage>(
    tx,
    `SELECT b.id, b.status, r.name AS room_name, r.time_zone, w.name AS workspace_name, w.return_url, w.booking_url,
            w.contact_email, r.refund_steps, b.refund_percent_cap::float8, b.manage_link_version, r.self_service, b.start_at,
            b.end_at, b.currency, b.price_minor, b.checkout_url, b.expires_at
     FROM bookings b JOIN rooms r ON r.id = b.room_id JOIN workspaces w ON w.id = b.workspace_id
     WHERE b.id = $1 AND b.published_at IS NOT NULL`,
    [bookingId],
  );
}
