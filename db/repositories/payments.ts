import { Payment, type PaymentRefusal } from '../entities/index.js';
import { spreadRefund, type Refundable } from '../../domain/refund-policy.js';
import { INVOICE_TRANSITIONS, type ConfirmationSource } from '../../domain/states.js';
import { newId } from '../ids.js';
import type { Tx } from '../transaction.js';

/** What the processor says of money that it has taken. Amount in minor units. */
export interface ReceivedMoney {
  payment_intent_id: string;
  account_id: string;
  amount_minor: number;
  currency: string;
  method: string;
  paid_at: Date;
}

/** The payment behind an intent; refunds, which share their payment's intent, are not it. */
export async function findPaymentByIntent(tx: Tx, paymentIntentId: string): Promise<Payment | null> {
  const rows: Payment[] = await tx.query(
    `SELECT * FROM payments WHERE processor_payment_intent_id = $1 AND kind <> 'refund'`,
    [paymentIntentId],
  );
  return rows[0] ?? null;
}

/** Stores money that came in. One row per intent: the database refuses a second. Returns the payment's id. */
export async function insertCharge(
  tx: Tx,
  charge: {
    workspace_id: string;
    invoice_id: string | null;
    booking_id: string | null;
    kind: 'charge' | 'top_up';
    money: ReceivedMoney;
    source: ConfirmationSource | null;
  },
): Promise<string> {
  const id = newId('pay');
  const { money } = charge;
  await tx.query(
    `INSERT INTO payments (id, workspace_id, invoice_id, booking_id, kind, status, amount_minor, currency, method,
                           account_id, processor_payment_intent_id, source, paid_at)
     VALUES ($1, $2, $3, $4, $12, 'succeeded', $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      charge.workspace_id,
      charge.invoice_id,
      charge.booking_id,
      money.amount_minor,
      money.currency,
      money.method,
      money.account_id,
      money.payment_intent_id,
      charge.source,
      money.paid_at,
      charge.kind,
    ],
  );
  return id;
}

/**
 * Reserves an amount of a payment for a refund: from now on it counts as given back, so that parallel refunds
 * can't return more than was paid (the table's own check refuses it). Returns the refund's row id, which is also
 * its idempotency key at the processor.
 */
export async function beginRefund(
  tx: Tx,
  paymentId: string,
  amountMinor: number,
  reason: string,
): Promise<string> {
  const id = newId('pay');
  await tx.query(
    `WITH reserved AS (
       UPDATE payments SET refunded_minor = refunded_minor + $2, updated_at = now() WHERE id = $1 RETURNING *
     )
     INSERT INTO payments (id, workspace_id, invoice_id, booking_id, kind, status, amount_minor, currency, method,
                           account_id, processor_payment_intent_id, refund_of, reason)
     SELECT $3, workspace_id, invoice_id, booking_id, 'refund', 'pending', $2, currency, method, account_id,
            processor_payment_intent_id, id, $4
     FROM reserved`,
    [paymentId, amountMinor, id, reason],
  );
  return id;
}

/** What of the money that a booking was paid with can still be given back, newest payment first. */
export function findRefundable(tx: Tx, bookingId: string): Promise<Refundable[]> {
  return tx.query(
    `SELECT id, amount_minor - refunded_minor AS left_minor FROM payments
     WHERE booking_id = $1 AND kind IN ('charge', 'top_up') AND refusal IS NULL
       AND status IN ('succeeded', 'partially_refunded') AND amount_minor > refunded_minor
     ORDER BY created_at DESC, id DESC`,
    [bookingId],
  );
}

/** Begins the refunds that give `amountMinor` of a booking's money back. Returns their rows' ids. */
export async function beginRefunds(
  tx: Tx,
  payments: Refundable[],
  amountMinor: number,
  reason: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (const share of spreadRefund(payments, amountMinor))
    ids.push(await beginRefund(tx, share.payment_id, share.amount_minor, reason));
  return ids;
}

/** Remembers on a payment why its money went back, so that every later call gets the same answer. */
export async function setRefusal(tx: Tx, paymentId: string, refusal: PaymentRefusal): Promise<void> {
  await tx.query(`UPDATE payments SET refusal = $2 WHERE id = $1`, [paymentId, refusal]);
}

/** True for money that was refused when it came. */
export async function isLateMoney(tx: Tx, paymentId: string): Promise<boolean> {
  const [row] = await tx.query(`SELECT refusal IS NOT NULL AS late FROM payments WHERE id = $1`, [paymentId]);
  return row.late;
}

/** Our refund behind the processor's own refund id. */
export function findRefundByProcessorId(tx: Tx, processorRefundId: string): Promise<Payment | null> {
  return tx.getRepository(Payment).findOneBy({ processor_refund_id: processorRefundId });
}

/** Refunds by their rows' ids, in that order. */
export async function findRefundsById(tx: Tx, refundIds: string[]): Promise<Payment[]> {
  if (refundIds.length === 0) return [];
  return tx.query(
    `SELECT * FROM payments WHERE id = ANY ($1) AND kind = 'refund' ORDER BY array_position($1, id)`,
    [refundIds],
  );
}

/** A refund by its row's id. */
export async function findRefund(tx: Tx, refundId: string): Promise<Payment | null> {
  return tx.getRepository(Payment).findOneBy({ id: refundId, kind: 'refund' });
}

/**
 * Notes the processor's word on a refund. `succeeded` and `failed` end it; a failed one makes its amount
 * refundable again. Returns false if it had ended before.
 */
export async function recordRefund(
  tx: Tx,
  refundId: string,
  processor: { refund_id: string; status: 'pending' | 'succeeded' | 'failed' },
): Promise<boolean> {
  // Refunds of one invoice end one after the other: the last one has to see that it is the last.
  await tx.query(
    `SELECT FROM invoices WHERE id = (SELECT invoice_id FROM payments WHERE id = $1) FOR NO KEY UPDATE`,
    [refundId],
  );
  const [rows]: [{ refund_of: string; amount_minor: number }[], number] = await tx.query(
    `UPDATE payments SET processor_refund_id = $2, status = $3, updated_at = now(),
            settled_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END
     WHERE id = $1 AND kind = 'refund' AND status = 'pending'
     RETURNING refund_of, amount_minor`,
    [refundId, processor.refund_id, processor.status],
  );
  const refund = rows[0];
  if (!refund) return false;
  if (processor.status === 'failed') {
    await tx.query(
      `UPDATE payments SET refunded_minor = refunded_minor - $2, updated_at = now() WHERE id = $1`,
      [refund.refund_of, refund.amount_minor],
    );
  }
  if (processor.status === 'succeeded') {
    await tx.query(
      `UPDATE payments p SET updated_at = now(), status =
         CASE WHEN p.amount_minor = (SELECT sum(amount_minor) FROM payments
                                     WHERE refund_of = p.id AND status = 'succeeded')
              THEN 'refunded' ELSE 'partially_refunded' END
       WHERE p.id = $1`,
      [refund.refund_of],
    );
    // All of an invoice's money given back: the invoice is refunded (spec.md, "Invoice").
    await tx.query(
      `UPDATE invoices i SET status = $2 WHERE i.id = (SELECT invoice_id FROM payments WHERE id = $1)
         AND status = ANY ($3) AND NOT EXISTS (SELECT FROM payments p WHERE p.invoice_id = i.id
                                               AND p.kind <> 'refund' AND p.status <> 'refunded')`,
      [refund.refund_of, INVOICE_TRANSITIONS.refund.to, INVOICE_TRANSITIONS.refund.from],
    );
  }
  return true;
}
