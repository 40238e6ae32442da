import type { CardFacts } from '../../../domain/presenters/payer.js';
import { many, maybeOne } from '../../query.js';
import type { Company } from '../../rows.js';
import type { Tx } from '../../transaction.js';
import { cardOf } from '../billing/card-queries.js';

/** A company with its card on file. */
export type CompanyRow = Company & { card: CardFacts | null };

const COMPANIES = `SELECT c.*, ${cardOf('company_id', 'c.id')} AS card FROM companies c`;

/** A workspace's companies by creation time. */
export function listCompanies(
  tx: Tx,
  filter: { workspace_id: string; after?: { created_at: string; id: string }; limit: number },
): Promise<CompanyRow[]> {
  return many<CompanyRow>(
    tx,
    `${COMPANIES}
     WHERE c.workspace_id = $1 AND ($2::timestamptz IS NULL OR (c.created_at, c.id) > ($2, $3::uuid))
     ORDER BY c.created_at, c.id LIMIT $4`,
    [filter.workspace_id, filter.after?.created_at ?? null, filter.after?.id ?? null, filter.limit],
  );
}

/** A company of a workspace. */
export function findCompany(tx: Tx, workspaceId: string, id: string): Promise<CompanyRow | null> {
  return maybeOne<CompanyRow>(tx, `${COMPANIES} WHERE c.id = $1 AND c.workspace_id = $2`, [id, workspaceId]);
}
