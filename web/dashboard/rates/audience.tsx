import type { RateAudience } from '../../../domain/rates/rates.js';
import { valueAt } from '../forms/fields.js';
import { boxes, fieldInput, type Input } from '../forms/inputs.js';

/** Companies can be set with the API only; the form keeps them. */
export function audience<Data>(): Input<Data> {
  const kind = fieldInput<Data>({ label: 'For', kind: 'choice', initial: 'everyone' });
  const tiers = boxes<Data>('Member plans (none = all)');
  const paths = (name: string) => ({ kind: `${name}.kind`, tiers: `${name}.tiers` });
  return {
    fields: (name, place) => ({
      ...kind.fields(paths(name).kind, place),
      ...tiers.fields(paths(name).tiers, place),
    }),
    read(name, form, at) {
      const isForMembers = form[paths(name).kind] === 'members';
      const before = valueAt(at.of, name) as RateAudience | undefined;
      return {
        ...kind.read(paths(name).kind, form, at),
        [paths(name).tiers]: isForMembers ? tiers.read(paths(name).tiers, form, at)[paths(name).tiers] : null,
        [`${name}.company_ids`]: isForMembers ? (before?.company_ids ?? null) : null,
      };
    },
    Show: ({ name, shown }) => (
      <>
        <kind.Show name={paths(name).kind} shown={shown} />
        <tiers.Show name={paths(name).tiers} shown={shown} />
      </>
    ),
    wide: () => true,
    called: (name) => ({ [paths(name).tiers]: 'choice of plans' }),
  };
}
