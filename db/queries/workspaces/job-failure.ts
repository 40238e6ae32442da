import type { SweptJob } from '../../../domain/workspaces/swept-jobs.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A workspace for which a job fails, and why. */
export interface FailingWorkspace {
  workspace_id: string;
  reason: string;
}

/** Lists the workspaces for which jobs fail, longest first. */
export const listFailingWorkspaces = (tx: Tx, jobs: readonly SweptJob[]): Promise<FailingWorkspace[]> =>
  many<FailingWorkspace>(
    tx,
    `SELECT workspace_id, reason FROM job_failures WHERE job = ANY ($1) ORDER BY since, workspace_id`,
    [jobs],
  );

/**
 * Lists the workspaces of objects that a job has left (bookings, invoices, accounts and others), each with
 * the first of its objects.
 */
export const listObjectWorkspaces = (
  tx: Tx,
  ids: string[],
): Promise<{ workspace_id: string; id: string }[]> =>
  many<{ workspace_id: string; id: string }>(
    tx,
    `SELECT DISTINCT ON (workspace_id) workspace_id, id FROM (
       SELECT id AS workspace_id, id FROM workspaces WHERE id = ANY ($1)
       UNION ALL SELECT workspace_id, id FROM bookings WHERE id = ANY ($1)
         UNION ALL SELECT workspace_id, id FROM booking_changes WHERE id = ANY ($1)
         UNION ALL SELECT workspace_id, id FROM invoices WHERE id = ANY ($1)
         UNION ALL SELECT workspace_id, id FROM payments WHERE id = ANY ($1)
         UNION ALL SELECT workspace_id, processor_payment_intent_id FROM payments
           WHERE processor_payment_intent_id = ANY ($1)
         UNION ALL SELECT workspace_id, id FROM checkouts WHERE id = ANY ($1)
         UNION ALL SELECT workspace_id, id FROM card_setups WHERE id = ANY ($1)
         UNION ALL SELECT workspace_id, account_id FROM account_reads WHERE account_id = ANY ($1)
     ) left_over ORDER BY workspace_id, id`,
    [ids],
  );
