import { affected } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** SQL that is false for an account that is known to be disconnected: nothing moves there. `r`: its row. */
const CAN_MOVE = `NOT EXISTS (SELECT FROM workspaces w WHERE w.processor_account_id = r.account_id
  AND w.processor_status = 'revoked')`;

/** What happened from then until now may be lost: whatever is attempted for what existed is looked up at the processor first. */
const RECOVERING = `recovering_since = least(recovering_since, $1::timestamptz),
  read_until = least(read_until, $1::timestamptz), next_read_at = now(),
  lost_from = least(lost_from, $1::timestamptz), lost_until = now()`;

/**
 * Makes money stand still on all accounts until their facts since a time have been read. Each time takes effect once:
 * returns how many accounts recover, or null if it has taken effect before.
 */
export async function recoverSince(
  tx: Tx,
  since: Date,
  source: 'told_since' | 'found_since',
): Promise<number | null> {
  const known = `UPDATE recovery SET ${source} = $1 WHERE ${source} IS DISTINCT FROM $1`;
  if ((await affected(tx, known, [since])) === 0) return null;
  return affected(tx, `UPDATE account_reads r SET ${RECOVERING} WHERE ${CAN_MOVE}`, [since]);
}

/** The same for one account, at any time. */
export function recoverAccount(tx: Tx, accountId: string, since: Date): Promise<number> {
  const of = `account_id = $2 AND ${CAN_MOVE}`;
  return affected(tx, `UPDATE account_reads r SET ${RECOVERING} WHERE ${of}`, [since, accountId]);
}
