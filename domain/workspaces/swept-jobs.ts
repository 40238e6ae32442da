/**
 * Jobs that run for all workspaces, by the clock or as they become due. A job that fails for a workspace is
 * recorded until it succeeds again (docs/guides/runbook.md#a-job-fails-for-a-workspace).
 */
export const SWEPT_JOBS = {
  member_cycle: 'The monthly member cycle: trial ends, plan downgrades, hour credits',
  subscription_invoices: 'Subscription invoices',
  monthly_statements: 'Monthly statements',
  sso_certificates: 'Notices about expiring certificates of identity providers',
  payouts: 'Reading payouts at the payment processor',
  booking_reminders: 'Booking reminders',
  staff_digests: 'The daily email to staff',
} as const;

export type SweptJob = keyof typeof SWEPT_JOBS;
