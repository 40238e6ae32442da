import { dayLimitMessage } from '../accounting.js';
import {
  listSettingProblems,
  type AccountingSettingProblem,
  type AccountingSettings,
  type Chart,
} from '../accounting-settings.js';
import type { TaxCode } from '../price.js';
import type { ProcessorStatus } from '../states.js';
import type { TierPrices } from '../tiers.js';
import { iso } from './iso.js';

/** A workspace's account at the payment processor. */
export interface ProcessorFacts {
  processor_account_id: string | null;
  processor_status: ProcessorStatus;
  processor_due_by: Date | null;
  processor_problem: string | null;
}

/** A workspace's connection to an accounting system. */
export interface AccountingFacts extends AccountingSettings {
  enabled: boolean;
  /** `disconnected`: the workspace has ended the connection. */
  status: 'active' | 'revoked' | 'disconnected';
  organisation: string;
  /** When the calls of a day are renewed, if they were used up. */
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
  invoice_details: string | null;
  refuse_overdue_payers: boolean;
  return_url: string | null;
  booking_url: string | null;
  contact_email: string | null;
  maintenance_starts_at: Date | null;
  maintenance_ends_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The `processor` of a workspace, also as the audit log records it. */
export const presentProcessor = (workspace: ProcessorFacts) => ({
  account_id: workspace.processor_account_id,
  status: workspace.processor_status,
});

/** The `accounting` of a workspace as the audit log records it: without problems, which depend on more. */
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

/** What keeps documents from being sent, as far as it is known (docs/rules/accounting.md#settings). */
function listAccountingProblems(
  workspace: WorkspaceFacts,
  connection: AccountingFacts | null,
  chart: Chart | null,
  now: Date,
): AccountingSettingProblem[] {
  if (connection?.status !== 'active') return [];
  const problems = chart ? listSettingProblems(connection, workspace, chart) : [];
  const { limited_until: until } = connection;
  const isLimited = until !== null && until > now;
  return isLimited ? [{ param: 'accounting', message: dayLimitMessage(until, now) }, ...problems] : problems;
}

/** A workspace as the API returns it (docs/rules/workspace.md#settings). */
export function presentWorkspace(
  workspace: WorkspaceFacts,
  connection: AccountingFacts | null,
  chart: Chart | null,
  now: Date,
  recovery: { since: Date; accounts_left: number } | null,
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
      problems: listAccountingProblems(workspace, connection, chart, now),
    },
    tax_codes: workspace.tax_codes,
    tier_prices: workspace.tier_prices,
    invoice_details: workspace.invoice_details,
    refuse_overdue_payers: workspace.refuse_overdue_payers,
    return_url: workspace.return_url,
    booking_url: workspace.booking_url,
    contact_email: workspace.contact_email,
    recovering: recovery && { ...recovery, since: recovery.since.toISOString() },
    maintenance: starts_at &&
      ends_at && { starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() },
    created_at: workspace.created_at.toISOString(),
    updated_at: workspace.updated_at.toISOString(),
  };
}
