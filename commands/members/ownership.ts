import { ApiError } from '../../domain/errors.js';
import { assertCan, type Principal } from '../../domain/policies.js';
import { Member } from '../../db/entities/members.js';
import type { MemberRow } from '../../db/queries/members/member.js';
import type { Tx } from '../../db/transaction.js';
import { revokeApiKeys } from '../api-keys/api-keys.js';
import { audit } from '../audit-log/audit.js';
import { recordMemberChange } from './member-changes.js';
import { lockMember } from './members.js';
import { withCode, type CodeDeps } from '../sign-in/authenticators.js';

/** True if a member can become the owner: the person must have accepted the membership. */
export const mayOwn = ({ status, accepted_at }: Pick<MemberRow, 'status' | 'accepted_at'>): boolean =>
  (status === 'active' || status === 'trialing') && accepted_at !== null;

/**
 * Makes a member the owner of the workspace, and the caller, who is the owner, an admin
 * (docs/rules/members.md#ownership-transfer). `code`: the caller's; null for callers who do not need one.
 * Errors: 403 `role_insufficient`, 404 `member_not_found`, 409 `member_not_editable`, 422 on `code`.
 */
export const transferOwnership = (
  deps: CodeDeps,
  caller: Principal,
  newOwnerId: string,
  code: string | null,
): Promise<void> => withCode(deps, caller.profile_id, code, (tx) => transfer(tx, caller, newOwnerId));

async function transfer(tx: Tx, caller: Principal, newOwnerId: string): Promise<void> {
  const { workspace_id, member_id } = caller;
  const notFound = (): ApiError => new ApiError('member_not_found', 'No such member.');
  if (newOwnerId === member_id) throw notFound();
  const locked = [];
  // In order of id, so that two transfers cannot deadlock.
  for (const id of [member_id, newOwnerId].toSorted()) locked.push(await lockMember(tx, workspace_id, id));
  const owner = locked.find((member) => member?.id === member_id);
  const newOwner = locked.find((member) => member?.id === newOwnerId);
  if (!owner || !newOwner) throw notFound();
  assertCan(owner.role, 'transfer_ownership');
  if (!mayOwn(newOwner))
    throw new ApiError(
      'member_not_editable',
      `A member with status ${newOwner.status} ` +
        `${newOwner.accepted_at ? '' : 'who has not accepted the membership '}cannot own a workspace.`,
    );
  // In this order: a workspace never has two owners.
  await tx.update(Member, { id: owner.id }, { role: 'admin' });
  await tx.update(Member, { id: newOwner.id }, { role: 'owner' });
  const by = { workspace_id, member_id, key_id: caller.key_id };
  await recordMemberChange(tx, by, owner);
  await recordMemberChange(tx, by, newOwner);
  for (const issued_to of [owner.id, newOwner.id])
    await revokeApiKeys(tx, caller, { issued_to }, 'ownership_transferred');
  const details = { from: owner.id, to: newOwner.id };
  await audit(tx, by, { action: 'workspace.ownership_transferred', object: workspace_id, details });
}
