import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { claimNewUpdates, endClaim, leaveUpdateToRun } from '../../commands/accounting/pending-updates.js';
import type { PendingUpdate } from '../../db/queries/accounting/pending-update.js';
import { waitAfter } from '../failures.js';
import type { Accounting } from '../gateways/accounting.js';
import { createInvoiceWrites } from './invoice-writes.js';

/** How many invoices of one workspace are written concurrently. */
const CONCURRENCY = 4;
/** No further invoice is claimed after this long, and no further write of one begins after a second. */
const CLAIMING_MS = 5_000;
const FURTHER_STEPS_MS = 1_000;

export interface AccountingDependencies {
  db: DataSource;
  accounting: Accounting;
}

/**
 * Sends a workspace's new accounting updates without a run: claims them, a few at a time, and makes the first attempt. What
 * fails or takes long is left to the invoice's run, which retries it and shows what keeps failing. The process can be killed at
 * any point: the run begins when the claim is over (docs/rules/accounting.md#sync).
 */
export async function writeNewUpdates(
  { db, accounting }: AccountingDependencies,
  workspaceId: string,
  { signal, warn }: { signal: AbortSignal; warn: (details: object) => void },
): Promise<void> {
  const writes = createInvoiceWrites({ db, accounting });
  const until = Date.now() + CLAIMING_MS;
  for (let isLast = false; !isLast && !signal.aborted && Date.now() < until;) {
    const claimed = await claimNewUpdates(db.manager, workspaceId, CONCURRENCY);
    isLast = claimed.length < CONCURRENCY;
    await Promise.all(claimed.map(attempt));
  }

  async function attempt(update: PendingUpdate): Promise<void> {
    const { invoice_id } = update;
    try {
      const writer = { key: randomUUID(), attempt: 1 };
      const writing = writes.executeAll(invoice_id, writer, Date.now() + FURTHER_STEPS_MS);
      const { next, isComplete, failure } = await writing;
      if (failure) warn({ invoice: invoice_id, err: failure });
      if (next) await leaveUpdateToRun(db.manager, invoice_id, waitAfter(failure));
      else if (!isComplete) await endClaim(db.manager, update);
    } catch (error) {
      warn({ invoice: invoice_id, err: error });
      await leaveUpdateToRun(db.manager, invoice_id, 0);
    }
  }
}
