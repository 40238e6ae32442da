import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { JOB_PAGE } from './activity-options.js';
import { Attention } from './attention.js';
import type { SsoCertificatesInput, SsoCertificatesSummary } from '../contract/single-sign-on.js';

/** A page is many small transactions. */
const { announceCertificates } = proxyActivities<Activities>({
  ...JOB_PAGE,
  startToCloseTimeout: '15 seconds',
});

/**
 * Announces certificates of identity providers that expire soon (docs/rules/single-sign-on.md#certificates).
 * Runs every day; a missed notice is sent by the next run. Failures are shown to the operator, and the next
 * run retries them.
 */
export async function ssoCertificates({
  workspaceId,
  asOf,
  resume,
}: SsoCertificatesInput = {}): Promise<SsoCertificatesSummary> {
  const summary = { ...(resume?.summary ?? { expiring: 0, failed: 0 }) };
  const attention = new Attention();
  let after = resume?.after ?? '';
  for (;;) {
    attention.showStatus(`Checking the certificates of identity providers; ${summary.expiring} expire soon.`);
    const page = await announceCertificates({ workspaceId, asOf, after });
    summary.expiring += page.expiring;
    summary.failed += page.failed;
    if (page.last === null) break;
    after = page.last;
    if (workflowInfo().continueAsNewSuggested)
      await attention.continueAsNew<typeof ssoCertificates>({
        workspaceId,
        asOf,
        resume: { after, summary },
      });
  }
  if (summary.failed > 0) {
    attention.raise(
      'the certificates of identity providers',
      `failed for ${summary.failed} workspaces. See the worker's log; the next run tries them again.`,
    );
  }
  return summary;
}
