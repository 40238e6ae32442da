import { maybeOne } from '../../query.js';
import { Workspace } from '../../entities/workspaces.js';
import type { Tx } from '../../transaction.js';

/** A workspace by id. */
export function findWorkspace(tx: Tx, id: string): Promise<Workspace | null> {
  return tx.findOneBy(Workspace, { id });
}

/** The workspace of which money on a connected account is, also if it has another account by now; null if there is none. */
export function findWorkspaceOfMoney(tx: Tx, accountId: string): Promise<Pick<Workspace, 'id'> | null> {
  return maybeOne<Pick<Workspace, 'id'>>(
    tx,
    `SELECT id FROM workspaces WHERE processor_account_id = $1
     UNION SELECT workspace_id FROM account_reads WHERE account_id = $1 LIMIT 1`,
    [accountId],
  );
}

/** The workspace whose connected account this is now, or null. */
export function findWorkspaceByAccount(tx: Tx, accountId: string): Promise<Workspace | null> {
  return tx.findOneBy(Workspace, { processor_account_id: accountId });
}
