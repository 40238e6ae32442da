import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { recoverSince } from '../commands/workspaces/recovery.js';
import { WORKFLOWS } from '../contract/names.js';
import { starts } from '../contract/starts.js';
import { Recovery } from '../db/entities/payments.js';
import { transaction } from '../db/transaction.js';
import { MINUTE_MS } from '../domain/durations.js';

/** Two intervals of the job that reads accounts. */
const LATER_MS = 10 * MINUTE_MS;
/** What happened shortly before the database's last time may be missing too. */
const MARGIN_MS = 5 * MINUTE_MS;

/**
 * When a worker starts: has all accounts recover since the time in RECOVER_SINCE, or since the database's own last time if
 * Temporal knows of later work (docs/recovery.md#money-stands-still).
 */
export async function beginRecovery(deps: {
  db: DataSource;
  client: Client;
  log: Logger;
  taskQueue: string;
  since: Date | null;
}): Promise<void> {
  const { db, client, log } = deps;
  const recover = async (
    since: Date,
    source: 'told_since' | 'found_since',
    reason: string,
  ): Promise<void> => {
    const accounts = await transaction(db, (tx) => recoverSince(tx, since, source));
    if (accounts === null) return;
    log.warn({ since, accounts }, `${reason}: money stands still until accounts are read`);
    const job = starts(deps.taskQueue).byHand('readAccounts', {});
    await client.workflow
      .start(WORKFLOWS.readAccounts, job)
      .catch((error) => log.warn({ err: error }, 'accounts are read by the next job'));
  };
  if (deps.since) await recover(deps.since, 'told_since', 'RECOVER_SINCE is set');
  const since = await findLostSince(deps);
  if (since) await recover(since, 'found_since', 'Temporal knows of later work than the database');
}

/**
 * Since when the database may lack facts: it does not know of a completed job that Temporal knows of. The job records in
 * the database that it has begun.
 */
async function findLostSince({
  db,
  client,
  log,
  taskQueue,
}: Parameters<typeof beginRecovery>[0]): Promise<Date | null> {
  const { read_at } = await db.manager.findOneByOrFail(Recovery, { id: true });
  if (!read_at) return null;
  const query = `WorkflowType = '${WORKFLOWS.readAccounts}' AND TaskQueue = '${taskQueue}' AND ExecutionStatus = 'Completed'`;
  try {
    for await (const { startTime } of client.workflow.list({ query, pageSize: 1 }))
      return startTime.getTime() > read_at.getTime() + LATER_MS
        ? new Date(read_at.getTime() - MARGIN_MS)
        : null;
  } catch (error) {
    log.warn({ err: error }, 'whether the database is older than Temporal cannot be checked');
  }
  return null;
}
