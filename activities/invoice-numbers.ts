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
 * Continues the invoice numbers of a workspace above those that it has given out since a time and may have lost
 * (docs/rules/billing.md#numbers-and-references).
 */
export function createNumberCheck(deps: { db: DataSource; processor: Processor; accounting: Accounting }) {
  const { db, processor, accounting } = deps;

  /** The highest number of an invoice in the accounting system; 0 if there is none, or it is not connected. */
  async function highestInBooks(workspaceId: string, since: Date): Promise<number> {
    if ((await findConnection(db.manager, workspaceId))?.status !== 'active') return 0;
    try {
      return await accounting.highestNumber(workspaceId, dayBefore(since));
    } catch (error) {
      if (isDisconnected(error)) return 0;
      throw error;
    }
  }

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
    const inBooks = await highestInBooks(workspace_id, since);
    const paid = await highestPaid(account_id, since);
    const seenBy = inBooks >= paid ? 'accounting' : 'processor';
    const seen = Math.max(inBooks, paid);
    await transaction(db, (tx) => continueNumbersAbove(tx, workspace_id, seen, seenBy));
  };
}
