import { ApiError } from '../../../domain/errors.js';
import { newUuid } from '../../ids.js';
import type { Company } from '../../rows.js';
import { insert, repository, update, type Changes } from '../../tables.js';
import type { Tx } from '../../transaction.js';
import { findCompany } from './company-queries.js';

/** Stores a company and returns it. */
export function insertCompany(
  tx: Tx,
  company: { id?: string; workspace_id: string; name: string; billing_email: string | null },
): Promise<Company> {
  return insert(tx, 'companies', { ...company, id: company.id ?? newUuid() });
}

/** A company, locked until the transaction ends. Every edit of it takes this lock first. */
export function lockCompany(tx: Tx, id: string): Promise<Company> {
  return repository(tx, 'companies').findOneOrFail({ where: { id }, lock: { mode: 'for_no_key_update' } });
}

/** Changes a company and returns it. */
export async function updateCompany(tx: Tx, id: string, changes: Changes<'companies'>): Promise<Company> {
  await update(tx, 'companies', { id }, changes);
  return repository(tx, 'companies').findOneByOrFail({ id });
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
