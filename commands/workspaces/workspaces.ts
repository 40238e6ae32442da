import { ApiError } from '../../domain/errors.js';
import { presentProcessor } from '../../domain/workspaces/presenter.js';
import { nameInitials } from '../../domain/invoices/document.js';
import { DEFAULT_TAX_CODES, type TaxCode } from '../../domain/rates/price.js';
import type { ProcessorStatus } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { insertReturning } from '../../db/insert.js';
import { one } from '../../db/query.js';
import { NOW } from '../../db/database-time.js';
import { Workspace } from '../../db/entities/workspaces.js';
import type { Tx } from '../../db/transaction.js';
import { addAccountRead } from '../processor/account-reads.js';
import { auditEdit } from '../audit-log/audit.js';

/**
 * Stores a workspace. A workspace with a processor account can take payments. Errors: 409
 * `processor_account_taken`.
 */
export async function insertWorkspace(
  tx: Tx,
  workspace: { name: string; time_zone: string; currency: string; processor_account_id: string | null },
): Promise<string> {
  const { id } = await insertReturning(tx, Workspace, {
    ...workspace,
    id: newId('ws'),
    processor_status: workspace.processor_account_id ? 'active' : 'unconfigured',
    tax_codes: DEFAULT_TAX_CODES,
    invoice_prefix: nameInitials(workspace.name),
  });
  if (workspace.processor_account_id) await addAccountRead(tx, id, workspace.processor_account_id);
  return id;
}

/**
 * Returns a workspace, locked until the transaction ends. Every edit of its settings takes this lock first.
 */
export function lockWorkspace(
  tx: Tx,
  by: { id: string } | { processor_account_id: string },
): Promise<Workspace | null> {
  return tx.findOne(Workspace, { where: by, lock: { mode: 'for_no_key_update' } });
}

/** Returns a workspace's tax codes, locked against changes until the transaction ends. */
async function lockTaxCodes(tx: Tx, workspaceId: string): Promise<TaxCode[]> {
  const { tax_codes } = await one<{ tax_codes: TaxCode[] }>(
    tx,
    `SELECT tax_codes FROM workspaces WHERE id = $1 FOR SHARE`,
    [workspaceId],
  );
  return tax_codes;
}

/** Locks a workspace's tax codes. Errors: 422 `validation_failed` for a code that it does not have. */
export async function assertTaxCode(tx: Tx, workspaceId: string, code: string): Promise<void> {
  const known = await lockTaxCodes(tx, workspaceId);
  if (known.some((tax) => tax.code === code)) return;
  const message = `The workspace has no tax code ${code}. Send one of its tax_codes, or add the code first.`;
  throw new ApiError('validation_failed', message, { param: 'tax_code' });
}

/** Changes a workspace's settings and returns it. */
export async function updateWorkspace(tx: Tx, id: string, changes: Partial<Workspace>): Promise<Workspace> {
  await tx.update(Workspace, { id }, { ...changes, updated_at: NOW });
  return tx.findOneByOrFail(Workspace, { id });
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

/**
 * Binds a new connected account to a workspace without a usable one. Returns the account that is bound
 * afterwards.
 */
export async function bindProcessorAccount(tx: Tx, id: string, accountId: string): Promise<string> {
  const workspace = (await lockWorkspace(tx, { id }))!;
  const { processor_account_id: account, processor_status } = workspace;
  if (account && processor_status !== 'revoked') return account;
  const changes = { processor_account_id: accountId, processor_status: 'pending' } as const;
  await setProcessor(tx, workspace, changes, 'onboarding');
  await addAccountRead(tx, id, accountId);
  return accountId;
}

/**
 * Records the state of an account as just read from the processor. Changes of its status are stored in the
 * audit log.
 */
export async function setProcessorAccount(
  tx: Tx,
  accountId: string,
  account: { status: ProcessorStatus; due_by: Date | null; problem: string | null },
): Promise<void> {
  const workspace = await lockWorkspace(tx, { processor_account_id: accountId });
  if (!workspace) return;
  const { status: processor_status, due_by: processor_due_by, problem: processor_problem } = account;
  const requirements = { processor_due_by, processor_problem };
  if (workspace.processor_status !== processor_status)
    await setProcessor(tx, workspace, { processor_status, ...requirements }, 'processor');
  else await tx.update(Workspace, { id: workspace.id }, requirements);
}
