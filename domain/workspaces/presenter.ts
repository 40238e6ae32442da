import { hasNoWayToPay, missingOfSeller } from '../invoices/parties.js';
import { dayLimitMessage } from '../accounting/documents.js';
import {
  listSettingProblems,
  type LineAccount,
  type AccountingSettingProblem,
  type AccountingSettings,
  type Chart,
} from '../accounting/settings.js';
import type { CsvFormat } from '../csv-format.js';
import { presentPlans, type Plans } from '../members/plans.js';
import type { PricesEntered } from '../rates/entered-price.js';
import type { TaxCode } from '../rates/price.js';
import { presentStaffNotices, type StaffNotices } from './staff-notices.js';
import type { ProcessorStatus } from '../states.js';
import type { TierPrices } from '../members/tiers.js';
import { iso } from '../iso.js';
import type { Language } from '../words/languages.js';
import { presentSso, type SsoFacts } from '../single-sign-on/presenter.js';

export interface ProcessorFacts {
  processor_account_id: string | null;
  processor_status: ProcessorStatus;
  processor_due_by: Date | null;
  processor_problem: string | null;
}

export interface AccountingFacts extends AccountingSettings {
  enabled: boolean;
  /** `disconnected`: the workspace ended the connection. */
  status: 'active' | 'revoked' | 'disconnected';
  organisation: string;
  /** When calls are possible again, if the calls of the day are used up. */
  limited_until: Date | null;
}

/** The input of `presentWorkspace`. */
export interface WorkspaceFacts extends ProcessorFacts {
  id: string;
  name: string;
  time_zone: string;
  currency: string;
  checkout_hold_seconds: number;
  tax_codes: TaxCode[];
  tier_prices: TierPrices;
  plans: Plans;
  prices_entered: PricesEntered;
  invoice_details: string | null;
  invoice_prefix: string;
  legal_name: string | null;
  legal_address: string | null;
  tax_number: string | null;
  tax_name: string;
  payment_instructions: string | null;
  desk_refund_limit_minor: number;
  refuse_overdue_payers: boolean;
  require_second_factor: boolean;
  return_url: string | null;
  booking_url: string | null;
  contact_email: string | null;
  csv: CsvFormat;
  notify_staff: StaffNotices;
  locale: Language;
  logo_url: string | null;
  accent_color: string | null;
  maintenance_starts_at: Date | null;
  maintenance_ends_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The `processor` of a workspace, which the audit log also records. */
export const presentProcessor = (workspace: ProcessorFacts) => ({
  account_id: workspace.processor_account_id,
  status: workspace.processor_status,
});

/**
 * The `accounting` of a workspace as the audit log records it: without problems, which depend on other facts.
 */
export function presentAccounting(connection: AccountingFacts | null) {
  const { status = 'disconnected' } = connection ?? {};
  return {
    enabled: connection?.enabled ?? false,
    status: status === 'disconnected' ? ('unconfigured' as const) : status,
    organisation: connection?.organisation ?? null,
    sales_account: connection?.sales_account ?? null,
    payment_account: connection?.payment_account ?? null,
  };
}

/** Returns the known problems that prevent documents from being sent (docs/rules/accounting.md#settings). */
function listAccountingProblems(
  workspace: WorkspaceFacts,
  connection: AccountingFacts | null,
  chart: Chart | null,
  lineAccounts: LineAccount[],
  now: Date,
): AccountingSettingProblem[] {
  if (connection?.status !== 'active') return [];
  const problems = chart ? listSettingProblems(connection, workspace, chart, lineAccounts) : [];
  const { limited_until: until } = connection;
  const isLimited = until !== null && until > now;
  return isLimited ? [{ param: 'accounting', message: dayLimitMessage(until, now) }, ...problems] : problems;
}

const UNPAYABLE = {
  param: 'payment_instructions',
  message: 'Invoices cannot be paid online and have no payment instructions.',
};

/**
 * Returns what invoices lack of the information that UK and EU law require, and of how they can be paid
 * (docs/rules/billing.md#documents).
 */
function listInvoiceProblems(workspace: WorkspaceFacts) {
  const messages = {
    // Documents show the name of the workspace instead.
    legal_name: null,
    legal_address: 'Invoices do not show the address of the seller.',
    tax_number: 'Invoices charge tax but do not show the tax number of the seller.',
  };
  const ofSeller = missingOfSeller(workspace).flatMap((param) => {
    const message = messages[param];
    return message ? [{ param, message }] : [];
  });
  return hasNoWayToPay(workspace) ? [...ofSeller, UNPAYABLE] : ofSeller;
}

/** A workspace as the API returns it (docs/rules/workspace.md#settings). */
export function presentWorkspace(
  workspace: WorkspaceFacts,
  connection: AccountingFacts | null,
  chart: Chart | null,
  lineAccounts: LineAccount[],
  now: Date,
  recovery: { since: Date; accounts_left: number } | null,
  sso: SsoFacts | null,
) {
  const { maintenance_starts_at: starts_at, maintenance_ends_at: ends_at } = workspace;
  return {
    id: workspace.id,
    name: workspace.name,
    time_zone: workspace.time_zone,
    currency: workspace.currency,
    checkout_hold_seconds: workspace.checkout_hold_seconds,
    processor: {
      ...presentProcessor(workspace),
      due_by: workspace.processor_due_by && iso(workspace.processor_due_by),
      problem: workspace.processor_problem,
    },
    accounting: {
      ...presentAccounting(connection),
      problems: listAccountingProblems(workspace, connection, chart, lineAccounts, now),
    },
    tax_codes: workspace.tax_codes,
    tier_prices: workspace.tier_prices,
    plans: presentPlans(workspace.plans),
    prices_entered: workspace.prices_entered,
    legal_name: workspace.legal_name,
    legal_address: workspace.legal_address,
    tax_number: workspace.tax_number,
    tax_name: workspace.tax_name,
    payment_instructions: workspace.payment_instructions,
    invoice_prefix: workspace.invoice_prefix,
    invoice_details: workspace.invoice_details,
    invoice_problems: listInvoiceProblems(workspace),
    desk_refund_limit_minor: workspace.desk_refund_limit_minor,
    refuse_overdue_payers: workspace.refuse_overdue_payers,
    require_second_factor: workspace.require_second_factor,
    sso: presentSso(sso),
    return_url: workspace.return_url,
    booking_url: workspace.booking_url,
    contact_email: workspace.contact_email,
    locale: workspace.locale,
    logo_url: workspace.logo_url,
    accent_color: workspace.accent_color,
    csv: workspace.csv,
    notify_staff: presentStaffNotices(workspace.notify_staff),
    recovering: recovery && { ...recovery, since: recovery.since.toISOString() },
    maintenance: starts_at &&
      ends_at && { starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() },
    created_at: workspace.created_at.toISOString(),
    updated_at: workspace.updated_at.toISOString(),
  };
}
