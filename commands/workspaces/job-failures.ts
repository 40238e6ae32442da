import type { SweptJob } from '../../domain/workspaces/swept-jobs.js';
import { execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** Longer messages of errors are cut. */
const MAX_REASON = 300;

/** A run of a job: of all workspaces, or of one. */
interface JobRun {
  job: SweptJob;
  workspaceId?: string;
}

/** Begins a run: what failed in the one before counts as failing until this one ends. */
export async function beginRun(tx: Tx, { job, workspaceId }: JobRun): Promise<void> {
  await execute(
    tx,
    `UPDATE job_failures SET again = false
      WHERE job = $1 AND ($2::text IS NULL OR workspace_id = $2) AND again`,
    [job, workspaceId ?? null],
  );
}

/** Ends a run: what did not fail again works. */
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

/** Records that a job has worked for some workspaces. */
export async function clearJobFailures(tx: Tx, job: SweptJob, workspaceIds: string[]): Promise<void> {
  await execute(tx, `DELETE FROM job_failures WHERE job = $1 AND workspace_id = ANY ($2)`, [
    job,
    workspaceIds,
  ]);
}

/** The message of a failed statement names no values of its parameters; those are in its details. */
export const errorReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, MAX_REASON);
