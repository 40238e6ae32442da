import { Workspace } from '../../entities/workspaces.js';
import type { Tx } from '../../transaction.js';

/** A workspace by id. */
export function findWorkspace(tx: Tx, id: string): Promise<Workspace | null> {
  return tx.findOneBy(Workspace, { id });
}

/** The workspace of a connected account, or null. */
export function findWorkspaceByAccount(tx: Tx, accountId: string): Promise<Workspace | null> {
  return tx.findOneBy(Workspace, { processor_account_id: accountId });
}
