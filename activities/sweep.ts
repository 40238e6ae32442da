import { log } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { recordJobFailure } from '../commands/workspaces/job-failures.js';
import { isOutage } from '../db/outage.js';
import type { SweptJob } from '../domain/workspaces/swept-jobs.js';

/** Records which item has failed, and why. */
type Record<T> = (item: T, error: unknown) => Promise<void>;

/**
 * Runs `work` for each item, one after the other. An item that fails is logged and skipped, so that it does
 * not stop the others. Throws if the database is unavailable. Returns the items that failed.
 */
export async function sweep<T extends string>(
  items: T[],
  what: string,
  work: (item: T) => Promise<void>,
  record?: Record<T>,
): Promise<T[]> {
  const failed: T[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isOutage(error)) throw error;
      // The message of a failed statement contains no values; those are in its parameters and details.
      log.warn(`${what} failed and is left for the next run`, { id: item, reason: String(error) });
      failed.push(item);
      await record?.(item, error);
    }
  }
  return failed;
}

/**
 * Runs `work` for sets of items, for example for many rows that one transaction writes. A set that fails is
 * split in half until only one item is left, which is skipped like in `sweep`.
 */
export async function sweepInBatches<T extends string>(
  items: T[],
  what: string,
  work: (items: T[]) => Promise<void>,
  record?: Record<T>,
): Promise<T[]> {
  if (items.length <= 1) return sweep(items, what, (item) => work([item]), record);
  try {
    await work(items);
    return [];
  } catch (error) {
    if (isOutage(error)) throw error;
    const middle = Math.ceil(items.length / 2);
    const first = await sweepInBatches(items.slice(0, middle), what, work, record);
    return [...first, ...(await sweepInBatches(items.slice(middle), what, work, record))];
  }
}

/** Logs and records that a job fails for a workspace (docs/guides/runbook.md#a-job-fails-for-a-workspace). */
export async function recordFailure(
  db: DataSource,
  failure: { workspace_id: string; job: SweptJob; error: unknown },
): Promise<void> {
  const { workspace_id: workspace, job, error } = failure;
  log.warn('a job fails for a workspace', { workspace, job, reason: String(error) });
  await recordJobFailure(db.manager, failure);
}

/**
 * Returns the first due rows of a list, at most `limit`, and the last row that was checked to find them; null
 * for an empty list.
 */
export function takeDue<T>(
  rows: T[],
  limit: number,
  isDue: (row: T) => boolean,
): { due: T[]; last: T | null } {
  const due: T[] = [];
  for (const row of rows) {
    if (isDue(row)) due.push(row);
    if (due.length === limit) return { due, last: row };
  }
  return { due, last: rows.at(-1) ?? null };
}
