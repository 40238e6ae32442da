import type { RetainedKind } from '../domain/retention/retention.js';

/** How many rows of each kind were deleted, and the kinds that failed. */
export interface RetentionSummary {
  deleted: Partial<Record<RetainedKind, number>>;
  failed: RetainedKind[];
}
