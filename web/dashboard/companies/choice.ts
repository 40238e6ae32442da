import type { ApiDependencies } from '../../../api/dependencies.js';
import { listNamedCompanies, type NamedCompany } from '../../../db/queries/companies/company.js';
import type { PageRequest } from '../forms/page.js';

/** The companies to choose from; the current ones are among them. */
export interface WithCompanies {
  companies: NamedCompany[];
}

/** How many companies there are to choose from. */
const MAX_COMPANIES = 200;

/** Reads the companies to choose from, by name. `chosen`: those that are chosen now. */
export const readCompanies = (
  { caller: { workspace_id } }: Pick<PageRequest, 'caller'>,
  { db }: Pick<ApiDependencies, 'db'>,
  chosen: string[] = [],
): Promise<NamedCompany[]> =>
  listNamedCompanies(db.manager, workspace_id, { ids: chosen, limit: MAX_COMPANIES });
