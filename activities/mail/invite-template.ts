import type { OpenInvite } from '../../db/repositories/members/invites.js';
import type { Letter } from '../gateways/mail.js';
import { escapeHtml } from './booking-templates.js';

/** The day and time until which a link works, as people in the workspace's zone read it. */
function formatEnd({ expires_at, time_zone }: OpenInvite): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: time_zone,
  });
  return `${format.format(expires_at)} (${time_zone})`;
}

/** Writes the letter that invites somebody into a workspace: the link is for them alone. */
export function writeInvite(invite: OpenInvite, link: string): Letter {
  const { workspace_name: place } = invite;
  const greeting = `Hello ${invite.name},`;
  const invitation = `${place} invites you to become a member. Accept here:`;
  const small = [
    `The link works once, until ${formatEnd(invite)}. If a newer invitation reaches you, only that one works.`,
    'If you did not expect this, you need not do anything: without the link nobody becomes a member.',
  ];
  const button =
    'display:inline-block;padding:12px 20px;border-radius:9px;background:#1e5f7f;color:#fff;text-decoration:none;font-weight:600';
  return {
    id: invite.id,
    to: invite.email,
    subject: `${place} invites you`,
    text: [greeting, invitation, link, ...small, place].join('\n\n'),
    html: `<!doctype html>
<html lang="en"><body style="font:16px/1.5 system-ui,sans-serif;color:#1b1f24;max-width:34rem">
<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(invitation)}</p>
<p><a href="${escapeHtml(link)}" style="${button}">Accept the invitation</a></p>
${small.map((text) => `<p style="color:#5a6472;font-size:14px">${escapeHtml(text)}</p>`).join('\n')}
<p>${escapeHtml(place)}</p>
</body></html>`,
  };
}
