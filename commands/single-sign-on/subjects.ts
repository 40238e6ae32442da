import { SsoSubject } from '../../db/entities/single-sign-on.js';
import type { Tx } from '../../db/transaction.js';
import type { MemberRow } from '../../db/queries/members/member.js';
import { deleteProviderSessions } from '../sign-in/sessions.js';

/**
 * Removes a member's binding to a provider's subject, and ends their sessions through the provider. Their
 * next sign-in binds them again, by the address they have then (docs/rules/single-sign-on.md#the-member).
 */
export async function forgetSubject(
  tx: Tx,
  { id, workspace_id, profile_id }: Pick<MemberRow, 'id' | 'workspace_id' | 'profile_id'>,
): Promise<void> {
  await tx.delete(SsoSubject, { member_id: id });
  await deleteProviderSessions(tx, workspace_id, profile_id);
}
