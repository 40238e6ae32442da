import { defineSignal, defineUpdate } from '@temporalio/workflow';

export interface InvoiceAccountingInput {
  invoiceId: string;
}

/** The invoice or its payments have changed, so the accounting system must be updated. */
export const invoiceChanged = defineSignal('invoice-changed');

/** `settled`: ledger and accounting system agree, or none of our writes can make them agree. */
export type InvoiceAccountingOutcome = 'settled' | 'refused' | 'disconnected';

export interface AccountingSyncInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** Where the previous run of the chain stopped. */
  resume?: {
    workspaces: string[];
    after: string;
    /** Set while the first workspace's overdue writes are being caught up. */
    overdueAfter?: string;
    summary: AccountingSyncSummary;
  };
}

/** Counts of one accounting sync. */
export interface AccountingSyncSummary {
  /** Invoices in flight that were checked. */
  examined: number;
  /** Invoices this run created in the accounting system. */
  created: number;
  /** Invoices that a bookkeeper has approved since the last run. */
  authorised: number;
  /** Invoices whose overdue writes this run completed. */
  caught_up: number;
  /** Invoices that the accounting system refused; each has its `accounting_error`. */
  failed: number;
  /** Invoices whose own run was still working when this one moved on. */
  under_way: number;
}

export interface AccountingReadInput {
  /** All workspaces if absent. */
  workspaceId?: string;
}

export interface AccountingConsentInput {
  consentId: string;
  workspaceId: string;
}

/** Waits until the consent page can be opened. Sent with the start of the run, under the update id `open`. */
export const openConsent = defineUpdate<'opened' | 'unavailable'>('open');

/** `taken`: the organisation serves another workspace, or this workspace is connected to another organisation. */
export type ConsentOutcome = 'connected' | 'declined' | 'unavailable' | 'taken';

/** The operator has returned from the consent page. */
export const consentAnswered = defineUpdate<ConsentOutcome>('answered');
