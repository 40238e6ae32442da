import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A period of which the database has lost what happened on an account. */
export interface LostTime {
  from: Date;
  until: Date;
}

/**
 * Returns the period of which the database has lost what happened on an account, for example after a backup
 * was restored, if attempts to charge or refund may have been made in it for something that exists since
 * `created_at`. Null if nothing is missing.
 */
export function findLostTime(tx: Tx, accountId: string, created_at: Date): Promise<LostTime | null> {
  return maybeOne<LostTime>(
    tx,
    `SELECT lost_from AS "from", lost_until AS until FROM account_reads
     WHERE account_id = $1 AND lost_from IS NOT NULL AND lost_until > $2`,
    [accountId, created_at],
  );
}
