import { defineSignal, defineUpdate } from '@temporalio/workflow';

export interface InvoiceAccountingInput {
  invoiceId: string;
}

/** The invoice or its payments have changed: the accounting system has to follow. */
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
    /** Set while the overdue writes of the first workspace are caught up. */
    overdueAfter?: string;
    summary: AccountingSyncSummary;
  };
}

/** Counts of one accounting sync. */
export interface AccountingSyncSummary {
  /** Invoices in flight that were looked at. */
  examined: number;
  /** Invoices this run created in the accounting system. */
  created: number;
  /** Invoices that a bookkeeper has approved since the last run. */
  authorised: number;
  /** Overdue writes that this run made. */
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
