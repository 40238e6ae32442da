import { WorkflowFailedError } from '@temporalio/client';
import { pageNotOpened } from '../../../domain/processor/refusals.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { startAndWait } from '../../http/runs.js';

/**
 * `POST /v1/workspace/processor/onboarding`: the URL of the processor's hosted onboarding, for a connected
 * account of this workspace (docs/rules/workspace.md#processor-account). Errors: 502 `processor_error`.
 */
export function onboard({
  temporal,
  taskQueue,
  publicUrl,
}: Pick<ApiDependencies, 'temporal' | 'taskQueue' | 'publicUrl'>): Handler {
  return async (ctx) => {
    const { workspace_id: workspaceId } = ctx.state.principal;
    const start = starts(taskQueue).processorOnboarding({
      workspaceId,
      returnUrl: `${publicUrl}/onboarding/done?workspace_id=${workspaceId}`,
      refreshUrl: `${publicUrl}/onboarding/again`,
    });
    try {
      ctx.body = await startAndWait<{ url: string }>(temporal, WORKFLOWS.processorOnboarding, start);
    } catch (error) {
      if (!(error instanceof WorkflowFailedError)) throw error;
      throw pageNotOpened('processor_error');
    }
  };
}
