import type { Connection } from '@temporalio/client';
import { DAY_MS } from '../domain/durations.js';
import { isNotAllowed } from './search-attributes.js';

/**
 * How long the Web UI shows a run that has ended: an operator looks for one from last week
 * (docs/guides/temporal-service.md).
 */
const RETENTION_DAYS = 7;
const DAY_SECONDS = DAY_MS / 1_000;

/**
 * Keeps closed runs of a namespace for a week, unless it keeps them longer. Returns a sentence about what it
 * found or did. If these credentials may not change the retention, as on Temporal Cloud, the sentence has the
 * command that does. No result depends on it.
 */
export async function ensureRetention(
  { workflowService }: Pick<Connection, 'workflowService'>,
  namespace: string,
): Promise<string> {
  const { config } = await workflowService.describeNamespace({ namespace });
  const days = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / DAY_SECONDS;
  if (days >= RETENTION_DAYS) return `Closed runs are kept for ${days} days.`;
  const seconds = (RETENTION_DAYS * DAY_SECONDS) as never;
  try {
    await workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: { seconds } },
    });
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    return (
      `Closed runs are kept for ${days} days, and these credentials may not change that: tcld namespace ` +
      `retention set --namespace ${namespace} --retention-days ${RETENTION_DAYS}`
    );
  }
  return `Closed runs are now kept for ${RETENTION_DAYS} days.`;
}
