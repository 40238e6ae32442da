import { recoverSince } from '../../commands/workspaces/recovery.js';
import { transaction } from '../../db/transaction.js';
import { backUp, restore, type Backup } from '../support/backup.js';
import { db } from '../support/stack.js';
import { temporal } from '../support/temporal.js';
import { killAll } from './faults.js';

/** From now on a crash of Postgres loses what was committed in the last seconds: up to three times this delay. */
const FLUSH_MS = 1_500;

/** Has each crash of Postgres lose the last commits. */
export async function loseCommits(): Promise<void> {
  const settings = {
    synchronous_commit: 'off',
    wal_writer_delay: `${FLUSH_MS}ms`,
    wal_writer_flush_after: '1GB',
  };
  for (const [name, value] of Object.entries(settings))
    await db.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await db.query(`SELECT pg_reload_conf()`);
}

/** A backup, and when it was taken. */
export interface Taken {
  rows: Backup;
  at: Date;
}

/** Takes a backup of the database. */
export const takeBackup = async (): Promise<Taken> => ({ at: new Date(), rows: await backUp(db) });

/**
 * Restores a backup as docs/recovery.md#restoring-a-backup says: Temporal has no runs, and money stands still until what
 * happened since is known.
 */
export async function restoreBackup({ rows, at }: Taken): Promise<void> {
  killAll('api');
  killAll('worker');
  await restore(db, rows);
  await transaction(db, (tx) => recoverSince(tx, at, 'told_since'));
  for await (const { workflowId, runId } of temporal.workflow.list({ query: `ExecutionStatus = 'Running'` }))
    await temporal.workflow
      .getHandle(workflowId, runId)
      .terminate('restored')
      .catch(() => undefined);
}
