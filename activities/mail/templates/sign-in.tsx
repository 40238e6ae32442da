import { LINK_MINUTES } from '../../../commands/access/sign-in-links.js';
import { LinkButton, Paragraphs, type MailContent } from './parts.js';

/** Writes the mail with a sign-in link (docs/rules/mail.md#invites-and-sign-in-links). */
export function renderSignInMail(mailId: string, person: { to: string }, link: string): MailContent {
  const note = `The link can be used once, within ${LINK_MINUTES} minutes. If you didn’t request it, you can ignore this email.`;
  return {
    id: mailId,
    to: person.to,
    subject: 'Your Holdfast sign-in link',
    body: (
      <>
        <Paragraphs of={['Hello,', 'Use this link to sign in:']} />
        <LinkButton label="Sign in to Holdfast" url={link} />
        <Paragraphs of={[note]} />
      </>
    ),
  };
}
