import { bindKey } from '../../../commands/api-keys/idempotency.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { countRequestedMail } from '../../../commands/mail/mail-limits.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { isUnproven } from '../../../db/queries/mail/strangers-mail.js';
import { findMember } from '../../../db/queries/members/member.js';
import { newId } from '../../../db/ids.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { isHoldMail, mailAboutStatus } from '../../../domain/mail/kinds.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { bookingOf } from './read.js';

type Deps = Pick<ApiDependencies, 'db' | 'mailQuotas'>;

async function addressOf({ db }: Deps, booking: BookingRow): Promise<string> {
  const { guest_email, member_id, workspace_id } = booking;
  const member = member_id ? await findMember(db.manager, workspace_id, member_id) : null;
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
 * `POST /v1/bookings/{id}/send`: mails the payer what is true of the booking now
 * (docs/rules/mail.md#booking-mail). Errors: 404 `booking_not_found`; 422 if the payer was erased, or is a
 * stranger whose booking was neither paid nor confirmed and is over; 429 if it was sent a short time ago.
 */
export function sendBooking(deps: Deps): Handler {
  return async (ctx) => {
    const booking = await bookingOf(ctx, deps);
    const { id: booking_id, workspace_id, status } = booking;
    const email = await addressOf(deps, booking);
    const kind = mailAboutStatus[status];
    if (!isHoldMail(kind) && (await isUnproven(deps.db.manager, booking_id))) throw unproven();
    const idempotency = idempotencyOf(ctx);
    await transaction(deps.db, async (tx) => {
      const about = newId('mail');
      if ((await bindKey(tx, workspace_id, idempotency, about)) !== about) return;
      await enqueueMail(tx, { workspace_id, kind, booking_id, about });
      const counted = { workspace_id, kind: 'booking', email, about: booking_id } as const;
      await countRequestedMail(tx, ctx.state.principal, deps.mailQuotas, counted);
    });
    ctx.body = { booking_id, sent_to: email };
    ctx.status = 200;
  };
}
