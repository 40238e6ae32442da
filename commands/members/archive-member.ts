import { dayIn } from '../../domain/cycle.js';
import { ApiError, refuse } from '../../domain/errors.js';
import { whyNotEditOwner } from '../../domain/members/edit.js';
import type { Principal } from '../../domain/policies.js';
import { canMove, MEMBER_TRANSITIONS } from '../../domain/states.js';
import { CLOCK } from '../../db/database-time.js';
import { Member } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { revokeApiKeys } from '../api-keys/api-keys.js';
import { audit } from '../audit-log/audit.js';
import { draftOwed } from '../subscriptions/invoices.js';
import { endInvite } from './invites.js';
import { recordMemberEvent } from './member-changes.js';
import { findMember } from '../../db/queries/members/member.js';
import { lockMember } from './members.js';

/**
 * Archives a member (docs/rules/members.md#archiving): revokes their keys; their bookings stay. Archiving
 * again changes nothing. Errors: 403 `owner_protected`, 404 `member_not_found`.
 */
export async function archiveMember(tx: Tx, principal: Principal, id: string): Promise<void> {
  const member = await lockMember(tx, principal.workspace_id, id);
  if (!member) throw new ApiError('member_not_found', 'No such member.');
  refuse(whyNotEditOwner(member));
  if (!canMove(MEMBER_TRANSITIONS.archive, member.status)) return;
  // Decide first what is owed for the time until now, while the member is unchanged.
  await draftOwed(tx, member, dayIn(member.time_zone, new Date()));
  await tx.update(
    Member,
    { id },
    {
      status: MEMBER_TRANSITIONS.archive.to,
      archived_at: CLOCK,
      updated_at: CLOCK,
      pending_tier: null,
      pending_tier_at: null,
    },
  );
  await revokeApiKeys(tx, principal, { member_id: id }, 'member_archived');
  await endInvite(tx, id);
  await recordMemberEvent(tx, 'member.archived', (await findMember(tx, principal.workspace_id, id))!);
  const details = { before: { status: member.status }, after: { status: 'archived' } };
  await audit(tx, principal, { action: 'member.archived', object: id, details });
}
