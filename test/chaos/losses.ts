import { setTimeout as sleep } from 'node:timers/promises';
import { recoverSince } from '../../commands/workspaces/recovery.js';
import { transaction } from '../../db/transaction.js';
import { aged } from '../support/aged-backup.js';
import { backUp, restore, type Backup } from '../support/backup.js';
import { db } from '../support/stack.js';
import { temporal } from '../support/temporal.js';
import { killAll } from './faults.js';
import type { Options } from './options.js';

/**
 * From now on a crash of Postgres loses everything committed in the last seconds: up to three times this
 * delay.
 */
const FLUSH_MS = 1_500;
const RECOVERS_WITHIN_MS = 120_000;
const POLL_MS = 500;
/** Running processes hold locks, and another attempt meets other locks. */
const LOCK_TIMEOUT_MS = 500;

/** Makes each crash of Postgres lose the latest commits. */
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

/**
 * Repeats work that a crash of Postgres interrupts, which must be repeatable. Throws the latest error if it
 * persists.
 */
async function untilItIsUp<Result>(work: () => Promise<Result>): Promise<Result> {
  const until = Date.now() + RECOVERS_WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(POLL_MS);
    }
  }
}

/** Takes a backup of the database. */
export const takeBackup = (): Promise<Taken> =>
  untilItIsUp(async () => ({ at: new Date(), rows: await backUp(db) }));

/**
 * Restores a backup as docs/guides/restore.md#restore-a-backup says: Temporal has no runs, and payments are
 * paused until what happened since is known. Returns when they were paused.
 */
export async function restoreBackup({ rows, at }: Taken): Promise<Date> {
  killAll('api');
  killAll('worker');
  const pausedAt = await untilItIsUp(async () => {
    await restore(db, rows);
    await transaction(db, (tx) => recoverSince(tx, at));
    return new Date();
  });
  await emptyTemporal();
  return pausedAt;
}

/**
 * Silently replaces the database by an older state, like a failover or the restore of a backup. The missing
 * part of the gap is added to the age of the backup. Returns when that happened.
 */
export async function loseUnannounced(
  { rows, at }: Taken,
  { gap, workers, temporal }: Pick<Options, 'gap' | 'workers' | 'temporal'>,
): Promise<Date> {
  const missing = gap - (Date.now() - at.getTime()) / 1_000;
  const older = missing > 1 ? await untilItIsUp(() => aged(rows, Math.round(missing))) : rows;
  if (workers === 'restarted') {
    killAll('api');
    killAll('worker');
  }
  if (temporal === 'emptied') await emptyTemporal();
  return untilItIsUp(async () => {
    await restore(db, older, LOCK_TIMEOUT_MS);
    return new Date();
  });
}

async function emptyTemporal(): Promise<void> {
  for await (const { workflowId, runId } of temporal.workflow.list({ query: `ExecutionStatus = 'Running'` }))
    await temporal.workflow
      .getHandle(workflowId, runId)
      .terminate('restored')
      .catch(() => undefined);
}

/**
 * Makes everything overdue of which a run was notified, as after minutes or an hour: the run may be lost, or
 * may not have what was lost here.
 */
export async function makeOverdue(): Promise<void> {
  const notified = `notify_at = now() WHERE notify_at BETWEEN now() AND now() + interval '10 minutes'`;
  await db.query(`UPDATE accounting_due SET notified_at = notified_at - interval '1 hour'`);
  await db.query(`UPDATE removed_cards SET ${notified}`);
  await db.query(`UPDATE collections SET ${notified}`);
}
