import { ApiError } from '../../domain/errors.js';
import { newId } from '../../db/ids.js';
import { execute, exists, maybeOne } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import type { MemberRow } from '../../db/queries/members/member.js';

/** How long the link to a requested address works. */
export const ADDRESS_LINK_HOURS = 24;

/**
 * Stores the address that a locked member has requested for themselves, in place of an earlier one, and enqueues the link
 * to it and the note to the current address. Nothing changes until the link is used. Deletes expired requests. Errors:
 * 409 `member_exists`.
 */
export async function requestAddress(tx: Tx, member: MemberRow, email: string): Promise<void> {
  const { id: member_id, workspace_id } = member;
  const taken = `SELECT FROM members m JOIN profiles p ON p.id = m.profile_id
    WHERE m.workspace_id = $1 AND lower(p.email) = lower($2)`;
  if (await exists(tx, taken, [workspace_id, email]))
    throw new ApiError('member_exists', 'A member with this email already exists.');
  await execute(tx, `DELETE FROM member_invites WHERE new_email IS NOT NULL AND expires_at < now()`);
  const id = newId('ivt');
  await execute(
    tx,
    `INSERT INTO member_invites (member_id, workspace_id, id, expires_at, new_email)
     VALUES ($1, $2, $3, now() + $4 * interval '1 hour', $5)
     ON CONFLICT (member_id) DO UPDATE
     SET id = excluded.id, created_at = now(), expires_at = excluded.expires_at, new_email = excluded.new_email`,
    [member_id, workspace_id, id, ADDRESS_LINK_HOURS, email],
  );
  await enqueueMail(tx, { workspace_id, kind: 'member_invite', about: id });
  await enqueueMail(tx, { workspace_id, kind: 'member_email_requested', about: id });
}

/** A requested address with what its mails and its page show. */
export interface RequestedAddress {
  id: string;
  member_id: string;
  workspace_id: string;
  profile_id: string;
  name: string;
  /** The current address. */
  email: string;
  new_email: string;
  workspace_name: string;
}

/** A requested address by the id in its link; null once it was confirmed, replaced or withdrawn, or has expired. */
export function findRequestedAddress(tx: Tx, id: string): Promise<RequestedAddress | null> {
  return maybeOne<RequestedAddress>(
    tx,
    `SELECT i.id, i.member_id, i.workspace_id, m.profile_id, m.name, m.email, i.new_email, w.name AS workspace_name
     FROM member_invites i JOIN members m ON m.id = i.member_id JOIN workspaces w ON w.id = i.workspace_id
     WHERE i.id = $1 AND i.new_email IS NOT NULL AND i.expires_at > now()`,
    [id],
  );
}

/** Withdraws the addresses that a person has requested. */
export async function withdrawRequestedAddresses(tx: Tx, profileId: string): Promise<void> {
  await execute(
    tx,
    `DELETE FROM member_invites i USING members m
     WHERE m.id = i.member_id AND m.profile_id = $1 AND i.new_email IS NOT NULL`,
    [profileId],
  );
}
