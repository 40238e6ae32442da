import type { OpenInvite } from '../../../db/repositories/members/invites.js';
import type { MailMessage } from '../../gateways/mail.js';
import { button, escapeHtml, paragraphs } from './html.js';

/** When a link expires, in the workspace's time zone. */
function formatExpiry({ expires_at, time_zone }: OpenInvite): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: time_zone,
  });
  return `${format.format(expires_at)} (${time_zone})`;
}

/** Writes the mail that invites a person to a workspace (docs/rules/mail.md#invites-and-sign-in-links). */
export function renderInviteMail(mailId: string, invite: OpenInvite, link: string): MailMessage {
  const { workspace_name: workspace } = invite;
  const greeting = `Hello ${invite.name},`;
  const invitation = `${workspace} invites you to become a member. Accept the invitation here:`;
  const notes = [
    `The link can be used once, until ${formatExpiry(invite)}. If you receive a newer invitation, only the newest link works.`,
    'If you did not expect this email, you can ignore it. Nobody becomes a member without the link.',
  ];
  return {
    id: mailId,
    to: invite.email,
    subject: `${workspace} invites you`,
    text: [greeting, invitation, link, ...notes, workspace].join('\n\n'),
    html: [
      paragraphs([greeting, invitation]),
      button('Accept the invitation', link),
      ...notes.map((text) => `<p class="note">${escapeHtml(text)}</p>`),
    ].join('\n'),
  };
}
