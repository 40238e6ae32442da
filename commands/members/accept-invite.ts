import type { DataSource } from 'typeorm';
import { dayIn } from '../../domain/cycle.js';
import { ApiError, refuse } from '../../domain/errors.js';
import { whyNotInvite } from '../../domain/members/edit.js';
import type { Principal } from '../../domain/policies.js';
import { MEMBER_TRANSITIONS } from '../../domain/states.js';
import { execute } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';
import { markAccepted } from './accept-membership.js';
import { findInvite } from '../../db/queries/members/invite.js';
import { endInvite, renewInvite } from './invites.js';
import { recordMemberEvent } from './member-changes.js';
import type { MemberRow } from '../../db/queries/members/member.js';
import { grantHours } from '../subscriptions/member-cycle.js';
import { lockMember, setBillingAnchor } from './members.js';
import { verifyProfile } from './profiles.js';

/** Replaces a member's invite with a new one. Errors: 404 `member_not_found`, 409 `member_not_invited`. */
export async function resendInvite(tx: Tx, principal: Principal, id: string): Promise<void> {
  const member = await lockMember(tx, principal.workspace_id, id);
  if (!member) throw new ApiError('member_not_found', 'No such member.');
  refuse(whyNotInvite(member));
  await renewInvite(tx, member);
  await recordMemberEvent(tx, 'member.invited', member);
  await audit(tx, principal, { action: 'member.invited', object: id, details: {} });
}

/**
 * Uses an invite (docs/rules/members.md#invites): proves the member's address, and completes the signup of an
 * invited member with the name they enter. Returns false if the invite was used or replaced, or has expired.
 */
export const acceptInvite = (db: DataSource, inviteId: string, name: string | null): Promise<boolean> =>
  transaction(db, async (tx) => {
    const invite = await findInvite(tx, inviteId);
    if (!invite) return false;
    const { member_id: id, workspace_id } = invite;
    const member = (await lockMember(tx, workspace_id, id))!;
    // Another transaction may have used or replaced the invite before this one got the lock.
    const open = await findInvite(tx, inviteId);
    if (!open || open.expires_at <= new Date()) return false;
    await endInvite(tx, id);
    await verifyProfile(tx, open.profile_id);
    await markAccepted(tx, id);
    if (open.completes_signup) await completeSignup(tx, member, name ?? member.name);
    return true;
  });

/** Makes a locked, invited member active, or starts their trial, with the name that they entered. */
export async function completeSignup(tx: Tx, member: MemberRow, name: string): Promise<void> {
  const { id } = member;
  const today = dayIn(member.time_zone, new Date());
  const onTrial = member.trial_ends_at && member.trial_ends_at > new Date();
  await execute(
    tx,
    `UPDATE members m SET name = $3, status = $2, joined_at = clock_timestamp(),
      updated_at = clock_timestamp(),
            cycle_starts_on = $4
     WHERE m.id = $1`,
    [id, MEMBER_TRANSITIONS[onTrial ? 'sign_up_on_trial' : 'sign_up'].to, name, today],
  );
  if (!onTrial) await setBillingAnchor(tx, member, today);
  await recordMemberEvent(tx, 'member.activated', await grantHours(tx, member));
}
