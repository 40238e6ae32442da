import { COLLECTION_TRANSITIONS, dueSteps, type CollectionStatus } from '../../domain/invoices/collection.js';
import { HOUR_MS } from '../../domain/durations.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import { execute, many } from '../../db/query.js';
import { Collection, type Card } from '../../db/entities/collections.js';
import type { Checkout } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import { listInvoiceCheckouts } from '../../db/queries/payments/checkout.js';
import { ChargedCards, listRefusedCharges } from '../../db/queries/invoices/collection.js';
import { listInvoicesById, type InvoiceRow } from '../../db/queries/invoices/invoice.js';
import { enqueueInvoiceMails } from '../mail/mails.js';
import { recordInvoiceEvents } from './invoices.js';

/** How long to wait for a charge or payment that is in progress. */
export const PENDING_MS = HOUR_MS;

/** The next step of a collection, after all steps that only store something. */
export type NextStep =
  | { do: 'end' }
  /**
   * A hosted page of the invoice is open. It is closed before the card is charged, and when nothing is owed
   * any more.
   */
  | { do: 'close'; checkoutId: string }
  /** A charge that is already stored. */
  | { do: 'charge'; checkoutId: string }
  | { do: 'store_charge'; card: Card; amount_minor: number }
  | { do: 'wait'; until: Date | null; status: CollectionStatus };

/** A collection with its invoice and its next step. */
export interface SteppedCollection {
  collection: Collection;
  invoice: InvoiceRow;
  next: NextStep;
}

interface Stepped extends SteppedCollection {
  /** True if the payer is reminded. The collection has the time until which reminders are handled. */
  reminds: boolean;
  becomesOverdue: boolean;
}

/**
 * Takes the steps of due collections that need no outside system (docs/rules/billing.md#collection):
 * reminders, the event of an overdue invoice, the end. Returns the collections with their next steps. The
 * caller has locked the invoices and holds their payers.
 */
export async function takeDueSteps(tx: Tx, invoiceIds: string[], at: Date): Promise<SteppedCollection[]> {
  // A checkout that ends while the steps are decided waits to notify them. The database's clock decides what
  // is due.
  const collections = await many<Collection & { now: Date }>(
    tx,
    `SELECT *, greatest(now(), $2::timestamptz) AS now FROM collections WHERE invoice_id = ANY ($1)
     ORDER BY invoice_id FOR NO KEY UPDATE`,
    [invoiceIds, at],
  );
  const [first] = collections;
  if (!first) return [];
  const { now } = first;
  const ids = collections.map(({ invoice_id }) => invoice_id);
  const invoices = await listInvoicesById(tx, ids);
  const checkouts = await listInvoiceCheckouts(tx, ids);
  const refused = await listRefusedCharges(tx, ids);
  const cards = await ChargedCards.of(tx, invoices);
  const stepped = invoices.map((invoice): Stepped => {
    const collection = collections.find(({ invoice_id }) => invoice_id === invoice.id)!;
    const amount_minor = outstandingMinor(invoice);
    const card = amount_minor > 0 ? cards.for(invoice, amount_minor) : null;
    const facts = {
      is_due: amount_minor > 0,
      due_at: invoice.due_at,
      started_at: collection.started_at,
      card: card?.payment_method_id ?? null,
      refused: refused.filter(({ invoice_id }) => invoice_id === invoice.id),
      reminded_until: collection.reminded_until,
      mailed_at: collection.mailed_at,
      is_overdue: invoice.overdue_at !== null,
    };
    const checkout = checkouts.find(({ invoice_id }) => invoice_id === invoice.id);
    if (checkout?.payment_method_id) {
      const next = { do: 'charge', checkoutId: checkout.id } as const;
      return { collection, invoice, next, reminds: false, becomesOverdue: false };
    }
    const { reached, next } = dueSteps(facts, now);
    const { reminded_until, mailed_at } = reached;
    return {
      collection: { ...collection, reminded_until, mailed_at },
      invoice,
      next: toNextStep(next, { checkout, card, amount_minor, now }),
      reminds: reached.mailed_at !== facts.mailed_at,
      becomesOverdue: reached.is_overdue && !facts.is_overdue,
    };
  });
  await store(tx, stepped, now);
  return stepped;
}

function toNextStep(
  next: ReturnType<typeof dueSteps>['next'],
  paying: { checkout: Checkout | undefined; card: Card | null; amount_minor: number; now: Date },
): NextStep {
  const { checkout, card, amount_minor, now } = paying;
  if (next.do === 'wait') return next;
  // Nobody should pay for what is no longer owed.
  if (checkout && checkout.state !== 'processing') return { do: 'close', checkoutId: checkout.id };
  if (next.do === 'end') return next;
  // The payer is paying, so wait for that payment first.
  if (checkout) return { do: 'wait', until: new Date(now.getTime() + PENDING_MS), status: 'scheduled' };
  return { do: 'store_charge', card: card!, amount_minor };
}

/** Stores the steps that were taken, in a few statements for all of them. */
async function store(tx: Tx, stepped: Stepped[], now: Date): Promise<void> {
  const rows = stepped.flatMap(({ collection, next }): Collection[] => {
    if (next.do === 'end')
      return [{ ...collection, status: COLLECTION_TRANSITIONS.end.to, next_at: null, notify_at: null }];
    if (next.do !== 'wait') return [];
    return [{ ...collection, status: next.status, next_at: next.until, notify_at: next.until }];
  });
  if (rows.length === 0) return;
  await execute(
    tx,
    `UPDATE collections c SET status = to_be.status, next_at = to_be.next_at, notify_at = to_be.notify_at,
            reminded_until = to_be.reminded_until, mailed_at = to_be.mailed_at
     FROM jsonb_populate_recordset(NULL::collections, $1) to_be WHERE c.invoice_id = to_be.invoice_id`,
    [JSON.stringify(rows)],
  );
  const reminders = stepped
    .filter(({ reminds }) => reminds)
    .map(({ collection: { invoice_id, workspace_id, reminded_until } }) => ({
      workspace_id,
      kind: 'invoice_reminder' as const,
      invoice_id,
      about: `${invoice_id}:${reminded_until!.toISOString()}`,
    }));
  await enqueueInvoiceMails(tx, reminders);
  const overdue = stepped.filter(({ becomesOverdue }) => becomesOverdue).map(({ invoice }) => invoice.id);
  if (overdue.length === 0) return;
  await execute(tx, `UPDATE invoices SET overdue_at = $2 WHERE id = ANY ($1)`, [overdue, now]);
  await recordInvoiceEvents(tx, 'invoice.overdue', overdue);
}
