import type { ApiDependencies } from '../../../api/dependencies.js';
import { listNamedCompanies, type NamedCompany } from '../../../db/queries/companies/company.js';
import { repeated, valueAt } from '../forms/fields.js';
import { boxes, fieldInput, type Input } from '../forms/inputs.js';
import type { PageRequest } from '../forms/page.js';
import { Select } from '../shared/fields.js';

/** The companies to choose from; the current ones are among them. */
export interface WithCompanies {
  companies: NamedCompany[];
}

/** How many companies there are to choose from. */
const MAX_COMPANIES = 200;

/** Reads the companies to choose from. `chosen`: those that are chosen now. */
export const readCompanies = (
  { caller: { workspace_id } }: PageRequest,
  { db }: ApiDependencies,
  chosen: string[] = [],
): Promise<NamedCompany[]> =>
  listNamedCompanies(db.manager, workspace_id, { ids: chosen, limit: MAX_COMPANIES });

const ROWS = 6;

/** Who a price or a code is for: everyone, guests, or members of some plans and companies. */
export function audience<Data extends WithCompanies>(): Input<Data> {
  const kind = fieldInput<Data>({ label: 'For', kind: 'choice', initial: 'everyone' });
  const tiers = boxes<Data>('Member plans (none = all)');
  const paths = (name: string) => ({
    kind: `${name}.kind`,
    tiers: `${name}.tiers`,
    companies: `${name}.company_ids`,
  });
  return {
    fields: (name, place) => ({
      ...kind.fields(paths(name).kind, place),
      ...tiers.fields(paths(name).tiers, place),
      [paths(name).companies]: repeated,
    }),
    read(name, form, at) {
      const isForMembers = form[paths(name).kind] === 'members';
      const companies = [form[paths(name).companies] ?? []].flat();
      return {
        ...kind.read(paths(name).kind, form, at),
        [paths(name).tiers]: isForMembers ? tiers.read(paths(name).tiers, form, at)[paths(name).tiers] : null,
        [paths(name).companies]: isForMembers && companies.length > 0 ? companies : null,
      };
    },
    Show: ({ name, shown }) => (
      <>
        <kind.Show name={paths(name).kind} shown={shown} />
        <tiers.Show name={paths(name).tiers} shown={shown} />
        {shown.data.companies.length > 0 && (
          <Select
            name={paths(name).companies}
            label="Members of these companies (none = all)"
            options={shown.data.companies.map(({ id, name: called }) => [id, called] as const)}
            chosen={(valueAt(shown.of, paths(name).companies) as string[] | null | undefined) ?? []}
            size={Math.min(ROWS, shown.data.companies.length)}
          />
        )}
      </>
    ),
    wide: () => true,
    called: (name) => ({
      [paths(name).tiers]: 'choice of plans',
      [paths(name).companies]: 'choice of companies',
    }),
  };
}
