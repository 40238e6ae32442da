import { newId } from '../ids.js';
import type { Tx } from '../transaction.js';

/** How long an invite's link works (decisions.md, "Members"). */
const INVITE_DAYS = 7;

/** A new invite, to be stored. */
export function newInvite(): { id: string; expires_at: Date } {
  return { id: newId('ivt'), expires_at: new Date(Date.now() + INVITE_DAYS * 86_400_000) };
}

/** Replaces a member's invite by a fresh one, whose mail is owed: of all links only its own works from now on. */
export async function renewInvite(tx: Tx, member: { id: string; workspace_id: string }): Promise<void> {
  const invite = newInvite();
  await tx.query(
    `INSERT INTO member_invites (member_id, workspace_id, id, expires_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (member_id) DO UPDATE
     SET id = excluded.id, created_at = now(), expires_at = excluded.expires_at, sent_at = NULL`,
    [member.id, member.workspace_id, invite.id, invite.expires_at],
  );
}

/** Ends a member's open invite. */
export async function endInvite(tx: Tx, memberId: string): Promise<void> {
  await tx.query(`DELETE FROM member_invites WHERE member_id = $1`, [memberId]);
}
