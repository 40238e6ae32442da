import type { Workspace } from '../../rows.js';
import { repository } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** A workspace by id. */
export function findWorkspace(tx: Tx, id: string): Promise<Workspace | null> {
  return repository(tx, 'workspaces').findOneBy({ id });
}

/** The workspace of a connected account, or null. */
export function findWorkspaceByAccount(tx: Tx, accountId: string): Promise<Workspace | null> {
  return repository(tx, 'workspaces').findOneBy({ processor_account_id: accountId });
}
