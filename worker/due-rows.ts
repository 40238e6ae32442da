import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { enqueueReminders, postponeReminder } from '../commands/bookings/reminders.js';
import { enqueueDigests, postponeDigest } from '../commands/mail/staff-mail.js';
import { clearJobFailures, recordJobFailure } from '../commands/workspaces/job-failures.js';
import { isOutage } from '../db/outage.js';
import { listRemindersDue } from '../db/queries/bookings/reminder.js';
import { listDigestsDue } from '../db/queries/mail/staff-mail.js';
import { transaction, type Tx } from '../db/transaction.js';
import type { SweptJob } from '../domain/workspaces/swept-jobs.js';

/** Rows for which mail is enqueued when they become due. */
interface DueRows {
  job: SweptJob;
  /** How many rows one transaction handles. */
  batch: number;
  find(tx: Tx, limit: number): Promise<{ id: string; workspace_id: string }[]>;
  /**
   * Enqueues the mail of those rows that are still due and that no other worker has locked. Returns how many
   * these are.
   */
  enqueue(tx: Tx, ids: string[]): Promise<number>;
  /** Leaves a row for later. */
  postpone(tx: Tx, id: string): Promise<void>;
}

export const REMINDERS: DueRows = {
  job: 'booking_reminders',
  batch: 200,
  find: listRemindersDue,
  enqueue: enqueueReminders,
  postpone: postponeReminder,
};

export const DIGESTS: DueRows = {
  job: 'staff_digests',
  batch: 100,
  find: listDigestsDue,
  enqueue: enqueueDigests,
  postpone: postponeDigest,
};

/**
 * Enqueues the mail of rows that are due, in one transaction. If that fails, each row gets a separate
 * transaction. A row that still fails is left for later and recorded for its workspace, so that it does not
 * stop the others. Returns true if there may be more.
 */
export async function enqueueDue(
  { db, log }: { db: DataSource; log: Pick<Logger, 'warn'> },
  { job, batch, find, enqueue, postpone }: DueRows,
): Promise<boolean> {
  const due = await find(db.manager, batch);
  const enqueueAll = (rows: typeof due): Promise<number> =>
    transaction(db, async (tx) => {
      const ids = rows.map(({ id }) => id);
      const workspaces = [...new Set(rows.map(({ workspace_id }) => workspace_id))];
      await clearJobFailures(tx, job, workspaces);
      return enqueue(tx, ids);
    });
  try {
    const enqueued = await enqueueAll(due);
    return due.length === batch && enqueued > 0;
  } catch (error) {
    if (isOutage(error)) throw error;
    const failed: { row: (typeof due)[number]; reason: unknown }[] = [];
    for (const row of due)
      await enqueueAll([row]).catch((reason: unknown) => void failed.push({ row, reason }));
    // Recorded last, since success with another row of the workspace clears its failures.
    for (const { row, reason } of failed) await leave(row, reason);
  }
  return due.length === batch;

  async function leave({ id, workspace_id }: (typeof due)[number], error: unknown): Promise<void> {
    if (isOutage(error)) throw error;
    log.warn({ workspace: workspace_id, job, id, reason: String(error) }, 'a job fails for a workspace');
    await transaction(db, async (tx) => {
      await postpone(tx, id);
      await recordJobFailure(tx, { workspace_id, job, error });
    });
  }
}
