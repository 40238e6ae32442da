import { heartbeat } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { continueNumbersAbove } from '../commands/billing/invoice-numbers.js';
import type { AccountRead } from '../db/entities/payments.js';
import { findConnection } from '../db/queries/accounting/connection.js';
import { transaction } from '../db/transaction.js';
import { DAY_MS } from '../domain/durations.js';
import { invoiceNumberOfCharge } from '../domain/invoice-document.js';
import { isDisconnected } from './failures.js';
import type { Accounting } from './gateways/accounting.js';
import type { Processor } from './gateways/processor.js';
import type { EventPage } from './gateways/processor-reads.js';

/** An invoice's day is one of the workspace's time zone. */
const dayBefore = (at: Date): string => new Date(at.getTime() - DAY_MS).toISOString().slice(0, 10);

/**
 * Continues the invoice numbers of a workspace above those that the accounting system has of the time since, and the database
 * may have lost (docs/rules/billing.md#numbers-and-references). Does nothing if it is not connected.
 */
export async function continueAboveBooks(
  { db, accounting }: { db: DataSource; accounting: Accounting },
  workspaceId: string,
  since: Date,
): Promise<void> {
  if ((await findConnection(db.manager, workspaceId))?.status !== 'active') return;
  try {
    const seen = await accounting.highestNumber(workspaceId, dayBefore(since));
    await transaction(db, (tx) => continueNumbersAbove(tx, workspaceId, seen, 'accounting'));
  } catch (error) {
    if (!isDisconnected(error)) throw error;
  }
}

/** The same, above those that the processor has too, also if the accounting system does not respond. */
export function createNumberCheck(deps: { db: DataSource; processor: Processor; accounting: Accounting }) {
  const { db, processor } = deps;

  /** The highest number of an invoice that was paid at the processor by itself; 0 if there is none. */
  async function highestPaid(accountId: string, from: Date): Promise<number> {
    let highest = 0;
    for (let after: string | null = null; ;) {
      heartbeat();
      const page: EventPage = await processor.listMovements(accountId, { from, to: null, after });
      for (const { type, data } of page.events) {
        if (type !== 'charge.succeeded') continue;
        highest = Math.max(highest, invoiceNumberOfCharge(data.object) ?? 0);
      }
      if (page.last === null) return highest;
      after = page.last;
    }
  }

  return async ({ account_id, workspace_id }: AccountRead, since: Date): Promise<void> => {
    const seen = await highestPaid(account_id, since);
    await transaction(db, (tx) => continueNumbersAbove(tx, workspace_id, seen, 'processor'));
    // Last, since money need not wait for the books.
    await continueAboveBooks(deps, workspace_id, since);
  };
}
