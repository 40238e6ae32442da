import { affected } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';
import type { Membership } from '../../db/queries/members/membership.js';

/** Records that the person of a membership has accepted it. Returns false if they had done so before. */
export async function markAccepted(tx: Tx, memberId: string): Promise<boolean> {
  const accept = `UPDATE members SET accepted_at = now() WHERE id = $1 AND accepted_at IS NULL`;
  return (await affected(tx, accept, [memberId])) > 0;
}

/**
 * Records that a signed-in person accepts a membership, with the entry about their session that the workspace
 * did not get before (docs/rules/credentials.md#audit-log).
 */
export async function acceptMembership(
  tx: Tx,
  { workspace_id, member_id }: Pick<Membership, 'workspace_id' | 'member_id'>,
): Promise<void> {
  if (!(await markAccepted(tx, member_id))) return;
  const by = { workspace_id, member_id, key_id: null };
  await audit(tx, by, { action: 'session.created', object: member_id, details: {} });
}
