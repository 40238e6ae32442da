import type { ProofMail } from '../../../db/queries/mail/proof-mail.js';
import { formatZonedMoment, formatZonedSpan, localeOf } from '../../../domain/display.js';
import { Facts, LinkButton, Paragraphs, type MailContent } from './parts.js';

/**
 * Writes the mail whose link confirms a free booking (docs/rules/booking-page.md#free-bookings). It repeats nothing that the
 * stranger has entered: the address may be somebody else's.
 */
export function renderProofMail(mail: ProofMail, link: string): MailContent {
  const { id, to, room_name, workspace_name, confirm_until, time_zone } = mail;
  const now = new Date();
  const until = formatZonedMoment(confirm_until, time_zone, now, localeOf(mail));
  return {
    id,
    to,
    subject: `Confirm your booking of ${room_name}`,
    body: (
      <>
        <Paragraphs
          of={['Hello,', `${room_name} is held for you until ${until}. Confirm your booking by then:`]}
        />
        <LinkButton label="Confirm booking" url={link} />
        <Facts
          of={[
            ['Booked with', workspace_name],
            ['Room', room_name],
            ['Time', formatZonedSpan(mail, now)],
            ['Price', 'Free'],
          ]}
        />
        <Paragraphs
          of={['If you did not book this, ignore this email: nothing is booked unless the link is opened.']}
          note
        />
      </>
    ),
  };
}
