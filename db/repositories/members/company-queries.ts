import { many } from '../../query.js';
import type { Company } from '../../rows.js';
import { repository } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** A workspace's companies by creation time. */
export function listCompanies(
  tx: Tx,
  filter: { workspace_id: string; after?: { created_at: string; id: string }; limit: number },
): Promise<Company[]> {
  return many<Company>(
    tx,
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
