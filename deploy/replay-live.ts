import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { WORKFLOWS } from '../contract/names.js';
import { DAY_MS } from '../domain/durations.js';

/** For each workflow type, runs of these ages are sampled: the oldest were started by the oldest code. */
const MIN_AGES_DAYS = [0, 1, 7, 30, 180];

export interface ReplayOptions {
  taskQueue: string;
  /** The workflow bundle of the new release. */
  bundlePath: string;
  /** How many runs of each type and age. */
  perAge: number;
  /** An additional condition on the runs, in Temporal's list filter syntax. */
  where?: string;
}

export interface ReplayReport {
  /** Number of open runs that were replayed, by type. */
  replayed: Record<string, number>;
  failed: { workflowId: string; runId: string; reason: string }[];
}

interface LiveRun {
  workflowId: string;
  runId: string;
}

/** A sample of the open runs of a type, without duplicates. */
async function sampleRuns(client: Client, type: string, options: ReplayOptions): Promise<LiveRun[]> {
  const runs = new Map<string, LiveRun>();
  for (const days of MIN_AGES_DAYS) {
    const conditions = [
      `WorkflowType = '${type}'`,
      `ExecutionStatus = 'Running'`,
      `TaskQueue = '${options.taskQueue}'`,
      ...(days > 0 ? [`StartTime < '${new Date(Date.now() - days * DAY_MS).toISOString()}'`] : []),
      ...(options.where ? [`(${options.where})`] : []),
    ];
    let left = options.perAge;
    for await (const { workflowId, runId } of client.workflow.list({ query: conditions.join(' AND ') })) {
      if (left-- === 0) break;
      runs.set(runId, { workflowId, runId });
    }
  }
  return [...runs.values()];
}

/** The histories of runs, one at a time, without runs that have disappeared meanwhile. */
async function* fetchHistories(client: Client, runs: LiveRun[]) {
  for (const { workflowId, runId } of runs) {
    try {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      yield { workflowId, history };
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

/**
 * Replays a sample of the open runs of a namespace with a workflow bundle
 * (docs/guides/upgrade.md#check-open-runs). It changes nothing. A run that does not replay would make no
 * progress once workers with this bundle get its next task.
 */
export async function replayLiveRuns(client: Client, options: ReplayOptions): Promise<ReplayReport> {
  const report: ReplayReport = { replayed: {}, failed: [] };
  const workflowBundle = { codePath: options.bundlePath };
  for (const type of Object.values(WORKFLOWS)) {
    const runs = await sampleRuns(client, type, options);
    if (runs.length === 0) continue;
    let replayed = 0;
    for await (const { workflowId, runId, error } of Worker.runReplayHistories(
      { workflowBundle },
      fetchHistories(client, runs),
    )) {
      replayed++;
      if (error) report.failed.push({ workflowId, runId, reason: `${error.name}: ${error.message}` });
    }
    report.replayed[type] = replayed;
  }
  return report;
}
