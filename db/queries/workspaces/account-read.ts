import { AccountRead } from '../../entities/payments.js';
import type { Tx } from '../../transaction.js';

/** How far a connected account has been read, or null. */
export function findAccountRead(tx: Tx, accountId: string): Promise<AccountRead | null> {
  return tx.findOneBy(AccountRead, { account_id: accountId });
}
