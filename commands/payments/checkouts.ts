import { In } from 'typeorm';
import { CHECKOUT_TRANSITIONS } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { execute, one } from '../../db/query.js';
import { insertIfAbsent } from '../../db/insert.js';
import { NOW } from '../../db/database-time.js';
import { Checkout, type CheckoutState } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';

/**
 * Stores a checkout for an invoice before it is opened. Returns its id; null if the invoice has an open one.
 */
export async function insertInvoiceCheckout(
  tx: Tx,
  checkout: Pick<
    Checkout,
    'workspace_id' | 'account_id' | 'currency' | 'amount_minor' | 'description' | 'session_expires_at'
  > & { invoice_id: string },
): Promise<string | null> {
  const ordinal = await nextOrdinal(tx, checkout.invoice_id, 'checkout');
  const stored = await insertIfAbsent(tx, Checkout, { ...checkout, id: newId('chk'), ordinal });
  return stored?.id ?? null;
}

/**
 * Returns the ordinal of a locked invoice's next attempt to be paid, on the hosted page or with its payer's
 * card.
 */
export async function nextOrdinal(tx: Tx, invoiceId: string, kind: 'checkout' | 'charge'): Promise<number> {
  const { next } = await one<{ next: number }>(
    tx,
    `SELECT coalesce(max(ordinal), 0) + 1 AS next FROM checkouts
     WHERE invoice_id = $1 AND (payment_method_id IS NOT NULL) = $2`,
    [invoiceId, kind === 'charge'],
  );
  return next;
}

/** Records the session of a checkout. */
export async function setCheckoutOpen(
  tx: Tx,
  ownerId: string,
  session: { id: string; url: string },
): Promise<void> {
  await tx.update(Checkout, { owner_id: ownerId }, { url: session.url });
  await setCheckoutState(tx, ownerId, 'open', session.id);
}

/** Records that a checkout could not be opened. An open checkout stays. */
export async function abandonCheckout(tx: Tx, ownerId: string): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.abandon;
  await tx.update(Checkout, { owner_id: ownerId, state: In(from) }, { state: to, updated_at: NOW });
}

const SET_CHECKOUT_STATE = {
  name: 'set_checkout_state',
  text: `WITH checkout AS (
      UPDATE checkouts SET state = $2, session_id = coalesce(session_id, $3), updated_at = now()
      WHERE owner_id = $1 AND state IN ('opening', 'open', 'abandoned', 'processing') RETURNING *
    ), ended AS (
      SELECT * FROM checkout WHERE state NOT IN ('opening', 'open', 'abandoned', 'processing')
    ), collection AS (
      UPDATE collections c SET notify_at = now() FROM ended
      WHERE c.invoice_id = ended.invoice_id AND c.status <> 'ended'
    )
    UPDATE removed_cards card SET notify_at = now() FROM ended
    WHERE card.account_id = ended.account_id AND card.payment_method_id = ended.payment_method_id`,
};

/**
 * Records the state of a checkout. A final state stays. When it ends, everything that waits for it is
 * notified: the collection of the invoice, and the run that detaches the charged card.
 */
export async function setCheckoutState(
  tx: Tx,
  ownerId: string,
  state: CheckoutState,
  sessionId: string | null = null,
): Promise<void> {
  await execute(tx, SET_CHECKOUT_STATE, [ownerId, state, sessionId]);
}
