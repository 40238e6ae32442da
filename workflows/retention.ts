import { proxyActivities } from '@temporalio/workflow';
import type { Activities, ExpiredPage } from '../activities/index.js';
import type { RetainedKind } from '../domain/retention/retention.js';
import { BATCH, JOB_PAGE } from './activity-options.js';
import { Attention } from './attention.js';
import type { RetentionSummary } from '../contract/retention.js';
import { proxyTransactions } from './in-task.js';

const { listRetainedKinds } = proxyTransactions(JOB_PAGE);
const { deleteExpiredRows } = proxyActivities<Activities>({
  ...BATCH,
  retry: { ...BATCH.retry, maximumAttempts: 5 },
});

/**
 * The nightly job that deletes rows whose retention period has ended (docs/security.md#retention). A failure
 * of one kind does not stop the others.
 */
export async function retention(): Promise<RetentionSummary> {
  const attention = new Attention();
  const summary: RetentionSummary = { deleted: {}, failed: [] };

  async function deleteAll(kind: RetainedKind): Promise<void> {
    let after: string | null = '';
    while (after !== null) {
      const page: ExpiredPage = await deleteExpiredRows({ kind, after });
      summary.deleted[kind] = (summary.deleted[kind] ?? 0) + page.deleted;
      after = page.next;
    }
  }

  for (const kind of await listRetainedKinds()) {
    attention.showStatus(`Deleting expired rows: ${kind}.`);
    try {
      await deleteAll(kind);
    } catch {
      summary.failed.push(kind);
    }
  }
  if (summary.failed.length > 0) {
    attention.raise(
      'retention',
      `failed for ${summary.failed.join(', ')}. See the worker's log; the next run tries them again.`,
    );
  }
  return summary;
}
