import type { Principal } from '../../domain/policies.js';
import { execute } from '../../db/query.js';
import type { DataSource } from 'typeorm';
import { transaction, type Tx } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBookingOf } from './bookings.js';

/**
 * Ends the manage link of a booking and gives it another, unless its payer was erased. Returns the booking.
 * Errors: 404 `booking_not_found`.
 */
export const rotateManageLink = (db: DataSource, by: Principal, id: string): Promise<BookingRow> =>
  transaction(db, async (tx) => replaceManageLink(tx, by, await lockBookingOf(tx, by, id)));

/** The same for a locked booking. */
export async function replaceManageLink(tx: Tx, by: Principal, booking: BookingRow): Promise<BookingRow> {
  const { id, manage_link_version: version } = booking;
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
