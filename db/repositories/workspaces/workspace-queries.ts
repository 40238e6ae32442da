import type { Workspace } from '../../rows.js';
import { repository } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** A workspace by id. */
export function findWorkspace(tx: Tx, id: string): Promise<Workspace | null> {
  return repository(tx, 'workspaces').findOneBy({ id });
}

/** The workspace that a connected account belongs to. */
export function findWorkspaceByAccount(tx: Tx, accountId: string): Promise<Workspace | null> {
  return repository(tx, 'workspaces').findOneBy({ processor_account_id: accountId });
}

/** A workspace's processor as the API shows it. */
export const processorOf = (workspace: Workspace) => ({
  account_id: workspace.processor_account_id,
  status: workspace.processor_status,
});
