import { In, IsNull } from 'typeorm';
import { kindOfRefusal, type CollectionStatus } from '../../domain/invoices/collection.js';
import { DAY_MS } from '../../domain/durations.js';
import { describeInvoice } from '../../domain/invoices/document-number.js';
import { canMove, CHECKOUT_TRANSITIONS } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { execute, many } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { CLOCK, fromNow } from '../../db/database-time.js';
import { Collection, type Card } from '../../db/entities/collections.js';
import { Checkout } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import { findCheckout } from '../../db/queries/payments/checkout.js';
import type { CollectionToNotify } from '../../db/queries/invoices/collection.js';
import type { InvoiceRow } from '../../db/queries/invoices/invoice.js';
import { nextOrdinal, setCheckoutState } from '../payments/checkouts.js';
import { PENDING_MS, takeDueSteps, type NextStep } from './collection-steps.js';
import { lockInvoiceRow } from './invoices.js';
import { insertFailedPayment, recordPaymentEvent } from '../payments/payments.js';
import { notifyOfEndedCharge } from '../payments/removed-cards.js';

/** The next step of a collection's run. */
export type CollectionAction =
  | Extract<NextStep, { do: 'end' | 'close' | 'charge' }>
  /**
   * The run ends: the relay checks everything that is due later. `attempts`: how often a card was charged.
   */
  | { do: 'wait'; status: CollectionStatus; attempts: number };

/** If a run does not act within this time after it was notified, it may be lost and is notified again. */
const NOTIFY_AGAIN_SECONDS = 300;

/** How long a charge is in progress before it is checked again. */
const CHARGE_MS = DAY_MS;

/** Records that the run of a collection was notified, unless something has changed since. */
export async function markCollectionNotified(
  tx: Tx,
  { invoice_id, notify_at }: CollectionToNotify,
): Promise<void> {
  await tx.update(
    Collection,
    { invoice_id, notify_at: notify_at! },
    { notify_at: fromNow(NOTIFY_AGAIN_SECONDS) },
  );
}

/**
 * Waits for uncommitted changes of the invoices' payers, and blocks others until the transaction ends.
 * Without it, a step that was decided without such a change (a saved card, autopay) would overwrite its
 * notification.
 */
export async function holdPayers(tx: Tx, invoiceIds: string[]): Promise<void> {
  await execute(
    tx,
    `WITH company AS (
       SELECT id FROM companies WHERE id IN (SELECT company_id FROM invoices WHERE id = ANY ($1)) ORDER BY id
         FOR SHARE
     ), member AS (
       SELECT id FROM members WHERE id IN (SELECT member_id FROM invoices WHERE id = ANY ($1)) ORDER BY id
         FOR SHARE
     )
     SELECT (SELECT count(*) FROM company), (SELECT count(*) FROM member)`,
    [invoiceIds],
  );
}

/**
 * Takes the due steps of collections, in a few statements for all of them, and returns those that need a run
 * because a charge or a hosted page must be checked. Waits for nothing: an invoice that is locked, or whose
 * payer is, is found again later.
 */
export async function advanceDueCollections(
  tx: Tx,
  due: CollectionToNotify[],
): Promise<CollectionToNotify[]> {
  const ids = due.map(({ invoice_id }) => invoice_id);
  // A charging collection has a run, which waits for the processor and decides by itself.
  const locked = await many<{ id: string; is_charging: boolean }>(
    tx,
    `WITH company AS (
       SELECT id FROM companies WHERE id IN (SELECT company_id FROM invoices WHERE id = ANY ($1))
       ORDER BY id FOR SHARE SKIP LOCKED
     ), member AS (
       SELECT id FROM members WHERE id IN (SELECT member_id FROM invoices WHERE id = ANY ($1))
       ORDER BY id FOR SHARE SKIP LOCKED
     )
     SELECT i.id, c.status = 'charging' AS is_charging
     FROM unnest($1::text[]) due JOIN invoices i ON i.id = due JOIN collections c ON c.invoice_id = due
     WHERE c.notify_at <= now()
       AND (i.company_id IS NULL OR i.company_id IN (SELECT id FROM company))
       AND (i.member_id IS NULL OR i.member_id IN (SELECT id FROM member))
     ORDER BY i.id FOR NO KEY UPDATE OF i, c SKIP LOCKED`,
    [ids],
  );
  const own = locked.filter(({ is_charging }) => !is_charging).map(({ id }) => id);
  const stepped = await takeDueSteps(tx, own, new Date());
  const done = new Set(
    stepped.filter(({ next }) => next.do === 'end' || next.do === 'wait').map(({ invoice }) => invoice.id),
  );
  const forRuns = locked.map(({ id }) => id).filter((id) => !done.has(id));
  if (forRuns.length === 0) return [];
  return many<CollectionToNotify>(
    tx,
    `UPDATE collections SET notify_at = now() + interval '10 seconds' WHERE invoice_id = ANY ($1)
     RETURNING invoice_id, workspace_id, notify_at`,
    [forRuns],
  );
}

/**
 * Takes the due steps of a collection, and returns what its run does next. A charge is stored before it is
 * requested from the processor, under the invoice's lock and as the only way to pay it.
 */
export async function advanceCollection(tx: Tx, invoiceId: string, now: Date): Promise<CollectionAction> {
  await holdPayers(tx, [invoiceId]);
  await lockInvoiceRow(tx, invoiceId);
  const [stepped] = await takeDueSteps(tx, [invoiceId], now);
  if (!stepped) return { do: 'end' };
  const { next, invoice, collection } = stepped;
  if (next.do === 'wait') return { do: 'wait', status: next.status, attempts: collection.attempts };
  if (next.do !== 'store_charge') return next;
  return { do: 'charge', checkoutId: await storeCharge(tx, invoice, next.card, next.amount_minor) };
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
    `UPDATE collections SET status = 'charging', attempts = attempts + 1, next_at = now(),
            notify_at = now() + make_interval(secs => $2)
     WHERE invoice_id = $1`,
    [invoice.id, NOTIFY_AGAIN_SECONDS],
  );
  return id;
}

/**
 * Records that the processor has not decided yet about a charge. Returns when to check it again. If the
 * charge has ended in the meantime or is lost, that is now, and nothing is recorded. Changes that have not
 * been notified yet still are.
 */
export async function recordPendingCharge(tx: Tx, checkoutId: string, now: Date): Promise<Date> {
  const { invoice_id } = (await findCheckout(tx, checkoutId)) ?? {};
  if (!invoice_id) return now;
  await lockInvoiceRow(tx, invoice_id);
  const { from, to } = CHECKOUT_TRANSITIONS.await_decision;
  await tx.update(Checkout, { id: checkoutId, state: In(from) }, { state: to, updated_at: CLOCK });
  if ((await findCheckout(tx, checkoutId))?.state !== to) return now;
  const until = new Date(now.getTime() + PENDING_MS);
  // Its run waits and may be lost. A notification sent in the meantime may have begun after this transaction.
  await execute(
    tx,
    `UPDATE collections SET status = 'charging', next_at = $2, notify_at = CASE
       WHEN notify_at <= clock_timestamp() THEN notify_at
         ELSE $2::timestamptz + make_interval(secs => $3) END
     WHERE invoice_id = $1`,
    [invoice_id, until, NOTIFY_AGAIN_SECONDS],
  );
  return until;
}

/**
 * Records that a charge was declined: a failed payment and its events. Does nothing if the charge has already
 * ended or is lost.
 */
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

/** Ends a charge that was never made, because nothing is due any more. No payment has failed. */
export async function endUnmadeCharge(tx: Tx, checkoutId: string, refusal_code: string): Promise<void> {
  await setCheckoutState(tx, checkoutId, 'closed');
  // A declined charge keeps its reason.
  await tx.update(Checkout, { id: checkoutId, state: 'closed', refusal_code: IsNull() }, { refusal_code });
}
