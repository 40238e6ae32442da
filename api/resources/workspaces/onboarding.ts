import { WorkflowFailedError } from '@temporalio/client';
import { pageNotOpened } from '../../../domain/processor/refusals.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import { startAndWait } from '../../http/runs.js';

/**
 * The URL of the processor's hosted onboarding, for a connected account of a workspace
 * (docs/rules/workspace.md#processor-account). Errors: 502 `processor_error`.
 */
export async function openOnboarding(
  { temporal, taskQueue, publicUrl }: Pick<ApiDependencies, 'temporal' | 'taskQueue' | 'publicUrl'>,
  workspaceId: string,
): Promise<{ url: string }> {
  const start = starts(taskQueue).processorOnboarding({
    workspaceId,
    returnUrl: `${publicUrl}/onboarding/done?workspace_id=${workspaceId}`,
    refreshUrl: `${publicUrl}/onboarding/again`,
  });
  try {
    return await startAndWait<{ url: string }>(temporal, WORKFLOWS.processorOnboarding, start);
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw pageNotOpened('processor_error');
  }
}
