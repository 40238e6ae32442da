import { isUnproven } from '../../domain/bookings/origin.js';
import { BOOKING_TRANSITIONS, canMove } from '../../domain/states.js';
import type { Tx } from '../../db/transaction.js';
import { voidInvoice } from '../invoices/lifecycle.js';
import { enqueueEndOfHoldMail, skipHeldMail } from '../mail/mails.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking, recordBookingEvent, releaseSlots, updateBooking } from './bookings.js';
import { LOST_PAGE, publishBooking } from './publish-booking.js';
import { releaseDiscount } from '../discounts/discounts.js';
import { returnHourCredits } from './hour-credits.js';
import { endHold } from './public-guests.js';

/**
 * Ends an unpaid hold: status, free slot, void invoice, event, mail. Does nothing in any other status. If the
 * record of the booking's publication was lost, it is published first: its client already has the booking,
 * and a repeated create request returns it.
 */
export async function expireBooking(tx: Tx, id: string): Promise<BookingRow | null> {
  const held = await lockBooking(tx, id);
  if (!held || !canMove(BOOKING_TRANSITIONS.expire, held.status)) return held;
  const booking = held.published_at ? held : (await publishBooking(tx, id, LOST_PAGE))!;
  const now = new Date();
  const expired = await updateBooking(tx, booking, {
    status: BOOKING_TRANSITIONS.expire.to,
    expired_at: now,
    updated_at: now,
  });
  await releaseSlots(tx, id);
  await returnHourCredits(tx, booking);
  await releaseDiscount(tx, id);
  await voidInvoice(tx, booking.invoice_id!, now);
  await recordBookingEvent(tx, 'booking.expired', expired);
  // A public guest entered this address. Without payment or proof it gets no further mail.
  if (isUnproven(booking)) {
    await skipHeldMail(tx, id);
    await endHold(tx, id, { isPaid: false });
  } else {
    const { workspace_id } = booking;
    await enqueueEndOfHoldMail(tx, { workspace_id, booking_id: id, kind: 'booking_expired' });
  }
  return expired;
}
