import { isUuid } from '../../ids.js';
import type { CardFacts } from '../../../domain/invoices/payer-presenter.js';
import { many, maybeOne } from '../../query.js';
import type { Company } from '../../entities/members.js';
import { searchWords } from '../../search.js';
import type { Metadata } from '../../../domain/metadata.js';
import type { Tx } from '../../transaction.js';

export type CompanyRow = Company & { card: CardFacts | null };

/** Lists a workspace's companies by creation time. `q`: words of the name or billing address. */
export function listCompanies(
  tx: Tx,
  filter: {
    workspace_id: string;
    q?: string;
    metadata?: Metadata;
    after?: { created_at: string; id: string };
    limit: number;
  },
): Promise<CompanyRow[]> {
  return many<CompanyRow>(
    tx,
    `SELECT c.*, card_on_file(c.id, NULL) AS card FROM companies c
     WHERE c.workspace_id = $1 AND ($2::text[] IS NULL OR company_contains(c, $2))
       AND ($3::timestamptz IS NULL OR (c.created_at, c.id) > ($3, $4::uuid))
       AND has_metadata(c.metadata, $6)
     ORDER BY c.created_at, c.id LIMIT $5`,
    [
      filter.workspace_id,
      filter.q === undefined ? null : searchWords(filter.q),
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
      filter.metadata ?? null,
    ],
  );
}

/**
 * Returns the oldest company of a workspace with this name, in upper or lower case; null if there is none.
 */
export function findCompanyByName(tx: Tx, workspaceId: string, name: string): Promise<Company | null> {
  return maybeOne<Company>(
    tx,
    `SELECT * FROM companies WHERE workspace_id = $1 AND lower(name) = lower($2)
      ORDER BY created_at, id LIMIT 1`,
    [workspaceId, name],
  );
}

/**
 * Returns the ids of a workspace's companies by name, in upper or lower case, keyed by the name as given. If
 * several have the same name, the oldest counts.
 */
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

/** Returns a company of a workspace; null if there is none with this id. */
export async function findCompany(tx: Tx, workspaceId: string, id: string): Promise<CompanyRow | null> {
  if (!isUuid(id)) return null;
  return maybeOne<CompanyRow>(
    tx,
    `SELECT c.*, card_on_file(c.id, NULL) AS card FROM companies c WHERE c.id = $1 AND c.workspace_id = $2`,
    [id, workspaceId],
  );
}

/** Returns the names of the companies that bookings are for, by id. */
export async function listCompaniesOfBookings(
  tx: Tx,
  workspaceId: string,
  bookings: { company_id: string | null }[],
): Promise<Map<string, string>> {
  const ids = bookings.flatMap(({ company_id }) => company_id ?? []);
  const rows = await many<Pick<Company, 'id' | 'name'>>(
    tx,
    `SELECT id, name FROM companies WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    [workspaceId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface NamedCompany {
  id: string;
  name: string;
}

/** Lists a workspace's companies by name, to choose some of them: the first ones, and those of `ids`. */
export const listNamedCompanies = (
  tx: Tx,
  workspaceId: string,
  { ids, limit }: { ids: string[]; limit: number },
): Promise<NamedCompany[]> =>
  many(
    tx,
    `SELECT id, name FROM companies WHERE workspace_id = $1 AND (id = ANY ($2::uuid[])
       OR id = ANY (ARRAY(SELECT f.id FROM companies f WHERE f.workspace_id = $1 ORDER BY f.name LIMIT $3)))
     ORDER BY name`,
    [workspaceId, ids, limit],
  );
