import { randomUUID } from 'node:crypto';
import type { Account, Organisation, TaxRate } from '../state/records.js';
import type { Store } from '../state/store.js';

/** Code, name, type, tax type, whether it accepts payments, system purpose. */
const CHART: [string, string, string, string, boolean, string | null][] = [
  ['090', 'Business Bank Account', 'BANK', 'NONE', false, null],
  ['091', 'Business Savings Account', 'BANK', 'NONE', false, null],
  ['200', 'Sales', 'REVENUE', 'OUTPUT2', false, null],
  ['260', 'Other Revenue', 'REVENUE', 'OUTPUT2', false, null],
  ['310', 'Cost of Goods Sold', 'DIRECTCOSTS', 'INPUT2', false, null],
  ['404', 'Bank Fees', 'EXPENSE', 'EXEMPTINPUT', false, null],
  ['610', 'Accounts Receivable', 'CURRENT', 'NONE', false, 'DEBTORS'],
  ['800', 'Accounts Payable', 'CURRLIAB', 'NONE', false, 'CREDITORS'],
  ['820', 'VAT', 'CURRLIAB', 'NONE', false, 'GST'],
  ['860', 'Rounding', 'CURRLIAB', 'NONE', false, 'ROUNDING'],
  ['970', 'Owner A Funds Introduced', 'EQUITY', 'NONE', true, null],
];

/**
 * Xero's tax rates for the UK: type, name, report type, percent, and whether they apply to income and to
 * expenses.
 */
const TAX_RATES: [string, string, string, number, boolean, boolean][] = [
  ['OUTPUT2', '20% (VAT on Income)', 'OUTPUT', 20, true, false],
  ['RROUTPUT', '5% (VAT on Income)', 'OUTPUT', 5, true, false],
  ['ZERORATEDOUTPUT', 'Zero Rated Income', 'ZERORATEDOUTPUT', 0, true, false],
  ['EXEMPTOUTPUT', 'Exempt Income', 'EXEMPTOUTPUT', 0, true, false],
  ['INPUT2', '20% (VAT on Expenses)', 'INPUT', 20, false, true],
  ['RRINPUT', '5% (VAT on Expenses)', 'INPUT', 5, false, true],
  ['ZERORATEDINPUT', 'Zero Rated Expenses', 'ZERORATEDINPUT', 0, false, true],
  ['EXEMPTINPUT', 'Exempt Expenses', 'EXEMPTINPUT', 0, false, true],
  ['NONE', 'No VAT', 'NONE', 0, true, true],
];

export interface NewOrganisation {
  name: string;
  currency?: string;
  currencies?: string[];
  lock_date?: string | null;
  frees_deleted_numbers?: boolean;
  user?: string;
}

/** Creates an organisation with Xero's default chart of accounts and tax rates. */
export function createOrganisation(store: Store, given: NewOrganisation): Organisation {
  const organisation: Organisation = {
    tenant_id: randomUUID(),
    name: given.name,
    currency: given.currency ?? 'GBP',
    currencies: given.currencies ?? null,
    lock_date: given.lock_date ?? null,
    frees_deleted_numbers: given.frees_deleted_numbers ?? true,
    user: given.user ?? randomUUID(),
    accounts: CHART.map(([code, name, type, tax_type, payments, system]) => {
      return { id: randomUUID(), code, name, type, tax_type, payments, system };
    }),
    tax_rates: TAX_RATES.map(([tax_type, name, report_tax_type, rate, on_income, on_expenses]) => {
      return { tax_type, name, report_tax_type, rate, on_income, on_expenses };
    }),
    created_at: Date.now(),
  };
  store.organisations.set(organisation.tenant_id, organisation);
  return organisation;
}

export interface OrganisationSettings {
  currencies?: string[] | null;
  lock_date?: string | null;
  frees_deleted_numbers?: boolean;
  /** Codes of accounts to archive. */
  archive_accounts?: string[];
  /** Accounts to add. */
  accounts?: Omit<Account, 'id' | 'system'>[];
}

/** Changes an organisation's settings. Omitted settings stay unchanged. */
export function changeOrganisation(
  store: Store,
  before: Organisation,
  { accounts: added = [], archive_accounts: archived = [], ...settings }: OrganisationSettings,
): Organisation {
  const accounts = [
    ...before.accounts.filter(({ code }) => !archived.includes(code)),
    ...added.map((account) => ({ ...account, id: randomUUID(), system: null })),
  ];
  const organisation = { ...before, ...settings, accounts };
  store.organisations.set(before.tenant_id, organisation);
  return organisation;
}

/** Finds an account by its id or code. */
export function findAccount(
  { accounts }: Organisation,
  { id, code }: { id?: string; code?: string },
): Account | undefined {
  return accounts.find((account) => (id ? account.id === id : account.code === code));
}

/** Finds a tax rate for sales or for purchases. */
export function findTaxRate(
  { tax_rates }: Organisation,
  taxType: string,
  use: 'on_income' | 'on_expenses',
): TaxRate | undefined {
  return tax_rates.find((rate) => rate.tax_type === taxType && rate[use]);
}

/** The refusal of a day in a locked period; undefined if the day is not locked. */
export function lockProblem({ lock_date }: Organisation, day: string): string | undefined {
  if (!lock_date || day > lock_date) return undefined;
  const shown = new Date(lock_date).toUTCString().slice(5, 16).replaceAll(' ', '-');
  return `The document date cannot be before the period lock date, currently set at ${shown}`;
}
