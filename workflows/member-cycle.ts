import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import type { MemberCycleInput, MemberCycleSummary } from './contract.js';

/** A page is many small transactions: it gets the time of a call to somebody else. */
const { turnCycles } = proxyActivities<Activities>(OUTSIDE_CALL);

const NOTHING: MemberCycleSummary = { trials_ended: 0, downgraded: 0, granted: 0, failed: 0 };

/**
 * The daily job of members (decisions.md, "Members"): ends trials, brings lower tiers and grants tokens where a cycle
 * begins. It runs each hour, since a day begins in each zone at another; what was done is not done again. A member that
 * fails is shown and tried again by the next run.
 */
export async function memberCycle({
  workspaceId,
  asOf,
  resume,
}: MemberCycleInput = {}): Promise<MemberCycleSummary> {
  const summary = { ...(resume?.summary ?? NOTHING) };
  const attention = new Attention();
  let after = resume?.after ?? '';
  for (;;) {
    attention.waitFor(`Turning the cycles of members; ${summary.granted} have their tokens.`);
    const { last, ...page } = await turnCycles({ workspaceId, asOf, after });
    for (const field of ['trials_ended', 'downgraded', 'granted', 'failed'] as const)
      summary[field] += page[field];
    if (last === null) break;
    after = last;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof memberCycle>({ workspaceId, asOf, resume: { after, summary } });
  }
  if (summary.failed > 0)
    attention.raise('some members', `${summary.failed} could not be changed; see the log`);
  return summary;
}
