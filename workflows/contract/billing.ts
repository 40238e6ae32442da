export interface ProcessorOnboardingInput {
  workspaceId: string;
  returnUrl: string;
  refreshUrl: string;
}

export interface SubscriptionInvoicesInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** `YYYY-MM-DD` in each workspace's time zone. If absent, the local date six hours ago. */
  asOf?: string;
  /** Progress of the previous runs of the chain: invoices opened, payers with a draft. */
  resume?: { created: string[]; begun: number };
}

export interface SubscriptionInvoicesSummary {
  /** Ids of the invoices opened. */
  created: string[];
  /** Payers with nothing to invoice. */
  skipped: number;
}

export interface ReconciliationInput {
  reconciliationId: string;
  workspaceId: string;
  /** Whether the owner gets mail about differences. */
  notifyOwner: boolean;
}

export interface NightlyReconciliationInput {
  /** All workspaces if absent. */
  workspaceId?: string;
}

export interface NightlyReconciliationSummary {
  workspaces: number;
  failed: number;
}
