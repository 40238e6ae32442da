import type { Checkout, CheckoutState } from '../../rows.js';
import { repository } from '../../tables.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';

/** The checkout of an owner (a booking, or an invoice's checkout itself), or null where there was nothing to pay. */
export async function findCheckout(tx: Tx, ownerId: string): Promise<Checkout | null> {
  const rows: Checkout[] = await tx.query(`SELECT * FROM checkouts WHERE owner_id = $1`, [ownerId]);
  return rows[0] ?? null;
}

/** The checkout by which an invoice can be paid now. */
export async function findInvoiceCheckout(tx: Tx, invoiceId: string): Promise<Checkout | null> {
  const rows: Checkout[] = await tx.query(
    `SELECT * FROM checkouts WHERE invoice_id = $1 AND state IN ('opening', 'open', 'processing')`,
    [invoiceId],
  );
  return rows[0] ?? null;
}

/** Stores a checkout for an invoice, to be opened. Returns its id; null if the invoice has one already. */
export async function insertInvoiceCheckout(
  tx: Tx,
  checkout: Pick<
    Checkout,
    'workspace_id' | 'account_id' | 'currency' | 'amount_minor' | 'description' | 'session_expires_at'
  > & { invoice_id: string },
): Promise<string | null> {
  const rows: { id: string }[] = await tx.query(
    `INSERT INTO checkouts (id, workspace_id, invoice_id, account_id, currency, amount_minor, description,
                            session_expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (invoice_id) WHERE state IN ('opening', 'open', 'processing') DO NOTHING RETURNING id`,
    [
      newId('chk'),
      checkout.workspace_id,
      checkout.invoice_id,
      checkout.account_id,
      checkout.currency,
      checkout.amount_minor,
      checkout.description,
      checkout.session_expires_at,
    ],
  );
  return rows[0]?.id ?? null;
}

/** Notes the session that a checkout got. */
export async function setCheckoutOpen(
  tx: Tx,
  ownerId: string,
  session: { id: string; url: string },
): Promise<void> {
  await tx.query(`UPDATE checkouts SET url = $2 WHERE owner_id = $1`, [ownerId, session.url]);
  await setCheckoutState(tx, ownerId, 'open', session.id);
}

/** The checkout behind a processor's session id. */
export function findCheckoutBySession(tx: Tx, sessionId: string): Promise<Checkout | null> {
  return repository(tx, 'checkouts').findOneBy({ session_id: sessionId });
}

/** Notes what became of a checkout. A final state stays. */
export async function setCheckoutState(
  tx: Tx,
  ownerId: string,
  state: CheckoutState,
  sessionId: string | null = null,
): Promise<void> {
  await tx.query(
    `UPDATE checkouts SET state = $2, session_id = coalesce(session_id, $3), updated_at = now()
     WHERE owner_id = $1 AND state NOT IN ('paid', 'closed')`,
    [ownerId, state, sessionId],
  );
}

/** The connected accounts on which an unknown payment could have been made, each with its workspace. */
export async function findAccountsWithUnresolvedCheckouts(tx: Tx): Promise<string[]> {
  const rows: { account_id: string }[] = await tx.query(
    `SELECT DISTINCT account_id FROM checkouts WHERE state NOT IN ('paid', 'closed')`,
  );
  return rows.map((row) => row.account_id);
}
