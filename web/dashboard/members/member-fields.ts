import type { Company } from '../../../db/entities/members.js';
import { createSchema, updateSchema, type UpdateBody } from '../../../api/resources/members/shape.js';
import { declaredForm, type DeclaredInput } from '../shared/declared-form.js';
import { isLanguage, LANGUAGE_NAMES } from '../../../domain/words/languages.js';

/** Fields that people enter for a new member and change later. */
const words = {
  email: { label: 'Email', type: 'email', required: true },
  company_id: { label: 'Paid by company', fact: false },
  locale: {
    label: 'Language of emails and pages for payers',
    fact: (value) => (isLanguage(value) ? LANGUAGE_NAMES[value] : null),
  },
  billed: {
    label: 'Pays for their plan',
    required: true,
    fact: (value) => (value === 'true' ? 'yes' : 'no: not invoiced'),
  },
} satisfies Record<string, DeclaredInput>;

const { email, ...others } = words;

/** What people enter for a new member besides the end of the trial. */
export const newMemberForm = declaredForm(createSchema, {
  email,
  name: { label: 'Name (optional)' },
  tier: { label: 'Plan', required: true },
  ...others,
});

/** What people change and read about a member besides tier, role, status and terms of payment. */
export const memberForm = declaredForm(updateSchema, {
  name: { label: 'Name', required: true, fact: false },
  ...words,
});

/** The roles that can be given, as options. */
export const ROLE_OPTIONS: (readonly [NonNullable<UpdateBody['role']>, string])[] = [
  ['member', 'Member: their own bookings'],
  ['front_desk', 'Front desk: bookings, guests, blackouts, payments'],
  ['billing_contact', 'Billing contact: sees members, invoices, payments'],
  ['admin', 'Admin: full access except ownership and erasure'],
];

/** Whether a member's plan is invoiced, as options. */
export const BILLED_OPTIONS: (readonly [string, string])[] = [
  ['true', 'Yes: invoiced each month'],
  ['false', 'No: the plan is not invoiced, for instance for staff'],
];

/** Who pays for a member, as options. */
export const companyOptions = (companies: Company[]): (readonly [string, string])[] => [
  ['', 'none (the member pays)'],
  ...companies.map(({ id, name }) => [id, name] as const),
];
