import { OWN_MAILS } from '../../../domain/mail/kinds.js';
import { exists, literals } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * SQL that is true for a booking `b` that a stranger has made and nobody has paid, or shown that its address
 * is theirs (docs/rules/booking-page.md#mail-to-strangers). A payment that came too late is one.
 */
export const isUnprovenBooking = (b: string): string => `(${b}.source = 'page' AND ${b}.confirmed_at IS NULL
  AND NOT EXISTS (SELECT FROM payments WHERE payments.booking_id = ${b}.id AND payments.kind <> 'refund'))`;

/**
 * SQL for the unproven booking that a row of `mails` is about, directly or by its invoice; null for
 * other mail and that to staff.
 */
export const UNPROVEN_BOOKING = `(SELECT b.id FROM bookings b
  WHERE b.id = coalesce(mails.booking_id, (SELECT i.booking_id FROM invoices i WHERE i.id = mails.invoice_id),
    mails.about)
    AND b.workspace_id = mails.workspace_id AND ${isUnprovenBooking('b')}
    AND mails.kind NOT IN (${literals(OWN_MAILS)}))`;

/** Whether a stranger has made a booking and nobody has paid it, or shown that its address is theirs. */
export const isUnproven = (tx: Tx, bookingId: string): Promise<boolean> =>
  exists(tx, `SELECT FROM bookings b WHERE b.id = $1 AND ${isUnprovenBooking('b')}`, [bookingId]);
