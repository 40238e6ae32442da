import { ApiError } from '../../domain/errors.js';
import { newUuid } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { Company } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { notifyCollections } from '../billing/notify-collections.js';
import { findCompany, type CompanyRow } from '../../db/queries/members/company.js';

/** Stores a company and returns it. */
export async function insertCompany(
  tx: Tx,
  company: Pick<Company, 'workspace_id' | 'name'> & Partial<Company>,
): Promise<CompanyRow> {
  const row = await insertReturning(tx, Company, { ...company, id: company.id ?? newUuid() });
  return { ...row, card: null };
}

/** A company, locked until the transaction ends. Every edit of it takes this lock first. */
export async function lockCompany(tx: Tx, workspaceId: string, id: string): Promise<CompanyRow> {
  await execute(tx, `SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  return (await findCompany(tx, workspaceId, id))!;
}

/** Changes a company and returns it. */
export async function updateCompany(
  tx: Tx,
  { id, workspace_id }: Pick<CompanyRow, 'id' | 'workspace_id'>,
  changes: Partial<Company>,
): Promise<CompanyRow> {
  const isChanged = Object.values(changes).some((value) => value !== undefined);
  if (isChanged) await tx.update(Company, { id }, changes);
  if (changes.autopay !== undefined) await notifyCollections(tx, { company_id: id, member_id: null });
  return (await findCompany(tx, workspace_id, id))!;
}

/** Throws 404 `company_not_found` if the workspace has no such company. */
export async function assertCompany(
  tx: Tx,
  workspaceId: string,
  id: string | null | undefined,
): Promise<void> {
  if (!id || (await findCompany(tx, workspaceId, id))) return;
  throw new ApiError('company_not_found', 'No such company.', { param: 'company_id' });
}
