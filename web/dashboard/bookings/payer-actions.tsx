import { CopyLink } from '../../ui/copy.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { mailAboutStatus } from '../../../domain/mail/kinds.js';
import { rotateLink } from '../../../api/resources/bookings/rotate-link.js';
import { sendBooking } from '../../../api/resources/bookings/send.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { emptyBody } from '../../../api/http/fields.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { MAIL_NAMES } from '../shared/causes.js';
import type { FormRoute } from '../shared/section.js';
import { pathOf } from './booking-in-path.js';

/** Mails the payer again like `POST /v1/bookings/{id}/send`. */
const sendForm = apiForm<unknown, { sent_to: string }>({
  handler: sendBooking,
  schema: emptyBody,
  notice: ({ sent_to }) => `The email is being sent to ${sent_to}.`,
  to: pathOf,
});

/** Replaces the payer's link like `POST /v1/bookings/{id}/rotate-manage-link`. */
const rotateLinkForm = apiForm({
  handler: rotateLink,
  schema: emptyBody,
  notice: () => 'Link replaced; the previous one no longer works. Resend email to send them the new link.',
  to: pathOf,
});

/** The forms of a booking's page about its payer. */
export const payerActions: FormRoute[] = [
  ['/send', hiddenFields, sendForm, 'all_bookings'],
  ['/rotate-link', hiddenFields, rotateLinkForm, 'all_bookings'],
];

interface Props {
  ctx: ApiContext;
  deps: ApiDependencies;
  booking: BookingRow;
  /** The payer's address; none after an erasure. */
  email: string | undefined;
}

/** What an operator can do for the payer: mail them again, and copy or replace their link. */
export function PayerActions({ ctx, deps, booking, email }: Props) {
  const at = pathIn(ctx, pathOf(ctx));
  const link = deps.manageLinks.linkTo(booking);
  const name = `${booking.member_id ? 'Member' : 'Guest'}’s booking page`;
  if (!email) return null;
  return (
    <>
      <Action ctx={ctx} action={`${at}/send`} summary="Resend email" button={`Send it to ${email}`}>
        <p class="hint">{MAIL_NAMES[mailAboutStatus[booking.status]]}, as the booking is now.</p>
      </Action>
      {link && (
        <Action ctx={ctx} action={`${at}/rotate-link`} summary={name} button="Replace link" rare>
          <p class="hint">
            Anyone with this link can see the booking, and cancel or move it under the room’s terms.
          </p>
          <CopyLink id="manage_url" label={name} url={link} />
        </Action>
      )}
    </>
  );
}
