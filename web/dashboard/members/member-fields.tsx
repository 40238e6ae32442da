import joi from 'joi';
import { changeMember } from '../../../api/resources/members/operations.js';
import type { WithCompanies } from '../companies/choice.js';
import type { FieldOptions, Input, Options } from '../forms/inputs.js';
import { OWN_LANGUAGE_OPTIONS } from '../shared/language-options.js';
import { Select } from '../shared/fields.js';

type Role = NonNullable<Parameters<(typeof changeMember)['run']>[0]['body']['role']>;

export const ROLE_OPTIONS: (readonly [Role, string])[] = [
  ['member', 'Member: own bookings'],
  ['front_desk', 'Front desk: bookings, guests, blackouts, payments'],
  ['billing_contact', 'Billing contact: sees members, invoices, payments'],
  ['admin', 'Admin: full access except ownership and erasure'],
];

const BILLED_OPTIONS = [
  ['true', 'Yes: monthly'],
  ['false', 'No, such as staff'],
] as const;

const companyOptions = ({ companies }: WithCompanies): Options => [
  ['', 'none (the member pays)'],
  ...companies.map(({ id, name }) => [id, name] as const),
];

/** The fields that `may` shows: by default all. */
interface Shown<Data> {
  when?: (name: 'company_id' | 'locale' | 'billed') => (data: Data) => boolean;
}

/** Fields that people enter for a new member and change later. */
export function memberInputs<Data extends WithCompanies>({ when }: Shown<Data> = {}) {
  const billed: Input<Data> = {
    fields: (name) => ({ [name]: joi.valid('true', 'false') }),
    read(name, form, { of, onlyChanges }) {
      const value = form[name] === undefined ? undefined : form[name] === 'true';
      return onlyChanges && value === (of as { billed: boolean }).billed ? {} : { [name]: value };
    },
    Show({ name, shown: { data, of } }) {
      if (when && !when('billed')(data)) return null;
      const chosen = String((of as { billed: boolean } | undefined)?.billed ?? true);
      return <Select name={name} label="Pays for their plan" options={BILLED_OPTIONS} chosen={[chosen]} />;
    },
    wide: () => true,
    called: () => ({}),
  };
  return {
    company_id: {
      label: 'Paid by company',
      options: companyOptions,
      wide: true,
      when: when?.('company_id'),
    } satisfies FieldOptions<Data>,
    locale: {
      label: 'Language',
      options: OWN_LANGUAGE_OPTIONS,
      wide: true,
      when: when?.('locale'),
    } satisfies FieldOptions<Data>,
    billed,
  };
}
