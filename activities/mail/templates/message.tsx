import type { BookingOfMessage, MessageMail } from '../../../db/queries/mail/message-mail.js';
import { getWords } from '../../../domain/words/words.js';
import { LinkButton, MailFacts, Paragraphs, quoted, type MailContent } from './parts.js';

/**
 * Writes the mail with a message of staff (docs/rules/bookings.md#messages): the subject as it was entered,
 * the text as a quotation, and the bookings that it is about. Only the frame is in the booker's language.
 */
export function renderMessageMail(
  { id, to, name, locale, workspace_name, subject, text, bookings }: MessageMail,
  manageLink: (booking: BookingOfMessage['booking']) => string | null,
): MailContent {
  const words = getWords(locale);
  return {
    id,
    to,
    subject,
    words,
    body: (
      <>
        <Paragraphs
          of={[
            words.say('mail.hello_name', { name }),
            ...quoted(text, words.say('mail.wrote', { name: workspace_name })),
          ]}
        />
        {bookings.map((each) => {
          const link = manageLink(each.booking);
          return (
            <>
              <MailFacts
                of={[
                  [words.say('payer.room'), each.room_name],
                  [words.say('payer.time'), words.time(each)],
                  [words.say('payer.reference'), each.reference],
                ]}
              />
              {link && <LinkButton label={words.say('mail.see')} url={link} more />}
            </>
          );
        })}
      </>
    ),
  };
}
