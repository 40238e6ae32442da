import { ApiError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/policies.js';
import type { Tx } from '../../transaction.js';
import { changeAddress, notifyPreviousAddress } from './change-address.js';
import { recordMemberChange } from './member-changes.js';
import { lockMember } from './members.js';

/**
 * Changes the address of the caller's own membership on the account page, which checked their sign-in
 * (docs/rules/members.md#changes-of-address). Errors: 404 `member_not_found`, 409 `member_exists`.
 */
export async function changeOwnAddress(tx: Tx, caller: Principal, email: string): Promise<void> {
  const { workspace_id, member_id } = caller;
  const member = await lockMember(tx, workspace_id, member_id);
  if (!member) throw new ApiError('member_not_found', 'No such member.');
  const moved = await changeAddress(tx, caller, member, email);
  const eventId = await recordMemberChange(tx, caller, member);
  if (moved && eventId) await notifyPreviousAddress(tx, workspace_id, eventId);
}
