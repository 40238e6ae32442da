import { defineSignal } from '@temporalio/workflow';
import { workflowIds } from './names.js';
import type { Start } from './run.js';

export interface TierChangesInput {
  workspaceId: string;
}

/** The workspace has more upgrades to bill. */
export const tiersChanged = defineSignal('tiers-changed');

export interface MemberCycleInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** `YYYY-MM-DD`: runs as of the end of that day in each workspace's time zone; by default now. */
  asOf?: string;
  /** Where the previous run of the chain stopped. */
  resume?: { after: string; summary: MemberCycleSummary };
}

export interface MemberCycleSummary {
  trials_ended: number;
  /** Members moved to the lower tier that was scheduled for them. */
  downgraded: number;
  /** Members who were granted their monthly hour credits. */
  granted: number;
  /** Members who could not be processed this time. */
  failed: number;
}

export const memberStarts = (start: Start) => ({
  tierChanges: (workspaceId: string) =>
    start<TierChangesInput>(
      workflowIds.tierChanges(workspaceId),
      { workspaceId },
      "Bills the workspace's tier upgrades",
      workspaceId,
    ),
});
