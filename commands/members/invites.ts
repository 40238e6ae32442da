import { newId } from '../../db/ids.js';
import { NOW } from '../../db/database-time.js';
import { MemberInvite } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { DAY_MS } from '../../domain/durations.js';
import { enqueueMail } from '../mail/mails.js';

/** How long an invite link is valid (docs/rules/members.md#invites). */
const INVITE_DAYS = 7;

/** Returns a new invite to store. */
export function newInvite(): { id: string; expires_at: Date } {
  return { id: newId('ivt'), expires_at: new Date(Date.now() + INVITE_DAYS * DAY_MS) };
}

/**
 * Replaces a member's invite with a new one and enqueues its mail. Earlier links no longer work. For a member
 * who has already joined, the link only proves their address.
 */
export async function renewInvite(tx: Tx, member: { id: string; workspace_id: string }): Promise<void> {
  const { id: member_id, workspace_id } = member;
  const invite = newInvite();
  await tx.upsert(MemberInvite, { ...invite, member_id, workspace_id, created_at: NOW, new_email: null }, [
    'member_id',
  ]);
  await enqueueMail(tx, { workspace_id, kind: 'member_invite', about: invite.id });
}

/** Ends a member's open invite. */
export async function endInvite(tx: Tx, memberId: string): Promise<void> {
  await tx.delete(MemberInvite, { member_id: memberId });
}
