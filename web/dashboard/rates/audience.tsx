import type { WithCompanies } from '../companies/choice.js';
import { repeated, valueAt } from '../forms/fields.js';
import { boxes, fieldInput, type Input } from '../forms/inputs.js';
import { Select } from '../shared/fields.js';

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
