import { reminderTime } from '../../domain/bookings/reminder.js';
import { BOOKING_TRANSITIONS, type ConfirmationSource } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { markInvoicePaid } from '../invoices/lifecycle.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { recordBookingEvent } from './bookings.js';
import { endHold } from './public-guests.js';

/**
 * `$7` and `$8`: the id and the workspace of its mail, which replaces the mail with the payment link if that
 * is still waiting.
 */
const CONFIRM = {
  name: 'confirm_booking',
  text: `WITH held AS (
      UPDATE mails SET status = 'skipped', notify_at = NULL
      WHERE kind = 'booking_held' AND about = $1 AND status = 'pending'
    ), mail AS (
      INSERT INTO mails (id, workspace_id, kind, about, booking_id)
      VALUES ($7, $8, 'booking_confirmed', $1, $1)
      ON CONFLICT DO NOTHING
    )
    UPDATE bookings
    SET status = 'confirmed', confirmed_at = $2, updated_at = $2, confirmation_source = $3,
        processor_payment_intent_id = $4, paid_at_desk = $5, remind_at = $6
    WHERE id = $1`,
};

/**
 * Confirms a locked pending booking: status, paid invoice unless it is on account, `booking.confirmed`, mail.
 * Returns the changed booking.
 */
export async function confirmBooking(
  tx: Tx,
  booking: BookingRow,
  by: {
    source: ConfirmationSource | null;
    paymentIntentId: string | null;
    at: Date;
    paid_at_desk?: boolean;
  },
): Promise<BookingRow> {
  const confirmed: BookingRow = {
    ...booking,
    status: BOOKING_TRANSITIONS.confirm.to,
    confirmed_at: by.at,
    updated_at: by.at,
    confirmation_source: by.source,
    processor_payment_intent_id: by.paymentIntentId,
    paid_at_desk: by.paid_at_desk ?? false,
    remind_at: reminderTime(booking, by.at),
  };
  const { id, workspace_id } = booking;
  const { confirmation_source, processor_payment_intent_id, paid_at_desk, remind_at } = confirmed;
  await execute(tx, CONFIRM, [
    id,
    by.at,
    confirmation_source,
    processor_payment_intent_id,
    paid_at_desk,
    remind_at,
    newId('mail'),
    workspace_id,
  ]);
  if (booking.source === 'page') await endHold(tx, booking.id, { isPaid: booking.price_minor > 0 });
  if (booking.account_days === null) await markInvoicePaid(tx, booking.invoice_id!, by.at);
  await recordBookingEvent(tx, 'booking.confirmed', confirmed);
  return confirmed;
}
