import { spreadRefund, type Refundable } from '../../../domain/refund-policy.js';
import type { Payment } from '../../rows.js';
import { repository } from '../../tables.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';
import { enqueueAccountingUpdate } from '../accounting/documents.js';
import { refundInvoice, unrefundInvoice } from './invoice-lifecycle.js';
import { lockPayment, STATUS_BY_REFUNDS, recordPaymentEvent } from './payments.js';

export const REFUND_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export interface NewRefund {
  /** The refund's own id, where it has to be known before. */
  id?: string;
  amount_minor: number;
  reason: RefundReason;
  /** The credit that it gives back. */
  adjustment_id?: string;
  /** Whether the payer gets mail when the money is on its way; true where it isn't said. */
  notify_payer?: boolean;
}

/**
 * Reserves an amount of a payment for a refund: from now on it counts as given back, so that parallel refunds
 * can't return more than was paid (the table's own check refuses it). Returns the refund's row id, which is also
 * its idempotency key at the processor.
 */
export async function beginRefund(tx: Tx, paymentId: string, refund: NewRefund): Promise<string> {
  const id = refund.id ?? newId('pay');
  await tx.query(
    `WITH reserved AS (
       UPDATE payments SET refunded_minor = refunded_minor + $2, updated_at = now() WHERE id = $1 RETURNING *
     )
     INSERT INTO payments (id, workspace_id, invoice_id, booking_id, kind, status, amount_minor, currency, method,
                           account_id, processor_payment_intent_id, refund_of, reason, adjustment_id, notify_payer)
     SELECT $3, workspace_id, invoice_id, booking_id, 'refund', 'pending', $2, currency, method, account_id,
            processor_payment_intent_id, id, $4, $5, $6
     FROM reserved`,
    [
      paymentId,
      refund.amount_minor,
      id,
      refund.reason,
      refund.adjustment_id ?? null,
      refund.notify_payer ?? true,
    ],
  );
  return id;
}

/** What of the money that a booking or an invoice was paid with can still be given back, newest payment first. */
export function findRefundable(
  tx: Tx,
  of: { booking_id: string } | { invoice_id: string },
): Promise<Refundable[]> {
  const column = 'booking_id' in of ? 'booking_id' : 'invoice_id';
  return tx.query(
    `SELECT id, amount_minor - refunded_minor AS left_minor FROM payments
     WHERE ${column} = $1 AND kind <> 'refund' AND refusal IS NULL
       AND status IN ('succeeded', 'partially_refunded') AND amount_minor > refunded_minor
     ORDER BY created_at DESC, id DESC FOR NO KEY UPDATE`,
    [Object.values(of)[0]],
  );
}

/** Begins the refunds that give an amount back, newest payment first. Returns their rows' ids. */
export async function beginRefunds(tx: Tx, payments: Refundable[], refund: NewRefund): Promise<string[]> {
  const ids: string[] = [];
  for (const { payment_id, amount_minor } of spreadRefund(payments, refund.amount_minor))
    ids.push(await beginRefund(tx, payment_id, { ...refund, amount_minor }));
  return ids;
}

/** Refunds by their rows' ids, in that order. */
export async function findRefundsById(tx: Tx, refundIds: string[]): Promise<Payment[]> {
  if (refundIds.length === 0) return [];
  return tx.query(
    `SELECT * FROM payments WHERE id = ANY ($1) AND kind = 'refund' ORDER BY array_position($1, id)`,
    [refundIds],
  );
}

/** Our refund behind the processor's own refund id. */
export function findRefundByProcessorId(tx: Tx, processorRefundId: string): Promise<Payment | null> {
  return repository(tx, 'payments').findOneBy({ processor_refund_id: processorRefundId });
}

/** A refund by its row's id. */
export async function findRefund(tx: Tx, refundId: string): Promise<Payment | null> {
  return repository(tx, 'payments').findOneBy({ id: refundId, kind: 'refund' });
}

/** A processor's word on a refund; without an id where it refused to make one. */
export interface RefundUpdate {
  refund_id: string | null;
  status: 'pending' | 'succeeded' | 'failed';
}

/**
 * Notes the processor's word on a refund. A failed one makes its amount refundable again; a bank can send one back
 * that had succeeded. Returns false where this changes nothing.
 */
export async function recordRefund(tx: Tx, refundId: string, news: RefundUpdate): Promise<boolean> {
  const known = await findRefund(tx, refundId);
  if (!known) return false;
  // Refunds of one invoice end one after the other: the last one has to see that it is the last.
  await tx.query(`SELECT FROM invoices WHERE id = $1 FOR NO KEY UPDATE`, [known.invoice_id]);
  const payment = (await lockPayment(tx, known.refund_of!))!;
  const [, moved]: [unknown, number] = await tx.query(
    `UPDATE payments SET processor_refund_id = coalesce(processor_refund_id, $2), status = $3, updated_at = now(),
            settled_at = CASE WHEN $3 = 'pending' THEN NULL ELSE now() END
     WHERE id = $1 AND (status = 'pending' OR (status = 'succeeded' AND $3 = 'failed'))`,
    [refundId, news.refund_id, news.status],
  );
  if (moved === 0 || news.status === 'pending') return false;
  const released = news.status === 'failed' ? known.amount_minor : 0;
  await tx.query(
    `UPDATE payments p SET updated_at = now(), refunded_minor = refunded_minor - $2,
            status = CASE WHEN p.status = 'disputed' THEN p.status ELSE ${STATUS_BY_REFUNDS} END
     WHERE p.id = $1`,
    [payment.id, released],
  );
  await recordPaymentEvent(
    tx,
    news.status === 'failed' ? 'payment.refund_failed' : 'payment.refunded',
    payment,
  );
  if (payment.invoice_id) {
    await followInvoice(tx, payment.invoice_id);
    await enqueueAccountingUpdate(tx, payment.invoice_id);
  }
  return true;
}

/**
 * Ends at once what of these refunds gives back money that was taken without the processor: it is handed back by
 * hand, and recorded. Returns the others, which the processor has to make.
 */
export async function settleManualRefunds(tx: Tx, refundIds: string[]): Promise<string[]> {
  const theirs: string[] = [];
  for (const refund of await findRefundsById(tx, refundIds)) {
    if (refund.account_id) theirs.push(refund.id);
    else await recordRefund(tx, refund.id, { refund_id: null, status: 'succeeded' });
  }
  return theirs;
}

/** All of an invoice's money given back: it is refunded. Some of it came back to us: it is paid again. */
export async function followInvoice(tx: Tx, invoiceId: string): Promise<void> {
  const [{ refunded }] = await tx.query(
    `SELECT bool_and(status = 'refunded') AND bool_or(excess_minor < amount_minor) AS refunded
     FROM payments WHERE invoice_id = $1 AND kind <> 'refund' AND status <> 'failed'`,
    [invoiceId],
  );
  await (refunded ? refundInvoice : unrefundInvoice)(tx, invoiceId);
}

/**
 * Stores a refund that was made at the processor and not by us, as from its dashboard. Returns its row's id; null if
 * it is known already.
 */
export async function adoptRefund(
  tx: Tx,
  payment: Payment,
  refund: { refund_id: string; amount_minor: number },
): Promise<string | null> {
  await lockPayment(tx, payment.id);
  const known: unknown[] = await tx.query(`SELECT FROM payments WHERE processor_refund_id = $1`, [
    refund.refund_id,
  ]);
  if (known.length > 0) return null;
  const id = await beginRefund(tx, payment.id, { amount_minor: refund.amount_minor, reason: 'other' });
  await tx.query(`UPDATE payments SET processor_refund_id = $2 WHERE id = $1`, [id, refund.refund_id]);
  return id;
}
