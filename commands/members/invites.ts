import { newId } from '../../db/ids.js';
import { execute, maybeOne } from '../../db/query.js';
import { MemberInvite } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { DAY_MS } from '../../domain/durations.js';
import { enqueueMail } from '../mail/mails.js';

/** How long an invite link works (docs/rules/members.md#invites). */
const INVITE_DAYS = 7;

/** A new invite to store. */
export function newInvite(): { id: string; expires_at: Date } {
  return { id: newId('ivt'), expires_at: new Date(Date.now() + INVITE_DAYS * DAY_MS) };
}

/**
 * Replaces a member's invite with a new one and enqueues its mail. Earlier links no longer work. For a member who has
 * joined, the link only proves their address.
 */
export async function renewInvite(tx: Tx, member: { id: string; workspace_id: string }): Promise<void> {
  const invite = newInvite();
  await execute(
    tx,
    `INSERT INTO member_invites (member_id, workspace_id, id, expires_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (member_id) DO UPDATE
     SET id = excluded.id, created_at = now(), expires_at = excluded.expires_at, new_email = NULL`,
    [member.id, member.workspace_id, invite.id, invite.expires_at],
  );
  await enqueueMail(tx, { workspace_id: member.workspace_id, kind: 'member_invite', about: invite.id });
}

/** Ends a member's open invite. */
export async function endInvite(tx: Tx, memberId: string): Promise<void> {
  await tx.delete(MemberInvite, { member_id: memberId });
}

/** An open invite with what its mail and its page show. */
export interface OpenInvite {
  id: string;
  member_id: string;
  workspace_id: string;
  expires_at: Date;
  /** False for a member who has joined: the link proves their address and completes no signup. */
  completes_signup: boolean;
  profile_id: string;
  email: string;
  name: string;
  workspace_name: string;
  time_zone: string;
}

const OPEN = `SELECT i.id, i.member_id, i.workspace_id, i.expires_at, m.status = 'invited' AS completes_signup,
    m.profile_id, m.email, m.name, w.name AS workspace_name, w.time_zone
  FROM member_invites i
  JOIN workspaces w ON w.id = i.workspace_id
  JOIN members m ON m.id = i.member_id`;

/** The invite of a link; null if it was used or replaced by a newer one. It may have expired. */
export function findInvite(tx: Tx, id: string): Promise<OpenInvite | null> {
  return maybeOne<OpenInvite>(tx, `${OPEN} WHERE i.id = $1 AND i.new_email IS NULL`, [id]);
}
