export interface SsoCertificatesInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** `YYYY-MM-DD`: runs as of the end of that day in each workspace's time zone; by default now. */
  asOf?: string;
  /** Where the previous run of the chain stopped. */
  resume?: { after: string; summary: SsoCertificatesSummary };
}

export interface SsoCertificatesSummary {
  /**
   * Certificates that expire within the days of a notice. The mail for each has been enqueued now or before.
   */
  expiring: number;
  /** Workspaces whose certificates could not be checked this time. */
  failed: number;
}
