import type { DataSource } from 'typeorm';
import { refuse } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { whyNotMarkNoShow } from '../../domain/bookings/no-show.js';
import { transaction } from '../../db/transaction.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { audit } from '../audit-log/audit.js';
import { lockWorkspaceBooking, recordBookingEvent, updateBooking } from './bookings.js';

/**
 * Marks a booking as a no-show (docs/rules/bookings.md#no-show), even if its run has ended. The status stays
 * and nothing is refunded. A booking can be marked from its start until a week after its end. Marking it
 * again changes nothing and adds no audit entry. Errors: 404 `booking_not_found`; 409 `booking_not_started`,
 * `booking_not_editable`.
 */
export const markNoShow = (db: DataSource, by: Principal, id: string): Promise<BookingRow> =>
  transaction(db, async (tx) => {
    const booking = await lockWorkspaceBooking(tx, by, id);
    const now = new Date();
    const refusal = whyNotMarkNoShow(booking, now);
    if (refusal?.details.reason === 'marked') return booking;
    refuse(refusal);
    const marked = await updateBooking(tx, booking, { no_show_at: now, updated_at: now });
    await recordBookingEvent(tx, 'booking.no_show', marked);
    await audit(tx, by, { action: 'booking.marked_no_show', object: id, details: {} });
    return marked;
  });
