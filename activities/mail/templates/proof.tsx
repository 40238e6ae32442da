import type { ProofMail } from '../../../db/queries/mail/proof-mail.js';
import { getWords } from '../../../domain/words/words.js';
import { MailFacts, LinkButton, Paragraphs, type MailContent } from './parts.js';

/**
 * Writes the mail whose link confirms a free booking (docs/rules/booking-page.md#free-bookings). It repeats
 * nothing that the public guest entered, because the address may be somebody else's.
 */
export function renderProofMail(mail: ProofMail, link: string): MailContent {
  const { id, to, room_name: room, workspace_name, confirm_until } = mail;
  const words = getWords(mail.locale);
  const time = words.zonedMoment(confirm_until, mail);
  return {
    id,
    to,
    subject: words.say('mail.proof_subject', { room }),
    words,
    body: (
      <>
        <Paragraphs of={[words.say('mail.hello'), words.say('mail.proof', { room, time })]} />
        <LinkButton label={words.say('mail.proof_button')} url={link} />
        <MailFacts
          of={[
            [words.say('payer.booked_with'), workspace_name],
            [words.say('payer.room'), room],
            [words.say('payer.time'), words.time(mail)],
            [words.say('payer.price'), words.say('terms.free')],
          ]}
        />
        <Paragraphs of={[words.say('mail.proof_not_you')]} note />
      </>
    ),
  };
}
