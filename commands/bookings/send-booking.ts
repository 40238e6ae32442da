import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { findMember } from '../../db/queries/members/member.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { isUnproven } from '../../db/queries/mail/strangers-mail.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import { ApiError } from '../../domain/errors.js';
import { isHoldMail, mailAboutStatus } from '../../domain/mail/kinds.js';
import type { Principal } from '../../domain/policies.js';
import { bindKey, type IdempotencyKey } from '../api-keys/idempotency.js';
import { countRequestedMail } from '../mail/mail-limits.js';
import { enqueueMail } from '../mail/mails.js';
import { lockBookingOf } from './bookings.js';

/** Where mail about a booking goes. Errors: 422 after an erasure. */
async function addressOf(tx: Tx, { guest_email, member_id, workspace_id }: BookingRow): Promise<string> {
  const member = member_id ? await findMember(tx, workspace_id, member_id) : null;
  const email = guest_email ?? member?.email;
  if (!email) throw new ApiError('validation_failed', 'The payer has no email address: they were erased.');
  return email;
}

const unproven = (): ApiError =>
  new ApiError(
    'validation_failed',
    'This booking gets no mail: nobody has paid it, or shown that its email address is theirs.',
  );

/**
 * Mails the payer what is true of the booking now (docs/rules/mail.md#booking-mail), once for each key.
 * Returns the address. Errors: 404 `booking_not_found`; 409 `idempotency_conflict`; 422 if the payer was
 * erased, or is a stranger whose booking was neither paid nor confirmed and is over; 429 if it was sent a
 * short time ago.
 */
export const sendBooking = (
  db: DataSource,
  quotas: MailQuotas,
  caller: Principal,
  id: string,
  idempotency: IdempotencyKey | null,
): Promise<string> =>
  transaction(db, async (tx) => {
    const booking = await lockBookingOf(tx, caller, id);
    const { workspace_id, status } = booking;
    const email = await addressOf(tx, booking);
    const kind = mailAboutStatus[status];
    if (!isHoldMail(kind) && (await isUnproven(tx, id))) throw unproven();
    const about = newId('mail');
    if ((await bindKey(tx, workspace_id, idempotency, about)) !== about) return email;
    await enqueueMail(tx, { workspace_id, kind, booking_id: id, about });
    await countRequestedMail(tx, caller, quotas, { workspace_id, kind: 'booking', email, about: id });
    return email;
  });
