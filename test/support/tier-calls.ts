import { DAY_MS } from '../../domain/durations.js';
import { internal } from './api-client.js';
import type { TestWorkspace } from './workspaces.js';

export const runJob = async (job: string, workspace: TestWorkspace, as_of?: string) => {
  const { status, body } = await internal('run_job', {
    job,
    workspace_id: workspace.id,
    ...(as_of && { as_of }),
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

export const isoDay = (daysAhead: number): string =>
  new Date(Date.now() + daysAhead * DAY_MS).toISOString().slice(0, 10);
