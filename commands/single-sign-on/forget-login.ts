import { ApiError, refuse } from '../../domain/errors.js';
import { whyNotEdit } from '../../domain/members/edit.js';
import type { Principal } from '../../domain/policies.js';
import type { Tx } from '../../db/transaction.js';
import { lockMember } from '../members/members.js';
import { audit } from '../audit-log/audit.js';
import { forgetSubject } from './subjects.js';

/**
 * Has the next login through the provider bind a member anew, by their address
 * (docs/rules/single-sign-on.md#the-member). Whoever may change the member's address may do this: both decide
 * who enters as the member. Errors: 403 `role_insufficient`, `owner_protected`; 404 `member_not_found`.
 */
export async function forgetMemberLogin(tx: Tx, by: Principal, memberId: string): Promise<void> {
  const member = await lockMember(tx, by.workspace_id, memberId);
  if (!member) throw new ApiError('member_not_found', 'No such member.');
  refuse(whyNotEdit(by, member, { email: member.email }));
  await forgetSubject(tx, member);
  await audit(tx, by, { action: 'sso.forgotten', object: member.id, details: {} });
}
