export interface SubscriptionInvoicesInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** `YYYY-MM-DD` in each workspace's time zone. By default the local date six hours ago. */
  asOf?: string;
  /** Where the previous run of the chain stopped. */
  resume?: { after: string; begun: number; summary: SubscriptionInvoicesSummary };
}

export interface SubscriptionInvoicesSummary {
  /** Invoices that were opened. Their rows contain the job, whose id is the workflow id. */
  opened: number;
  /** Payers with nothing to invoice. */
  skipped: number;
  statements: number;
  /** Payers and drafts that could not be processed this time, and the first of their ids. */
  failed: number;
  left?: string[];
}
