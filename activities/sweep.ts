import { log } from '@temporalio/activity';
import { isOutage } from '../db/outage.js';

/**
 * Runs `work` for each item, one after the other. An item that fails is logged and left, and the next one follows: one
 * that keeps failing must not stop the others. Throws if the database is unavailable. Returns the items that failed.
 */
export async function sweep<T extends string>(
  items: T[],
  what: string,
  work: (item: T) => Promise<void>,
): Promise<T[]> {
  const failed: T[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isOutage(error)) throw error;
      // The message of a failed statement names no values; those are in its parameters and details.
      log.warn(`${what} failed and is left for the next run`, { id: item, reason: String(error) });
      failed.push(item);
    }
  }
  return failed;
}
