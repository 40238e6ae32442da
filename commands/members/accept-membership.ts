import type { DataSource } from 'typeorm';
import { affected } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';
import { setReturnTo } from '../sign-in/sessions.js';
import type { Membership } from '../../db/queries/members/membership.js';

/** Records that the person has accepted a membership. Returns false if they had already done so. */
export async function markAccepted(tx: Tx, memberId: string): Promise<boolean> {
  const accept = `UPDATE members SET accepted_at = now() WHERE id = $1 AND accepted_at IS NULL`;
  return (await affected(tx, accept, [memberId])) > 0;
}

/**
 * Records that a signed-in person accepts a membership, with the entry about their session that the workspace
 * has not got yet (docs/rules/credentials.md#audit-log). The session, given by its hash, then continues to a
 * path.
 */
export const acceptMembership = (
  db: DataSource,
  { workspace_id, member_id }: Pick<Membership, 'workspace_id' | 'member_id'>,
  session: { id_hash: Buffer; return_to: string },
): Promise<void> =>
  transaction(db, async (tx) => {
    const by = { workspace_id, member_id, key_id: null };
    if (await markAccepted(tx, member_id))
      await audit(tx, by, { action: 'session.created', object: member_id, details: {} });
    await setReturnTo(tx, session.id_hash, session.return_to);
  });
