import type { TaxCode } from '../rates/price.js';

/** What an organisation in the accounting system offers, as last read. */
export interface Chart {
  /** Accounts to which lines of an invoice can be posted. */
  sales_accounts: { code: string; name: string; is_revenue: boolean }[];
  /** Accounts to which payments can be posted. `code` is the account's id if it has no code. */
  payment_accounts: { code: string; name: string }[];
  /** Tax types for sales. */
  tax_types: { tax_type: string; name: string; rate_bps: number }[];
  /** ISO 4217 codes of the currencies in which documents can be. */
  currencies: string[];
}

/** The accounts to which documents and payments are posted. */
export interface AccountingSettings {
  sales_account: string;
  payment_account: string;
}

/** The account to which lines of a rate or an extra are posted instead. `room_name` is set for a rate. */
export interface LineAccount {
  /** `rooms.{id}.rates.{id}` or `extras.{id}`. */
  path: string;
  name: string;
  room_name: string | null;
  account: string;
}

/**
 * A setting that has no counterpart in the organisation, or a tax code whose rate differs from its tax type.
 * `param` is the path of the setting in the workspace, or the path of a rate or an extra.
 */
export interface AccountingSettingProblem {
  param: string;
  message: string;
}

const percent = (rate_bps: number): string => `${rate_bps / 100}%`;

/**
 * Lists the settings of a workspace that do not match its organisation (docs/rules/accounting.md#settings).
 * The accounting system would refuse documents that need something missing. It would accept a tax type with
 * another rate, and the tax return would be wrong.
 */
export function listSettingProblems(
  { sales_account, payment_account }: AccountingSettings,
  workspace: { currency: string; tax_codes: TaxCode[] },
  chart: Chart,
  lineAccounts: LineAccount[],
): AccountingSettingProblem[] {
  const problems: AccountingSettingProblem[] = [];
  const lack = (param: string, message: string): unknown => problems.push({ param, message });
  const hasAccount = (account: string): boolean => chart.sales_accounts.some(({ code }) => code === account);
  if (!hasAccount(sales_account))
    lack(
      'accounting.sales_account',
      `The organisation has no account ${sales_account} to which sales can be posted.`,
    );
  if (!chart.payment_accounts.some(({ code }) => code === payment_account))
    lack(
      'accounting.payment_account',
      `The organisation has no account ${payment_account} to which payments can be posted.`,
    );
  for (const [index, { code, rate_bps, accounting_tax_type }] of workspace.tax_codes.entries()) {
    const param = `tax_codes.${index}.accounting_tax_type`;
    const type = chart.tax_types.find(({ tax_type }) => tax_type === accounting_tax_type);
    if (!type)
      lack(
        param,
        `The tax code ${code} uses the tax type ${accounting_tax_type}, which the organisation does ` +
          'not have for sales.',
      );
    else if (type.rate_bps !== rate_bps)
      lack(
        param,
        `The tax code ${code} charges ${percent(rate_bps)}, but its tax type ${accounting_tax_type} ` +
          `has ${percent(type.rate_bps)}, so tax is reported incorrectly. Choose a tax type with ` +
          `${percent(rate_bps)}.`,
      );
  }
  if (chart.currencies.length > 0 && !chart.currencies.includes(workspace.currency))
    lack('currency', `The organisation does not use the currency ${workspace.currency}. Add it there.`);
  for (const { path, name, room_name, account } of lineAccounts)
    if (!hasAccount(account))
      lack(
        `${path}.accounting_account`,
        `The ${room_name === null ? `extra ${name}` : `rate ${name} of ${room_name}`} uses the ` +
          `account ${account}, but the organisation has no such account to which sales can be posted. ` +
          'Invoices for it are not synced until you add the account there.',
      );
  return problems;
}
