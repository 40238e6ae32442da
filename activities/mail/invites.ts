import type { DataSource } from 'typeorm';
import type { InviteLinks } from '../../db/invite-links.js';
import { findPendingInvites, markInvite, type OpenInvite } from '../../db/repositories/members/invites.js';
import { isRefusedForGood, type Mailer } from '../gateways/mail.js';
import { writeInvite } from './invite-template.js';

/** Few enough to be sent in the time of one activity by a mail server that takes half a second for each. */
const SENT_AT_ONCE = 20;

/** How far a round of sending came. */
export interface InvitesReport {
  sent: number;
  /** Addresses that the mail server refuses for good. */
  refused: number;
}

/** Mail to who is invited, from the invites themselves (decisions.md, "Members"). */
export function createInviteActivities({
  db,
  mailer,
  inviteLinks,
}: {
  db: DataSource;
  mailer: Mailer;
  inviteLinks: InviteLinks;
}) {
  /** An address that can't be reached stops nobody else's mail. */
  async function send(invite: OpenInvite): Promise<'sent' | 'refused'> {
    try {
      await mailer.send(writeInvite(invite, inviteLinks.linkTo(invite.id)));
      return 'sent';
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      return 'refused';
    }
  }

  return {
    /**
     * Sends some of the invites that are owed. Each is marked once the server has taken it, so a crash in between
     * sends it again, under the same message id, not never.
     */
    async sendInvites(workspaceId: string): Promise<InvitesReport> {
      const report = { sent: 0, refused: 0 };
      for (const invite of await findPendingInvites(db.manager, workspaceId, SENT_AT_ONCE)) {
        const outcome = await send(invite);
        await markInvite(db.manager, invite.id, outcome);
        report[outcome]++;
      }
      return report;
    },
  };
}
