import { LINK_MINUTES } from '../../../commands/access/sign-in-links.js';
import type { MailMessage } from '../../gateways/mail.js';
import { escapeHtml } from './html.js';

/** Writes the mail with a sign-in link (docs/rules/mail.md#invites-and-sign-in-links). */
export function renderSignInMail(mailId: string, person: { to: string }, link: string): MailMessage {
  const greeting = 'Hello,';
  const note = `The link can be used once, within ${LINK_MINUTES} minutes. If you didn’t request it, you can ignore this email.`;
  return {
    id: mailId,
    to: person.to,
    subject: 'Your Holdfast sign-in link',
    text: [greeting, 'Use this link to sign in:', link, note].join('\n\n'),
    html: [
      `<p>${escapeHtml(greeting)}</p>`,
      `<p><a href="${escapeHtml(link)}">Sign in to Holdfast</a></p>`,
      `<p>${escapeHtml(note)}</p>`,
    ].join('\n'),
  };
}
