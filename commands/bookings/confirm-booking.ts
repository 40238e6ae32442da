import { reminderTime } from '../../domain/reminder.js';
import { BOOKING_TRANSITIONS, type ConfirmationSource } from '../../domain/states.js';
import type { Tx } from '../../db/transaction.js';
import { markInvoicePaid } from '../billing/invoice-lifecycle.js';
import { enqueueEndOfHoldMail } from '../mail/mails.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { recordBookingEvent, updateBooking } from './bookings.js';

/**
 * Confirms a locked pending booking: status, paid invoice unless it is on account, `booking.confirmed`, mail. Returns the
 * changed booking.
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
  const confirmed = await updateBooking(tx, booking, {
    status: BOOKING_TRANSITIONS.confirm.to,
    confirmed_at: by.at,
    updated_at: by.at,
    confirmation_source: by.source,
    processor_payment_intent_id: by.paymentIntentId,
    paid_at_desk: by.paid_at_desk ?? false,
    remind_at: reminderTime(booking, by.at),
  });
  if (booking.account_days === null) await markInvoicePaid(tx, booking.invoice_id!, by.at);
  await recordBookingEvent(tx, 'booking.confirmed', confirmed);
  const { workspace_id, id: booking_id } = booking;
  await enqueueEndOfHoldMail(tx, { workspace_id, booking_id, kind: 'booking_confirmed' });
  return confirmed;
}
