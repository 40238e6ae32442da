import { addressKey } from '../../db/address.js';
import { HOUR_SECONDS } from '../../domain/durations.js';
import { ApiError } from '../../domain/errors.js';
import { fromNow, NOW } from '../../db/database-time.js';
import { MemberInvite } from '../../db/entities/members.js';
import { newId } from '../../db/ids.js';
import { execute, exists } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import type { MemberRow } from '../../db/queries/members/member.js';

/** How long the link to a requested address is valid. */
export const ADDRESS_LINK_HOURS = 24;

/**
 * Stores the address that a locked member has requested for themselves, in place of an earlier one, and
 * enqueues the link to it and the notice to the current address. Nothing changes until the link is used.
 * Deletes expired requests. Errors: 409 `member_exists`.
 */
export async function requestAddress(tx: Tx, member: MemberRow, email: string): Promise<void> {
  const { id: member_id, workspace_id } = member;
  const taken = `SELECT FROM members m JOIN profiles p ON p.id = m.profile_id
    WHERE m.workspace_id = $1 AND lower(p.email) = $2`;
  if (await exists(tx, taken, [workspace_id, addressKey(email)]))
    throw new ApiError('member_exists', 'A member with this email address already exists.');
  await execute(tx, `DELETE FROM member_invites WHERE new_email IS NOT NULL AND expires_at < now()`);
  const id = newId('ivt');
  const expires_at = fromNow(ADDRESS_LINK_HOURS * HOUR_SECONDS);
  await tx.upsert(
    MemberInvite,
    { id, member_id, workspace_id, created_at: NOW, expires_at, new_email: email },
    ['member_id'],
  );
  await enqueueMail(tx, { workspace_id, kind: 'member_invite', about: id });
  await enqueueMail(tx, { workspace_id, kind: 'member_email_requested', about: id });
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
