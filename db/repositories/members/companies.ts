import type { Company } from '../../rows.js';
import { repository } from '../../tables.js';
import { newUuid } from '../../ids.js';
import type { Tx } from '../../transaction.js';

/** A workspace's companies in the order of their making. */
export function listCompanies(
  tx: Tx,
  filter: { workspace_id: string; after?: { created_at: string; id: string }; limit: number },
): Promise<Company[]> {
  return tx.query(
    `SELECT * FROM companies
     WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::uuid))
     ORDER BY created_at, id LIMIT $4`,
    [filter.workspace_id, filter.after?.created_at ?? null, filter.after?.id ?? null, filter.limit],
  );
}

/** A company of a workspace. */
export function findCompany(tx: Tx, workspaceId: string, id: string): Promise<Company | null> {
  return repository(tx, 'companies').findOneBy({ id, workspace_id: workspaceId });
}

/** Stores a company and gives it back. */
export function insertCompany(
  tx: Tx,
  company: { id?: string; workspace_id: string; name: string; billing_email: string | null },
): Promise<Company> {
  return repository(tx, 'companies').save({
    ...company,
    id: company.id ?? newUuid(),
    billing_anchor: null,
    created_at: new Date(),
  });
}

/** A company, locked until the transaction ends: whoever edits it holds this first. */
export function lockCompany(tx: Tx, id: string): Promise<Company> {
  return repository(tx, 'companies').findOneOrFail({ where: { id }, lock: { mode: 'for_no_key_update' } });
}

/** Changes a company and gives it back. */
export async function updateCompany(tx: Tx, id: string, changes: Partial<Company>): Promise<Company> {
  await repository(tx, 'companies').update({ id }, changes);
  return repository(tx, 'companies').findOneByOrFail({ id });
}
