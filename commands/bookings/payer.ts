import type { Principal } from '../../domain/policies.js';
import { column, execute, exists } from '../../db/query.js';
import type { DataSource } from 'typeorm';
import { transaction, type Tx } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockWorkspaceBooking, recordBookingEvent, updateBooking } from './bookings.js';
import { splitWaitingMessages } from './messages.js';
import { canonicalIfOther } from '../../db/address.js';
import { newId } from '../../db/ids.js';
import { ApiError, refuse } from '../../domain/errors.js';
import { type GuestCorrection, whyNotCorrectGuest } from '../../domain/bookings/guest-correction.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import { mailAboutStatus, mayMailStatus } from '../../domain/mail/kinds.js';
import { presentBooking } from '../../domain/bookings/booking-presenter.js';
import { rotatePayLink } from '../invoices/pay-link.js';
import { countRequestedMail } from '../mail/mail-limits.js';
import { enqueueMail } from '../mail/mails.js';
import { findMember } from '../../db/queries/members/member.js';
import { isUnproven } from '../../db/queries/mail/unproven-booking.js';
import { bindKey, boundBefore, partKey, type IdempotencyKey } from '../api-keys/idempotency.js';

/**
 * Replaces the manage link of a booking, unless its booker was erased. Returns the booking. Errors: 404
 * `booking_not_found`.
 */
export const rotateManageLink = (db: DataSource, by: Principal, id: string): Promise<BookingRow> =>
  transaction(db, async (tx) => replaceManageLink(tx, by, await lockWorkspaceBooking(tx, by, id)));

/** Does the same for a locked booking. */
export async function replaceManageLink(tx: Tx, by: Principal, booking: BookingRow): Promise<BookingRow> {
  const { id, manage_link_version: version } = booking;
  if (version === null) return booking;
  await execute(tx, `UPDATE bookings SET manage_link_version = $2 WHERE id = $1`, [id, version + 1]);
  await audit(tx, by, { action: 'booking.manage_link_rotated', object: id, details: {} });
  return { ...booking, manage_link_version: version + 1 };
}

/**
 * Replaces the manage links of a member's bookings, which were mailed to a previous address. Messages that
 * wait to be sent go to the new one, without the bookings of others.
 */
export async function rotateMemberManageLinks(tx: Tx, memberId: string): Promise<void> {
  const bookings = await column<string>(
    tx,
    `UPDATE bookings SET manage_link_version = manage_link_version + 1
     WHERE member_id = $1 AND manage_link_version IS NOT NULL RETURNING id`,
    [memberId],
  );
  await splitWaitingMessages(tx, bookings);
}

/**
 * Corrects the address or name of a booking's guest (docs/rules/bookings.md#correcting-a-guest). Waiting mail
 * goes to the new address. With a new address, the links that were sent to the previous one also end, and the
 * new address gets the mail that describes the booking's current state. The audit entry contains which fields
 * changed, but not their values. Nothing changes if the values are the same, or if the key was used before.
 * With `isPart`, another part of the request binds the key. Errors: 404 `booking_not_found`; 409
 * `booking_not_editable`, `idempotency_conflict`; 429 if the new address was mailed a short time ago.
 */
export const correctGuest = (
  db: DataSource,
  quotas: MailQuotas,
  by: Principal,
  id: string,
  correction: GuestCorrection,
  { idempotency, isPart }: { idempotency: IdempotencyKey | null; isPart: boolean },
): Promise<BookingRow> =>
  transaction(db, async (tx) => {
    const key = isPart ? partKey(idempotency, 'guest') : idempotency;
    const isDone = (await boundBefore(tx, by.workspace_id, key, id)) !== null;
    const booking = await lockWorkspaceBooking(tx, by, id);
    if (isDone) return booking;
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
    await splitWaitingMessages(tx, [id]);
    const invoices = await column<string>(
      tx,
      `SELECT a.id FROM invoices i, with_adjusting(i.id) a WHERE i.booking_id = $1 ORDER BY a.id`,
      [id],
    );
    for (const invoice of invoices) await rotatePayLink(tx, by, invoice);
    return replaceManageLink(tx, by, corrected);
  });

/**
 * Mails the current state of a booking to its new address, unless that mail is already waiting to be sent.
 */
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

/** Returns the address for mail about the booking. Errors: 422 after an erasure. */
async function findBookerAddress(
  tx: Tx,
  { guest_email, member_id, workspace_id }: BookingRow,
): Promise<string> {
  const member = member_id ? await findMember(tx, workspace_id, member_id) : null;
  const email = guest_email ?? member?.email;
  if (!email) throw new ApiError('validation_failed', 'The booker has been erased and has no email address.');
  return email;
}

const unproven = (): ApiError =>
  new ApiError(
    'validation_failed',
    'No email can be sent about this booking, because it has not been paid and its email address has ' +
      'not been confirmed.',
  );

/**
 * Mails the payer the current state of the booking (docs/rules/mail.md#booking-mail), once per key. Returns
 * the address. Errors: 404 `booking_not_found`; 409 `idempotency_conflict`; 422 if the booker was erased, or
 * is a public guest whose booking has ended without being paid or confirmed; 429 if it was sent a short time
 * ago.
 */
export const sendBooking = (
  db: DataSource,
  quotas: MailQuotas,
  caller: Principal,
  id: string,
  idempotency: IdempotencyKey | null,
): Promise<string> =>
  transaction(db, async (tx) => {
    const booking = await lockWorkspaceBooking(tx, caller, id);
    const { workspace_id, status } = booking;
    const email = await findBookerAddress(tx, booking);
    const kind = mailAboutStatus[status];
    if (!mayMailStatus({ status, is_unproven: await isUnproven(tx, id) })) throw unproven();
    const about = newId('mail');
    if ((await bindKey(tx, workspace_id, idempotency, about)) !== about) return email;
    await enqueueMail(tx, { workspace_id, kind, booking_id: id, about });
    await countRequestedMail(tx, caller, quotas, { workspace_id, kind: 'booking', email, about: id });
    return email;
  });
