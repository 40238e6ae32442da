import { workflowIds } from './names.js';
import type { Start } from './run.js';

export interface ReconciliationInput {
  reconciliationId: string;
  workspaceId: string;
  /** Whether the owner gets mail about differences. */
  notifyOwner: boolean;
}

export interface NightlyReconciliationInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** Where the previous run of the chain stopped. */
  resume?: { after: string; summary: NightlyReconciliationSummary };
}

export interface NightlyReconciliationSummary {
  workspaces: number;
  /** Workspaces that could not be compared this time, and the first of their ids. */
  failed: number;
  left?: string[];
}

export const reconciliationStarts = (start: Start) => ({
  reconciliation: (input: ReconciliationInput, range: { from: string; to: string } | 'nightly') =>
    start<ReconciliationInput>(
      range === 'nightly'
        ? workflowIds.scheduledReconciliation(input.reconciliationId)
        : workflowIds.reconciliation(input.workspaceId, range.from, range.to),
      input,
      'Compares processor, ledger and accounting system',
      input.workspaceId,
    ),
});
