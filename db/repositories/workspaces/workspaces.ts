import { presentProcessor } from '../../../domain/presenters/workspace.js';
import { DEFAULT_TAX_CODES } from '../../../domain/price.js';
import type { ProcessorStatus } from '../../../domain/states.js';
import { Workspace } from '../../entities/index.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';
import { auditEdit } from './audit.js';

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

/** A workspace, locked until the transaction ends: whoever edits its settings holds this first. */
export function lockWorkspace(
  tx: Tx,
  by: { id: string } | { processor_account_id: string },
): Promise<Workspace | null> {
  return tx.getRepository(Workspace).findOne({ where: by, lock: { mode: 'for_no_key_update' } });
}

/** Changes a workspace's settings and gives it back. `changes` holds column names from the API's own schema. */
export async function updateWorkspace(tx: Tx, id: string, changes: Partial<Workspace>): Promise<Workspace> {
  await tx.getRepository(Workspace).update({ id }, { ...changes, updated_at: new Date() });
  return tx.getRepository(Workspace).findOneByOrFail({ id });
}

async function setProcessor(
  tx: Tx,
  workspace: Workspace,
  changes: Partial<Workspace>,
  system: 'onboarding' | 'processor',
): Promise<void> {
  const { id } = workspace;
  const before = { processor: presentProcessor(workspace) };
  const after = { processor: presentProcessor(await updateWorkspace(tx, id, changes)) };
  const edit = { action: 'workspace.updated', object: id, before, after };
  await auditEdit(tx, { workspace_id: id, system }, edit);
}

/** Binds a new connected account to a workspace that has none that is still ours. Returns the one it has now. */
export async function bindProcessorAccount(tx: Tx, id: string, accountId: string): Promise<string> {
  const workspace = (await lockWorkspace(tx, { id }))!;
  const { processor_account_id: account, processor_status } = workspace;
  if (account && processor_status !== 'revoked') return account;
  const changes = { processor_account_id: accountId, processor_status: 'pending' } as const;
  await setProcessor(tx, workspace, changes, 'onboarding');
  return accountId;
}

/** Notes what the processor says of an account, unless something newer has been noted. */
export async function setProcessorStatus(
  tx: Tx,
  accountId: string,
  status: ProcessorStatus,
  at: Date,
): Promise<void> {
  const workspace = await lockWorkspace(tx, { processor_account_id: accountId });
  const { processor_status_at: last } = workspace ?? {};
  if (!workspace || (last && last > at)) return;
  await setProcessor(tx, workspace, { processor_status: status, processor_status_at: at }, 'processor');
}
