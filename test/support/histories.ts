import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowHandle } from '@temporalio/client';
import { temporal } from './temporal.js';

/** Everything that Temporal stores about a run, as text with decoded payloads. */
export async function readableRun(handle: WorkflowHandle): Promise<string> {
  const description = await handle.describe();
  const all = [historyToJSON(await handle.fetchHistory()), JSON.stringify(description.raw)].join('\n');
  return all.replace(/"data":\s*"([A-Za-z0-9+/=]*)"/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString(),
  );
}

/** The texts of all runs of a workspace. */
export async function readableRuns(workspaceId: string): Promise<string[]> {
  const runs: string[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list({ query: `Workspace = '${workspaceId}'` }))
    runs.push(await readableRun(temporal.workflow.getHandle(workflowId, runId)));
  return runs;
}
