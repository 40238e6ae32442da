import { In } from 'typeorm';
import {
  COLLECTION_TRANSITIONS,
  kindOfRefusal,
  nextCollectionStep,
  type CollectionStatus,
} from '../../domain/collection.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import { describeInvoice } from '../../domain/invoice-document.js';
import { outstandingOf } from '../../domain/presenters/invoice.js';
import { canMove, CHECKOUT_TRANSITIONS } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { CLOCK } from '../../db/database-time.js';
import { Collection, type Card } from '../../db/entities/collections.js';
import { Invoice } from '../../db/entities/invoices.js';
import { Checkout } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { findCheckout, findInvoiceCheckout } from '../../db/queries/billing/checkout.js';
import {
  findChargeableCard,
  findCollection,
  findRefusedCharges,
  type CollectionToNotify,
} from '../../db/queries/billing/collection.js';
import { findInvoiceById, type InvoiceRow } from '../../db/queries/billing/invoice.js';
import { nextOrdinal, setCheckoutState } from './checkouts.js';
import { lockInvoiceRow, recordInvoiceEvent } from './invoices.js';
import { insertFailedPayment, recordPaymentEvent } from './payments.js';
import { notifyOfEndedCharge } from './removed-cards.js';

/** What the run of a collection does next. Times in ISO 8601. */
export type CollectionAction =
  | { do: 'end' }
  /** A hosted page of the invoice is open: it is closed before the card is charged. */
  | { do: 'close'; checkoutId: string }
  | { do: 'charge'; checkoutId: string }
  /** `attempts`: how often a card was charged. */
  | { do: 'wait'; until: string | null; status: CollectionStatus; attempts: number };

/** A run that has not acted so long after its time is notified again: it may be lost. */
const NOTIFY_AGAIN_SECONDS = 300;
/** How long to wait for a charge or payment in progress. */
const PENDING_MS = HOUR_MS;

/** A charge is in progress for so long before it is looked at again. */
const CHARGE_MS = DAY_MS;

/** Records that the run of a collection was notified. */
export async function markCollectionNotified(tx: Tx, { invoice_id }: CollectionToNotify): Promise<void> {
  await execute(
    tx,
    `UPDATE collections SET notify_at = now() + make_interval(secs => ${NOTIFY_AGAIN_SECONDS})
     WHERE invoice_id = $1 AND notify_at <= now()`,
    [invoice_id],
  );
}

/**
 * Waits for changes of the payers of invoices that are not committed yet, and keeps others waiting: without it, what they
 * notify of (a saved card, autopay) would be overwritten by a step that was decided without it.
 */
export async function holdPayers(tx: Tx, invoiceIds: string[]): Promise<void> {
  const held = (payers: 'companies' | 'members', column: 'company_id' | 'member_id'): string =>
    `SELECT id FROM ${payers} WHERE id IN (SELECT ${column} FROM invoices WHERE id = ANY ($1)) ORDER BY id FOR SHARE`;
  await execute(
    tx,
    `WITH company AS (${held('companies', 'company_id')}), member AS (${held('members', 'member_id')})
     SELECT (SELECT count(*) FROM company), (SELECT count(*) FROM member)`,
    [invoiceIds],
  );
}

/**
 * Takes the next steps of a collection that need no outside system (docs/rules/billing.md#collection): reminders, and the
 * event of an overdue invoice. Returns the step that needs one, or how long to wait. A charge is stored before it is requested
 * from the processor, under the invoice's lock and as its only way to pay.
 */
export async function advanceCollection(tx: Tx, invoiceId: string, now: Date): Promise<CollectionAction> {
  await holdPayers(tx, [invoiceId]);
  await lockInvoiceRow(tx, invoiceId);
  const collection = await findCollection(tx, invoiceId);
  if (!collection) return { do: 'end' };
  const invoice = (await findInvoiceById(tx, invoiceId))!;
  const checkout = await findInvoiceCheckout(tx, invoiceId);
  if (checkout?.payment_method_id) return { do: 'charge', checkoutId: checkout.id };
  const amount_minor = outstandingOf(invoice);
  const card = amount_minor > 0 ? await findChargeableCard(tx, invoice, amount_minor) : null;
  const facts = {
    is_due: amount_minor > 0,
    due_at: invoice.due_at,
    started_at: collection.started_at,
    card: card?.payment_method_id ?? null,
    refused: await findRefusedCharges(tx, invoiceId),
    reminded_until: collection.reminded_until,
    mailed_at: collection.mailed_at,
    is_overdue: invoice.overdue_at !== null,
  };
  for (;;) {
    const step = nextCollectionStep(facts, now);
    switch (step.do) {
      case 'end':
        // Nobody is to pay for what is no longer owed.
        if (checkout && checkout.state !== 'processing') return { do: 'close', checkoutId: checkout.id };
        await store(tx, invoiceId, {
          status: COLLECTION_TRANSITIONS.end.to,
          next_at: null,
          notify_at: null,
        });
        return { do: 'end' };
      case 'charge':
        if (!checkout)
          return { do: 'charge', checkoutId: await storeCharge(tx, invoice, card!, amount_minor) };
        if (checkout.state !== 'processing') return { do: 'close', checkoutId: checkout.id };
        // The payer is paying: what they pay is looked at first.
        return wait(tx, invoiceId, new Date(now.getTime() + PENDING_MS), 'scheduled');
      case 'remind': {
        const { workspace_id } = invoice;
        const about = `${invoiceId}:${step.at.toISOString()}`;
        await enqueueMail(tx, { workspace_id, kind: 'invoice_reminder', invoice_id: invoiceId, about });
        facts.reminded_until = step.at;
        facts.mailed_at = now;
        await store(tx, invoiceId, { reminded_until: step.at, mailed_at: now });
        break;
      }
      case 'mark_overdue':
        await tx.update(Invoice, { id: invoiceId }, { overdue_at: now });
        facts.is_overdue = true;
        await store(tx, invoiceId, { status: COLLECTION_TRANSITIONS.mark_overdue.to });
        await recordInvoiceEvent(tx, 'invoice.overdue', invoiceId);
        break;
      case 'wait':
        return wait(tx, invoiceId, step.until, step.status);
    }
  }
}

async function store(tx: Tx, invoiceId: string, changes: Partial<Collection>): Promise<void> {
  await tx.update(Collection, { invoice_id: invoiceId }, changes);
}

async function wait(
  tx: Tx,
  invoiceId: string,
  until: Date | null,
  status: CollectionStatus,
): Promise<CollectionAction> {
  const notify_at = until && new Date(until.getTime() + NOTIFY_AGAIN_SECONDS * 1000);
  await store(tx, invoiceId, { status, next_at: until, notify_at });
  const { attempts } = (await findCollection(tx, invoiceId))!;
  return { do: 'wait', until: until && until.toISOString(), status, attempts };
}

/** Stores a charge to a card on file. Returns its id. */
async function storeCharge(tx: Tx, invoice: InvoiceRow, card: Card, amount_minor: number): Promise<string> {
  const { id } = await insertReturning(tx, Checkout, {
    id: newId('chk'),
    workspace_id: invoice.workspace_id,
    invoice_id: invoice.id,
    account_id: card.account_id,
    currency: invoice.currency,
    amount_minor,
    description: describeInvoice(invoice),
    ordinal: await nextOrdinal(tx, invoice.id, 'charge'),
    session_expires_at: new Date(Date.now() + CHARGE_MS),
    customer_id: card.customer_id,
    payment_method_id: card.payment_method_id,
  });
  await execute(
    tx,
    `UPDATE collections SET status = '${COLLECTION_TRANSITIONS.charge.to}', attempts = attempts + 1, next_at = now(),
            notify_at = now() + make_interval(secs => ${NOTIFY_AGAIN_SECONDS})
     WHERE invoice_id = $1`,
    [invoice.id],
  );
  return id;
}

/** Records that the processor has not decided about a charge yet. Returns when it is looked at again: at once if it is lost. */
export async function recordPendingCharge(tx: Tx, checkoutId: string, now: Date): Promise<Date> {
  const { invoice_id } = (await findCheckout(tx, checkoutId)) ?? {};
  if (!invoice_id) return now;
  await lockInvoiceRow(tx, invoice_id);
  const { from, to } = CHECKOUT_TRANSITIONS.await_decision;
  await tx.update(Checkout, { id: checkoutId, state: In(from) }, { state: to, updated_at: CLOCK });
  const until = new Date(now.getTime() + PENDING_MS);
  await wait(tx, invoice_id, until, 'charging');
  return until;
}

/** Records that a charge was refused: a failed payment and its events. Does nothing if the charge has ended already, or is lost. */
export async function recordRefusedCharge(
  tx: Tx,
  checkoutId: string,
  refusal: { code: string; payment_intent_id: string | null },
): Promise<void> {
  const { invoice_id } = (await findCheckout(tx, checkoutId)) ?? {};
  if (!invoice_id) return;
  await lockInvoiceRow(tx, invoice_id);
  const checkout = (await findCheckout(tx, checkoutId))!;
  if (!canMove(CHECKOUT_TRANSITIONS.refuse, checkout.state)) return;
  const { to: state } = CHECKOUT_TRANSITIONS.refuse;
  const ended = { state, refusal_code: refusal.code, updated_at: CLOCK };
  await tx.update(Checkout, { id: checkoutId }, ended);
  await notifyOfEndedCharge(tx, checkout);
  const payment = await insertFailedPayment(tx, checkout, refusal);
  await recordPaymentEvent(tx, 'payment.failed', payment);
  if (kindOfRefusal(refusal.code) === 'authenticate')
    await recordPaymentEvent(tx, 'payment.action_required', payment);
}

/** Ends a charge that was never made, since nothing is due any more: no payment has failed. */
export async function endUnmadeCharge(tx: Tx, checkoutId: string, refusal_code: string): Promise<void> {
  await setCheckoutState(tx, checkoutId, 'closed');
  await tx.update(Checkout, { id: checkoutId, state: 'closed' }, { refusal_code });
}
