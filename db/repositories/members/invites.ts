import { newId } from '../../ids.js';
import { execute, many, maybeOne } from '../../query.js';
import { NOW, remove, update } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** How long an invite's link works (decisions.md, "Members"). */
const INVITE_DAYS = 7;

/** A new invite, to be stored. */
export function newInvite(): { id: string; expires_at: Date } {
  return { id: newId('ivt'), expires_at: new Date(Date.now() + INVITE_DAYS * 86_400_000) };
}

/** Replaces a member's invite by a fresh one, whose mail is owed: of all links only its own works from now on. */
export async function renewInvite(tx: Tx, member: { id: string; workspace_id: string }): Promise<void> {
  const invite = newInvite();
  await execute(
    tx,
    `INSERT INTO member_invites (member_id, workspace_id, id, expires_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (member_id) DO UPDATE
     SET id = excluded.id, created_at = now(), expires_at = excluded.expires_at, sent_at = NULL,
         notified_at = NULL, refused_at = NULL`,
    [member.id, member.workspace_id, invite.id, invite.expires_at],
  );
}

/** Ends a member's open invite. */
export async function endInvite(tx: Tx, memberId: string): Promise<void> {
  await remove(tx, 'member_invites', { member_id: memberId });
}

/** An open invite, as its mail and its page need it. */
export interface OpenInvite {
  id: string;
  member_id: string;
  workspace_id: string;
  expires_at: Date;
  email: string;
  name: string;
  workspace_name: string;
  time_zone: string;
}

const OPEN = `SELECT i.id, i.member_id, i.workspace_id, i.expires_at, p.email, p.name, w.name AS workspace_name, w.time_zone
  FROM member_invites i
  JOIN workspaces w ON w.id = i.workspace_id
  JOIN members m ON m.id = i.member_id AND m.status = 'invited'
  JOIN profiles p ON p.id = m.profile_id`;

/** The invite of a link; null for one that was used, or replaced by a newer one. It may have expired. */
export function findInvite(tx: Tx, id: string): Promise<OpenInvite | null> {
  return maybeOne<OpenInvite>(tx, `${OPEN} WHERE i.id = $1`, [id]);
}

/** A workspace's invites whose mail is owed, oldest first. */
export function findPendingInvites(tx: Tx, workspaceId: string, limit: number): Promise<OpenInvite[]> {
  return many<OpenInvite>(
    tx,
    `${OPEN} WHERE i.workspace_id = $1 AND i.sent_at IS NULL AND i.refused_at IS NULL AND i.expires_at > now()
     ORDER BY i.id LIMIT $2`,
    [workspaceId, limit],
  );
}

/** Notes that the mail server has taken an invite's mail, or that it never will. */
export async function markInvite(tx: Tx, id: string, as: 'sent' | 'refused'): Promise<void> {
  await update(tx, 'member_invites', { id }, as === 'sent' ? { sent_at: NOW } : { refused_at: NOW });
}

/** Workspaces with invites that no run knows of, with their ids. */
export function findInvitesToHandOver(tx: Tx): Promise<{ workspace_id: string; ids: string[] }[]> {
  return many<{ workspace_id: string; ids: string[] }>(
    tx,
    `SELECT workspace_id, array_agg(id) AS ids FROM member_invites WHERE notified_at IS NULL
     GROUP BY workspace_id LIMIT 100`,
  );
}

/** Notes that a run has been told of these invites. */
export async function markInvitesHandedOver(tx: Tx, ids: string[]): Promise<void> {
  await execute(tx, `UPDATE member_invites SET notified_at = now() WHERE id = ANY ($1)`, [ids]);
}
