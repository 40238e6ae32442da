import type { SweptJob } from '../../../domain/workspaces/swept-jobs.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A workspace for which a job fails, and why. */
export interface FailingWorkspace {
  workspace_id: string;
  reason: string;
}

/** For which workspaces some jobs fail, longest first. */
export const listFailingWorkspaces = (tx: Tx, jobs: readonly SweptJob[]): Promise<FailingWorkspace[]> =>
  many<FailingWorkspace>(
    tx,
    `SELECT workspace_id, reason FROM job_failures WHERE job = ANY ($1) ORDER BY since, workspace_id`,
    [jobs],
  );

/**
 * The workspaces of some objects that a job has left, each with the first of them: of bookings,
 * invoices, accounts and others.
 */
export const listWorkspacesOf = (tx: Tx, ids: string[]): Promise<{ workspace_id: string; id: string }[]> =>
  many<{ workspace_id: string; id: string }>(
    tx,
    `SELECT DISTINCT ON (workspace_id) workspace_id, id FROM (
       SELECT id AS workspace_id, id FROM workspaces WHERE id = ANY ($1)
       ${[
         ['bookings', 'id'],
         ['booking_changes', 'id'],
         ['invoices', 'id'],
         ['payments', 'id'],
         ['payments', 'processor_payment_intent_id'],
         ['checkouts', 'id'],
         ['card_setups', 'id'],
         ['account_reads', 'account_id'],
       ]
         .map(([table, id]) => `UNION ALL SELECT workspace_id, ${id} FROM ${table} WHERE ${id} = ANY ($1)`)
         .join('\n       ')}
     ) left_over ORDER BY workspace_id, id`,
    [ids],
  );
