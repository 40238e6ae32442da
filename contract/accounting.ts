import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { workflowIds } from './names.js';
import { uniqueId, type Start } from './run.js';

export interface InvoiceAccountingInput {
  invoiceId: string;
}

/** The invoice or its payments have changed, so the accounting system must be updated. */
export const invoiceChanged = defineSignal('invoice-changed');

/**
 * `settled`: ledger and accounting system agree, or none of our writes can make them agree. `limited`: the
 * calls of the day are used up. `disabled`: the workspace has switched writes off.
 */
export type InvoiceAccountingOutcome = 'settled' | 'refused' | 'disconnected' | 'limited' | 'disabled';

export interface AccountingSyncInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** Where the previous run of the chain stopped. */
  resume?: {
    /** The last workspace that was processed. */
    after: string;
    summary: AccountingSyncSummary;
    /** The first of the workspaces that failed. */
    failed: string[];
  };
}

export interface WorkspaceAccountingSyncInput {
  workspaceId: string;
  /** Where the previous run of the chain stopped. */
  resume?: {
    /** The last invoice that was processed. */
    after: string;
    /** Set while overdue writes are being caught up. */
    overdueAfter?: string;
    summary: AccountingSyncSummary;
  };
}

export interface AccountingSyncSummary {
  /** Invoices in flight that were checked. */
  examined: number;
  /** Invoices that this run created in the accounting system. */
  created: number;
  /** Invoices that a bookkeeper has approved since the last run. */
  authorised: number;
  /** Invoices whose overdue writes this run completed. */
  caught_up: number;
  /** Invoices that the accounting system refused; each has its `accounting_error`. */
  failed: number;
  /** Invoices and workspaces whose own run was still working when this one moved on. */
  under_way: number;
  /** Invoices that wait until calls are possible again, because the calls of the day are used up. */
  postponed: number;
  /** Workspaces whose own run failed. */
  failed_workspaces: number;
}

/** The counts of the sync of all workspaces, and the first of the workspaces whose own run failed. */
export type AllSyncedSummary = AccountingSyncSummary & { left?: string[] };

export const NOTHING_SYNCED: AccountingSyncSummary = {
  examined: 0,
  created: 0,
  authorised: 0,
  caught_up: 0,
  failed: 0,
  under_way: 0,
  postponed: 0,
  failed_workspaces: 0,
};

export interface AccountingReadInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** Where the previous run of the chain stopped: the last workspace, and how many invoices were read. */
  resume?: { after: string; read: number };
}

export type AccountingConnectionInput = { workspaceId: string } & (
  | { action: 'read_chart' }
  | {
      action: 'disconnect';
      /** Who ends the connection. */ actor: { member_id: string; key_id: string | null };
    }
);

export interface AccountingConsentInput {
  consentId: string;
  workspaceId: string;
}

/** Waits until the consent page can be opened. Sent with the start of the run, under the update id `open`. */
export const openConsent = defineUpdate<'opened' | 'unavailable'>('open');

/**
 * `taken`: the organisation serves another workspace, or this workspace is connected to another organisation.
 */
export type ConsentOutcome = 'connected' | 'declined' | 'unavailable' | 'taken';

/** The operator has returned from the consent page. */
export const consentAnswered = defineUpdate<ConsentOutcome>('answered');

export const accountingStarts = (start: Start) => ({
  invoiceAccounting: (invoiceId: string, workspaceId: string) =>
    start<InvoiceAccountingInput>(
      workflowIds.invoiceAccounting(invoiceId),
      { invoiceId },
      'Syncs an invoice to the accounting system',
      workspaceId,
    ),

  accountingRead: (input: AccountingReadInput) =>
    start<AccountingReadInput>(
      uniqueId('accounting-read'),
      input,
      'Reads invoices back from the accounting system',
      input.workspaceId ?? null,
    ),

  workspaceAccountingSync: (workspaceId: string) =>
    start<WorkspaceAccountingSyncInput>(
      workflowIds.workspaceAccountingSync(workspaceId),
      { workspaceId },
      'Sends open invoices to the accounting system and reads approvals back',
      workspaceId,
    ),

  accountingConnection: (input: AccountingConnectionInput) =>
    start<AccountingConnectionInput>(
      uniqueId(workflowIds.accountingConnection(input.action)),
      input,
      input.action === 'disconnect'
        ? 'Ends the connection to the accounting system'
        : 'Reads the accounts and tax types of the accounting system',
      input.workspaceId,
    ),

  accountingConsent: (input: AccountingConsentInput) =>
    start<AccountingConsentInput>(
      workflowIds.accountingConsent(input.consentId),
      input,
      'Connects the workspace to its accounting system',
      input.workspaceId,
    ),
});
