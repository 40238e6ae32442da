import { DEFAULT_TAX_CODES } from '../../domain/price.js';
import type { ProcessorStatus } from '../../domain/states.js';
import { Workspace } from '../entities/index.js';
import { newId } from '../ids.js';
import type { Tx } from '../transaction.js';

/** A workspace by id. */
export function findWorkspace(tx: Tx, id: string): Promise<Workspace | null> {
  return tx.getRepository(Workspace).findOneBy({ id });
}

/** The workspace that a connected account belongs to. */
export function findWorkspaceByAccount(tx: Tx, accountId: string): Promise<Workspace | null> {
  return tx.getRepository(Workspace).findOneBy({ processor_account_id: accountId });
}

/** Stores a workspace; one with a processor account can take money at once. Errors: 409 `processor_account_taken`. */
export async function insertWorkspace(
  tx: Tx,
  workspace: { name: string; time_zone: string; currency: string; processor_account_id: string | null },
): Promise<string> {
  const id = newId('ws');
  await tx.query(
    `INSERT INTO workspaces (id, name, time_zone, currency, processor_account_id, processor_status, tax_codes)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      id,
      workspace.name,
      workspace.time_zone,
      workspace.currency,
      workspace.processor_account_id,
      workspace.processor_account_id ? 'active' : 'unconfigured',
      JSON.stringify(DEFAULT_TAX_CODES),
    ],
  );
  return id;
}

/** Changes a workspace's settings. `changes` holds column names from the API's own schema. */
export async function updateWorkspace(tx: Tx, id: string, changes: Partial<Workspace>): Promise<void> {
  await tx.getRepository(Workspace).update({ id }, { ...changes, updated_at: new Date() });
}

/** Binds a new connected account to a workspace that has none. Returns the account the workspace has now. */
export async function bindProcessorAccount(tx: Tx, id: string, accountId: string): Promise<string> {
  await tx.query(
    `UPDATE workspaces SET processor_account_id = $2, processor_status = 'pending', updated_at = now()
     WHERE id = $1 AND processor_account_id IS NULL`,
    [id, accountId],
  );
  return (await findWorkspace(tx, id))!.processor_account_id!;
}

/** Notes what the processor says of an account, unless something newer has been noted. */
export async function setProcessorStatus(
  tx: Tx,
  accountId: string,
  status: ProcessorStatus,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE workspaces SET processor_status = $2, processor_status_at = $3, updated_at = now()
     WHERE processor_account_id = $1 AND (processor_status_at IS NULL OR processor_status_at <= $3)`,
    [accountId, status, at],
  );
}
