import { LINK_MINUTES } from '../../../commands/sign-in/links.js';
import { LinkButton, Paragraphs, type MailContent } from './parts.js';

/** Where a person signs in. */
interface SignInMail {
  to: string;
  link: string;
  /** The sign-in pages of workspaces that require single sign-on. */
  pages: { workspace_name: string; url: string }[];
}

/** Writes the mail with a sign-in link (docs/rules/mail.md#invites-and-sign-in-links). */
export function renderSignInMail(mailId: string, { to, link, pages }: SignInMail): MailContent {
  const note =
    `The link can be used once, within ${LINK_MINUTES} minutes. If you didn’t request it, you ` +
    'can ignore this email.';
  return {
    id: mailId,
    to,
    subject: 'Your Holdfast sign-in link',
    body: (
      <>
        <Paragraphs of={['Hello,', 'Use this link to sign in:']} />
        <LinkButton label="Sign in to Holdfast" url={link} />
        <Paragraphs of={[note]} />
        {pages.map(({ workspace_name, url }) => (
          <>
            <Paragraphs of={[`${workspace_name} requires single sign-on. Use its sign-in page:`]} />
            <LinkButton label="Open sign-in page" url={url} />
          </>
        ))}
      </>
    ),
  };
}
