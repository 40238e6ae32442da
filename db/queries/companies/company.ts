import { isUuid } from '../../ids.js';
import type { CardFacts } from '../../../domain/invoices/payer-presenter.js';
import { many, maybeOne } from '../../query.js';
import type { Company } from '../../entities/members.js';
import { COMPANY_TEXT, containsWords, type Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';
import { cardOf } from '../payments/card.js';

/** A company with its card on file. */
export type CompanyRow = Company & { card: CardFacts | null };

const COMPANIES = `SELECT c.*, ${cardOf('company_id', 'c.id')} AS card FROM companies c`;

/** A workspace's companies by creation time. `q` are words of the name or billing address. */
export function listCompanies(
  tx: Tx,
  filter: { workspace_id: string; q?: string; after?: { created_at: string; id: string }; limit: number },
): Promise<CompanyRow[]> {
  const params: unknown[] = [filter.workspace_id];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const conditions = ['c.workspace_id = $1'];
  if (filter.q) conditions.push(containsWords(COMPANY_TEXT, filter.q, bind));
  if (filter.after) {
    const { created_at, id } = filter.after;
    conditions.push(`(c.created_at, c.id) > (${bind(created_at)}::timestamptz, ${bind(id)}::uuid)`);
  }
  return many<CompanyRow>(
    tx,
    `${COMPANIES} WHERE ${conditions.join(' AND ')}
     ORDER BY c.created_at, c.id LIMIT ${bind(filter.limit)}`,
    params,
  );
}

/** The oldest company of a workspace with this name, in any letter case; null if there is none. */
export function findCompanyByName(tx: Tx, workspaceId: string, name: string): Promise<Company | null> {
  return maybeOne<Company>(
    tx,
    `SELECT * FROM companies WHERE workspace_id = $1 AND lower(name) = lower($2)
      ORDER BY created_at, id LIMIT 1`,
    [workspaceId, name],
  );
}

/** The ids of a workspace's companies by name, as given, in any letter case: of several the oldest. */
export async function findCompanyIds(
  tx: Tx,
  workspaceId: string,
  names: string[],
): Promise<Map<string, string>> {
  const found = await many<{ name: string; id: string }>(
    tx,
    `SELECT DISTINCT ON (n.name) n.name, c.id FROM companies c
     JOIN unnest($2::text[]) AS n(name) ON lower(c.name) = lower(n.name)
     WHERE c.workspace_id = $1 ORDER BY n.name, c.created_at, c.id`,
    [workspaceId, names],
  );
  return new Map(found.map(({ name, id }) => [name, id]));
}

/** A company of a workspace; null for an id that is none. */
export const findCompany = async (tx: Tx, workspaceId: string, id: string): Promise<CompanyRow | null> =>
  isUuid(id)
    ? maybeOne<CompanyRow>(tx, `${COMPANIES} WHERE c.id = $1 AND c.workspace_id = $2`, [id, workspaceId])
    : null;
