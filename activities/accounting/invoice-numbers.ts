import type { DataSource } from 'typeorm';
import {
  continueNumbersAbove,
  recordLostDocuments,
  restoreDocumentNumbers,
} from '../../commands/invoices/numbers.js';
import type { InvoiceNumberGap } from '../../db/entities/invoices.js';
import type { AccountRead } from '../../db/entities/payments.js';
import { findConnection } from '../../db/queries/accounting/connection.js';
import { transaction } from '../../db/transaction.js';
import {
  documentInBooks,
  documentInCharge,
  type SeenDocument,
} from '../../domain/invoices/document-number.js';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.js';
import { isAccountUnusable, isDisconnected } from '../failures.js';
import type { Accounting } from '../gateways/accounting.js';
import type { Processor } from '../gateways/processor.js';
import type { EventPage } from '../gateways/processor-reads.js';

/** The tolerated difference between our clock and the processor's. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS;
/** The database may contain facts that are newer than its latest beat. */
const BEAT_MS = 1_000;

/** Returns the previous UTC day, since an invoice's day is in the workspace's time zone. */
const dayBefore = (at: Date): string => new Date(at.getTime() - DAY_MS).toISOString().slice(0, 10);

/**
 * Continues a workspace's numbers above those seen, for its invoices and for the documents of each invoice,
 * and restores lost numbers of the invoices to which they belong.
 */
async function takeNotice(
  db: DataSource,
  workspaceId: string,
  seen: SeenDocument[],
  by: InvoiceNumberGap['seen_by'],
  since: Date,
): Promise<void> {
  await transaction(db, (tx) => continueNumbersAbove(tx, workspaceId, seen, by));
  const before = new Date(since.getTime() + BEAT_MS);
  await transaction(db, (tx) => restoreDocumentNumbers(tx, workspaceId, seen, before));
  await transaction(db, (tx) => recordLostDocuments(tx, workspaceId, seen));
}

/** Lists our documents in the accounting system that are dated on a day or later. */
async function listSeen(accounting: Accounting, workspaceId: string, from: string): Promise<SeenDocument[]> {
  const seen = await accounting.listNumbers(workspaceId, from);
  for (let page = 1; ; page++) {
    const { notes, last } = await accounting.listCreditNotes(workspaceId, from, page);
    seen.push(...notes.flatMap((note) => documentInBooks(note) ?? []));
    if (last) return seen;
  }
}

/**
 * Continues the numbers of a workspace's invoices and documents above those in the accounting system from the
 * time whose facts the database may have lost (docs/rules/billing.md#numbers-and-references). Does nothing if
 * it is not connected.
 */
export async function continueAboveBooks(
  { db, accounting }: { db: DataSource; accounting: Accounting },
  workspaceId: string,
  since: Date,
): Promise<void> {
  if ((await findConnection(db.manager, workspaceId))?.status !== 'active') return;
  try {
    const seen = await listSeen(accounting, workspaceId, dayBefore(since));
    await takeNotice(db, workspaceId, seen, 'accounting', since);
  } catch (error) {
    if (!isDisconnected(error)) throw error;
  }
}

/** Does the same, also above the numbers at the processor, even if the accounting system does not respond. */
export function createNumberCheck(deps: { db: DataSource; processor: Processor; accounting: Accounting }) {
  const { db, processor } = deps;

  /** Lists the invoices that were paid at the processor separately from a booking. */
  async function listPaid(accountId: string, from: Date): Promise<SeenDocument[]> {
    const seen: SeenDocument[] = [];
    for (let after: string | null = null; ;) {
      const page: EventPage = await processor.listMovements(accountId, { from, to: null, after });
      for (const { type, data } of page.events) {
        const invoice = type === 'charge.succeeded' && documentInCharge(data.object);
        if (invoice) seen.push(invoice);
      }
      if (page.last === null) return seen;
      after = page.last;
    }
  }

  return async ({ account_id, workspace_id }: AccountRead, since: Date): Promise<void> => {
    // The processor cannot be queried about a disconnected account, but the accounting system still is.
    let unusable: unknown;
    const from = new Date(since.getTime() - CLOCK_DIFFERENCE_MS);
    const paid = await listPaid(account_id, from).catch((error: unknown) => {
      if (!isAccountUnusable(error)) throw error;
      unusable = error;
      return [];
    });
    await takeNotice(db, workspace_id, paid, 'processor', since);
    await continueAboveBooks(deps, workspace_id, since);
    if (unusable) throw unusable;
  };
}
