import { DAY_MS } from '../durations.js';

/**
 * Rows that are deleted after a time (docs/security.md#retention), in the order in
 * which the job deletes them.
 */
export const RETENTION_DAYS = {
  deliveries: 90,
  events: 365,
  processor_events: 90,
  reconciliations: 365,
  idempotency_keys: 365,
  booking_requests: 365,
  audit_log: 3 * 365,
  sessions: 1,
  sign_in_links: 1,
  passkey_challenges: 1,
  requested_addresses: 1,
  oauth_artifacts: 1,
  accounting_consents: 1,
  pictures: 1,
  rate_limit_buckets: 1,
} as const;

export type RetainedKind = keyof typeof RETENTION_DAYS;

export const RETAINED_KINDS = Object.keys(RETENTION_DAYS) as RetainedKind[];

/**
 * Rows of this kind from before this time are deleted. Sessions, links and OAuth rows: those that ended
 * before it; pictures: those that nothing shows.
 */
export const keptSince = (kind: RetainedKind, now: Date): Date =>
  new Date(now.getTime() - RETENTION_DAYS[kind] * DAY_MS);
