import type { OpenInvite } from '../../../db/repositories/members/invites.js';
import type { MailMessage } from '../../gateways/mail.js';
import { escapeHtml } from './html.js';

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
  const button =
    'display:inline-block;padding:12px 20px;border-radius:9px;background:#1e5f7f;color:#fff;text-decoration:none;font-weight:600';
  return {
    id: mailId,
    to: invite.email,
    subject: `${workspace} invites you`,
    text: [greeting, invitation, link, ...notes, workspace].join('\n\n'),
    html: `<!doctype html>
<html lang="en"><body style="font:16px/1.5 system-ui,sans-serif;color:#1b1f24;max-width:34rem">
<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(invitation)}</p>
<p><a href="${escapeHtml(link)}" style="${button}">Accept the invitation</a></p>
${notes.map((text) => `<p style="color:#5a6472;font-size:14px">${escapeHtml(text)}</p>`).join('\n')}
<p>${escapeHtml(workspace)}</p>
</body></html>`,
  };
}
