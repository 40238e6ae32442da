import { DAY_MS } from '../durations.js';

/**
 * The days after which rows are deleted (docs/security.md#retention), in the order in which the job deletes
 * them.
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
 * Returns the time before which rows of this kind are deleted. Sessions, links and OAuth rows are deleted if
 * they ended before it, and pictures if nothing shows them.
 */
export const keptSince = (kind: RetainedKind, now: Date): Date =>
  new Date(now.getTime() - RETENTION_DAYS[kind] * DAY_MS);
