import type { DataSource } from 'typeorm';
import { canonicalIfOther } from '../../db/address.js';
import { newId } from '../../db/ids.js';
import { withAdjusting } from '../../db/queries/invoices/payer.js';
import { column, exists } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { refuse } from '../../domain/errors.js';
import { whyNotCorrectGuest, type GuestCorrection } from '../../domain/bookings/guest-correction.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import { mailAboutStatus } from '../../domain/mail/kinds.js';
import type { Principal } from '../../domain/policies.js';
import { presentBooking } from '../../domain/bookings/booking-presenter.js';
import { rotatePayLink } from '../invoices/pay-link.js';
import { countRequestedMail } from '../mail/mail-limits.js';
import { enqueueMail } from '../mail/mails.js';
import { audit } from '../audit-log/audit.js';
import { lockBookingOf, recordBookingEvent, updateBooking } from './bookings.js';
import { replaceManageLink } from './manage-link.js';

/**
 * Corrects the address or name of a booking's guest (docs/rules/bookings.md#correcting-a-guest). Mail that
 * waits goes to the new address. Another address also ends the links that the previous one has, and gets the
 * mail that says what is true of the booking now. The audit entry says which fields have changed, and not
 * their values. Values that are the same change nothing. Errors: 404 `booking_not_found`; 409
 * `booking_not_editable`; 429 if the new address was mailed a short time ago.
 */
export const correctGuest = (
  db: DataSource,
  quotas: MailQuotas,
  by: Principal,
  id: string,
  correction: GuestCorrection,
): Promise<BookingRow> =>
  transaction(db, async (tx) => {
    const booking = await lockBookingOf(tx, by, id);
    refuse(whyNotCorrectGuest(booking));
    const { email = booking.guest_email!, name = booking.guest_name, locale = booking.locale } = correction;
    const moves = email !== booking.guest_email;
    const fields = [
      ...(moves ? ['email'] : []),
      ...(name === booking.guest_name ? [] : ['name']),
      ...(locale === booking.locale ? [] : ['locale']),
    ];
    if (fields.length === 0) return booking;
    const corrected = await updateBooking(tx, booking, {
      guest_email: email,
      guest_address: canonicalIfOther(email),
      guest_name: name,
      locale,
      updated_at: new Date(),
    });
    const { booked_by } = presentBooking(booking);
    await recordBookingEvent(tx, 'booking.updated', corrected, { booked_by });
    await audit(tx, by, { action: 'booking.guest_corrected', object: id, details: { fields } });
    if (!moves) return corrected;
    await mailAgain(tx, by, quotas, corrected);
    const invoices = await column<string>(tx, withAdjusting(`booking_id = $1`), [id]);
    for (const invoice of invoices) await rotatePayLink(tx, by, invoice);
    return replaceManageLink(tx, by, corrected);
  });

/** Mails the latest about a booking to its new address, unless that mail waits to be sent. */
async function mailAgain(tx: Tx, by: Principal, quotas: MailQuotas, booking: BookingRow): Promise<void> {
  const { id, workspace_id, status, guest_email: email } = booking;
  const kind = mailAboutStatus[status];
  const waits = await exists(
    tx,
    `SELECT FROM mails WHERE workspace_id = $1 AND booking_id = $2 AND kind = $3 AND status = 'pending'`,
    [workspace_id, id, kind],
  );
  if (waits) return;
  await enqueueMail(tx, { workspace_id, kind, booking_id: id, about: newId('mail') });
  await countRequestedMail(tx, by, quotas, { workspace_id, kind: 'booking', email: email!, about: id });
}
