import { reminderTime } from '../../domain/bookings/reminder.js';
import { BOOKING_TRANSITIONS, type ConfirmationSource } from '../../domain/states.js';
import { columnParameters } from '../../db/column-parameters.js';
import { Booking } from '../../db/entities/bookings.js';
import { newId } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { markInvoicePaid } from '../invoices/lifecycle.js';
import { endOfHoldMail } from '../mail/mails.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { recordBookingEvent } from './bookings.js';
import { endHold } from './strangers.js';

const CONFIRMED = columnParameters(
  Booking,
  [
    'status',
    'confirmed_at',
    'updated_at',
    'confirmation_source',
    'processor_payment_intent_id',
    'paid_at_desk',
    'remind_at',
  ],
  2,
);

const CONFIRM = {
  name: 'confirm_booking',
  text: `WITH ${endOfHoldMail(`$${CONFIRMED.next}`, `$${CONFIRMED.next + 1}`, `'booking_confirmed'`)}
    UPDATE bookings SET ${CONFIRMED.assignments} WHERE id = $1`,
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
  const mail = [newId('mail'), booking.workspace_id];
  await execute(tx, CONFIRM, [booking.id, ...CONFIRMED.values(confirmed), ...mail]);
  if (booking.source === 'page') await endHold(tx, booking.id, { isPaid: booking.price_minor > 0 });
  if (booking.account_days === null) await markInvoicePaid(tx, booking.invoice_id!, by.at);
  await recordBookingEvent(tx, 'booking.confirmed', confirmed);
  return confirmed;
}
