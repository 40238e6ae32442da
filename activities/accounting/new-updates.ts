import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import {
  claimNewUpdates,
  endClaim,
  leaveNewUpdates,
  type ClaimedUpdate,
} from '../../commands/accounting/pending-updates.js';
import { readRateLimit } from '../failures.js';
import type { Accounting } from '../gateways/accounting.js';
import { createInvoiceWrites } from './invoice-writes.js';

/**
 * How many invoices of a workspace one worker writes concurrently. The accounting system accepts five
 * concurrent calls in total.
 */
const CONCURRENCY = 2;
/** No further invoice is claimed after this time. */
const CLAIMING_MS = 5_000;
/**
 * No further write of an invoice begins after this time. Anything that takes longer than a claim is left to a
 * run.
 */
const FURTHER_STEPS_MS = 10_000;

export interface AccountingDependencies {
  db: DataSource;
  accounting: Accounting;
  /** Traces what it runs. Null without traces. */
  traced: (<T>(invoiceId: string, work: () => Promise<T>) => Promise<T>) | null;
}

/**
 * Sends a workspace's new accounting updates without a run: claims them, a few at a time, and makes the first
 * attempt. If one fails, its invoice's run retries it and shows persistent failures. The workspace's other
 * new updates are then also left to runs, since each of them would wait for a system that does not respond.
 * Throws if calls are limited now: the rest stays new. The process can be killed at any point: the run begins
 * when the claim ends (docs/rules/accounting.md#sync).
 */
export async function writeNewUpdates(
  { db, accounting, traced }: AccountingDependencies,
  workspaceId: string,
  { signal, failed }: { signal: AbortSignal; failed: (invoiceId: string, error: unknown) => void },
): Promise<void> {
  const writes = createInvoiceWrites({ db, accounting }, 'worker');
  const until = Date.now() + CLAIMING_MS;
  while (!signal.aborted && Date.now() < until) {
    const claimed = await claimNewUpdates(db.manager, workspaceId, CONCURRENCY);
    const failures = (await Promise.all(claimed.map(write))).filter((failure) => failure !== undefined);
    const limited = failures.find(readRateLimit);
    if (limited) throw limited;
    if (failures.length > 0) await leaveNewUpdates(db.manager, workspaceId);
    if (claimed.length < CONCURRENCY) return;
  }

  /** Makes the first attempt for an invoice. Returns the error if it failed. */
  async function write(update: ClaimedUpdate): Promise<unknown> {
    const { invoice_id } = update;
    try {
      const writer = { key: randomUUID(), attempt: 1 };
      const writeAll = () => writes.executeAll(invoice_id, writer, Date.now() + FURTHER_STEPS_MS);
      const { next, hasCompleted, failure } = await (traced ? traced(invoice_id, writeAll) : writeAll());
      if (failure) failed(invoice_id, failure);
      if (readRateLimit(failure)) await endClaim(db.manager, update, 'release');
      else if (!hasCompleted) await endClaim(db.manager, update, next ? 'leave' : 'postpone');
      return failure;
    } catch (error) {
      // The database does not respond. The claim ends by itself.
      failed(invoice_id, error);
      return error;
    }
  }
}
