import { affected, execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** SQL that is false for an account that is known to be disconnected: nothing moves there. `r`: its row. */
const CAN_MOVE = `NOT EXISTS (SELECT FROM workspaces w WHERE w.processor_account_id = r.account_id
  AND w.processor_status = 'revoked')`;

/** What happened from `$1` until now may be lost: it is read again, and what is attempted is looked up at the processor first. */
const lost = (readFrom: string): string =>
  `read_until = least(read_until, ${readFrom}), next_read_at = now(),
   lost_from = least(lost_from, $1::timestamptz), lost_until = now()`;

/**
 * An event counts as handled once a run has been notified of it, and the runs may be lost too: those of the last hour before
 * are read and handled again, which does no harm.
 */
const HANDLED_SINCE = `$1::timestamptz - interval '1 hour'`;

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
  const handleAgain = `UPDATE processor_events SET handled_at = NULL WHERE handled_at > ${HANDLED_SINCE}`;
  await execute(tx, handleAgain, [since]);
  const recover = `UPDATE account_reads r SET recovering_since = least(recovering_since, $1::timestamptz), ${lost(HANDLED_SINCE)}
    WHERE ${CAN_MOVE}`;
  return affected(tx, recover, [since]);
}

/**
 * Has what happened on an account, or on those of a workspace, since a time read again soon: one fact that others know of is
 * missing here, so more may be. Money moves meanwhile, since each attempt is looked up first.
 */
export function rereadSince(
  tx: Tx,
  of: { account_id: string } | { workspace_id: string },
  since: Date,
): Promise<void> {
  const [column, id] = 'account_id' in of ? ['account_id', of.account_id] : ['workspace_id', of.workspace_id];
  const reread = `UPDATE account_reads SET ${lost('$1::timestamptz')}, last_read_at = NULL WHERE ${column} = $2`;
  return execute(tx, reread, [since, id]);
}
