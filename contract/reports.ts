export interface PayoutsInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** Where the previous run of the chain stopped. */
  resume?: { after: string; summary: PayoutsSummary };
}

export interface PayoutsSummary {
  /** How many connected accounts were read. */
  accounts: number;
  /** Accounts that could not be read this time. */
  failed: number;
}
