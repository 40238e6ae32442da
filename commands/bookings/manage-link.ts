import type { Principal } from '../../domain/policies.js';
import { execute, maybeOne } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { audit } from '../workspaces/audit.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking } from './bookings.js';

/** A booking as the page of its manage link shows it. */
export interface ManagedBooking {
  booking: BookingRow;
  workspace: {
    name: string;
    return_url: string | null;
    booking_url: string | null;
    contact_email: string | null;
  };
  /** Whether the payer may cancel and move. */
  self_service: boolean;
}

type Row = BookingRow & { shown_workspace: ManagedBooking['workspace']; self_service: boolean };

/** A published booking with a manage link; null after an erasure. */
export async function findManagedBooking(tx: Tx, id: string): Promise<ManagedBooking | null> {
  const row = await maybeOne<Row>(
    tx,
    `SELECT b.*, r.name AS room_name, r.time_zone, r.self_service,
            jsonb_build_object('name', w.name, 'return_url', w.return_url, 'booking_url', w.booking_url,
              'contact_email', w.contact_email) AS shown_workspace
     FROM bookings b JOIN rooms r ON r.id = b.room_id JOIN workspaces w ON w.id = b.workspace_id
     WHERE b.id = $1 AND b.published_at IS NOT NULL AND b.manage_link_version IS NOT NULL`,
    [id],
  );
  if (!row) return null;
  const { shown_workspace: workspace, self_service, ...booking } = row;
  return { booking, workspace, self_service };
}

/** Ends the manage link of a booking and gives it another, unless its payer was erased. Returns the booking. */
export async function rotateManageLink(tx: Tx, by: Principal, id: string): Promise<BookingRow> {
  const booking = (await lockBooking(tx, id))!;
  const { manage_link_version: version } = booking;
  if (version === null) return booking;
  await execute(tx, `UPDATE bookings SET manage_link_version = $2 WHERE id = $1`, [id, version + 1]);
  await audit(tx, by, { action: 'booking.manage_link_rotated', object: id, details: {} });
  return { ...booking, manage_link_version: version + 1 };
}

/** Ends the manage links of a member's bookings, which a previous mail address has, and gives them others. */
export async function rotateManageLinksOf(tx: Tx, memberId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE bookings SET manage_link_version = manage_link_version + 1
     WHERE member_id = $1 AND manage_link_version IS NOT NULL`,
    [memberId],
  );
}
