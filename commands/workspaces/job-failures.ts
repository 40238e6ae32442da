import type { SweptJob } from '../../domain/workspaces/swept-jobs.js';
import { execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** Longer error messages are cut off. */
const MAX_REASON = 300;

/** A run of a job, for all workspaces or for one. */
interface JobRun {
  job: SweptJob;
  workspaceId?: string;
}

/** Begins a run. Failures of the previous run count until this one ends. */
export async function beginRun(tx: Tx, { job, workspaceId }: JobRun): Promise<void> {
  await execute(
    tx,
    `UPDATE job_failures SET again = false
      WHERE job = $1 AND ($2::text IS NULL OR workspace_id = $2) AND again`,
    [job, workspaceId ?? null],
  );
}

/** Ends a run. Failures that did not occur again are cleared. */
export async function endRun(tx: Tx, { job, workspaceId }: JobRun): Promise<void> {
  await execute(
    tx,
    `DELETE FROM job_failures WHERE job = $1 AND ($2::text IS NULL OR workspace_id = $2) AND NOT again`,
    [job, workspaceId ?? null],
  );
}

/**
 * Records that a job fails for a workspace, with the reason
 * (docs/guides/runbook.md#a-job-fails-for-a-workspace).
 */
export async function recordJobFailure(
  tx: Tx,
  { workspace_id, job, error }: { workspace_id: string; job: SweptJob; error: unknown },
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO job_failures (workspace_id, job, reason) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, job) DO UPDATE SET reason = excluded.reason, again = true`,
    [workspace_id, job, errorReason(error)],
  );
}

/** Records that a job has succeeded for some workspaces. */
export async function clearJobFailures(tx: Tx, job: SweptJob, workspaceIds: string[]): Promise<void> {
  await execute(tx, `DELETE FROM job_failures WHERE job = $1 AND workspace_id = ANY ($2)`, [
    job,
    workspaceIds,
  ]);
}

/**
 * Returns the message of an error. The message of a failed statement does not contain the values of its
 * parameters; those are in its details.
 */
export const errorReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, MAX_REASON);
