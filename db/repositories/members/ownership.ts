import { ApiError } from '../../../domain/errors.js';
import { assertCan, type Principal } from '../../../domain/policies.js';
import type { Tx } from '../../transaction.js';
import { audit } from '../workspaces/audit.js';
import { recordMemberChange } from './member-lifecycle.js';
import { lockMember } from './members.js';

/** The statuses of a member who can be handed a workspace. */
export const NEW_OWNER_STATUSES: readonly string[] = ['active', 'trialing'];

/**
 * Hands a workspace over: the member named is its owner from now on, and the caller, who is it, an admin (spec.md,
 * "Members", rule 2). Errors: 403 `role_insufficient`, 404 `member_not_found`, 409 `member_not_editable`.
 */
export async function transferOwnership(tx: Tx, caller: Principal, heirId: string): Promise<void> {
  const { workspace_id, member_id } = caller;
  const notFound = (): ApiError => new ApiError('member_not_found', 'There is no such member.');
  if (heirId === member_id) throw notFound();
  const locked = [];
  // In the order of their ids, so that nobody waits in a circle.
  for (const id of [member_id, heirId].toSorted()) locked.push(await lockMember(tx, workspace_id, id));
  const owner = locked.find((member) => member?.id === member_id);
  const heir = locked.find((member) => member?.id === heirId);
  if (!owner || !heir) throw notFound();
  assertCan(owner.role, 'transfer_ownership');
  if (!NEW_OWNER_STATUSES.includes(heir.status))
    throw new ApiError('member_not_editable', `A member who is ${heir.status} cannot own a workspace.`);
  // First the one, then the other: a workspace never has two.
  await tx.query(`UPDATE members SET role = 'admin' WHERE id = $1`, [owner.id]);
  await tx.query(`UPDATE members SET role = 'owner' WHERE id = $1`, [heir.id]);
  const by = { workspace_id, member_id, key_id: caller.key_id };
  await recordMemberChange(tx, by, owner);
  await recordMemberChange(tx, by, heir);
  const details = { from: owner.id, to: heir.id };
  await audit(tx, by, { action: 'workspace.ownership_transferred', object: workspace_id, details });
}
