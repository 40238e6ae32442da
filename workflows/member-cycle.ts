import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { JOB_PAGE } from './activity-options.js';
import { Attention } from './attention.js';
import type { MemberCycleInput, MemberCycleSummary } from '../contract/members.js';

/** A page is many small transactions. */
const { runMemberCycles } = proxyActivities<Activities>({ ...JOB_PAGE, startToCloseTimeout: '15 seconds' });

const EMPTY_SUMMARY: MemberCycleSummary = { trials_ended: 0, downgraded: 0, granted: 0, failed: 0 };

/**
 * Ends trials, applies lower tiers and grants hour credits at the start of a member's cycle
 * (docs/rules/members.md#monthly-cycle). Runs every hour, since the day starts at a different time in each
 * time zone; a member is processed once per cycle. Failures are shown to the operator, and the next run
 * retries them.
 */
export async function memberCycle({
  workspaceId,
  asOf,
  resume,
}: MemberCycleInput = {}): Promise<MemberCycleSummary> {
  const summary = { ...(resume?.summary ?? EMPTY_SUMMARY) };
  const attention = new Attention();
  let after = resume?.after ?? '';
  for (;;) {
    attention.showStatus(`Running member cycles; ${summary.granted} members have their hour credits.`);
    const { last, ...page } = await runMemberCycles({ workspaceId, asOf, after });
    for (const field of ['trials_ended', 'downgraded', 'granted', 'failed'] as const)
      summary[field] += page[field];
    if (last === null) break;
    after = last;
    if (workflowInfo().continueAsNewSuggested)
      await attention.continueAsNew<typeof memberCycle>({ workspaceId, asOf, resume: { after, summary } });
  }
  if (summary.failed > 0) {
    attention.raise(
      'the member cycle',
      `failed for ${summary.failed} members. See the worker's log; the next run tries them again.`,
    );
  }
  return summary;
}
