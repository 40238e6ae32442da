import { AccountRead } from '../../entities/payments.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Returns how far a connected account has been read, or null. */
export function findAccountRead(tx: Tx, accountId: string): Promise<AccountRead | null> {
  return tx.findOneBy(AccountRead, { account_id: accountId });
}

/**
 * Returns how far a connected account has been read, or null. The account also counts as recovering if the
 * database is another one than before and no worker has noticed it yet.
 */
export function findAccountFacts(
  tx: Tx,
  accountId: string,
): Promise<Pick<AccountRead, 'workspace_id' | 'recovering_since' | 'read_until'> | null> {
  return maybeOne(
    tx,
    `SELECT workspace_id, read_until, coalesce(recovering_since, lost_since()) AS recovering_since
     FROM account_reads WHERE account_id = $1`,
    [accountId],
  );
}
