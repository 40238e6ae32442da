import type { OpenInvite } from '../../../db/queries/members/invite.js';
import { formatZonedMoment } from '../../../domain/display.js';
import { describeRole, invitedTo } from '../../../domain/members/invite-words.js';
import { describeOffer } from '../../../domain/members/plans.js';
import { greeting, LinkButton, Paragraphs, type MailContent } from './parts.js';

/** Writes when a link expires, in the workspace's time zone. */
function formatExpiry({ expires_at, time_zone }: OpenInvite): string {
  return formatZonedMoment(expires_at, time_zone, new Date());
}

/** Writes the mail that invites a person to a workspace (docs/rules/mail.md#invites-and-sign-in-links). */
export function renderInviteMail(mailId: string, invite: OpenInvite, link: string): MailContent {
  const { workspace_name: workspace } = invite;
  const opening = [`${workspace} has invited you ${invitedTo(invite.role)}.`, ...describeRole(invite.role)];
  const offer = describeOffer(invite, new Date());
  const paragraphs = [opening, offer].filter((each) => each.length > 0).map((each) => each.join(' '));
  const request = 'Accept the invite here:';
  const notes = [
    `The link can be used once, until ${formatExpiry(invite)}. If you receive a newer invite, use ` +
      'the link in that one.',
    'If you didn’t expect this invite, you can ignore this email.',
  ];
  return {
    id: mailId,
    to: invite.email,
    subject: `${workspace} has invited you`,
    body: (
      <>
        <Paragraphs of={[greeting(invite.name, invite.email), ...paragraphs, request]} />
        <LinkButton label="Accept invite" url={link} />
        <Paragraphs of={notes} note />
      </>
    ),
  };
}
