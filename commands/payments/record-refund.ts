import { REFUND_TRANSITIONS } from '../../domain/states.js';
import { affected, execute, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { refundInvoice, unrefundInvoice } from '../invoices/lifecycle.js';
import { lockPayment, recordPaymentEvent } from './payments.js';
import { findRefund, findRefundsById } from '../../db/queries/payments/refund.js';
import { lockInvoiceRow } from '../invoices/invoices.js';
import { followLedger } from '../invoices/issue-documents.js';

/** The processor's status of a refund. The id is null if the processor refused to create it. */
export interface RefundUpdate {
  refund_id: string | null;
  status: 'pending' | 'succeeded' | 'failed';
  /** It failed because the account's balance is too low. */
  lacks_balance?: boolean;
  /** It is pending because the account's balance is too low. */
  awaits_balance?: boolean;
  /** When a refund of which the service has not known was made, in UTC milliseconds. */
  made_at?: number;
}

/** How long a refund that lacks balance is retried (docs/rules/billing.md#refunds). */
export const RETRY_UNFUNDED_DAYS = 30;

/**
 * Records the processor's status of a refund. A failed refund makes its amount refundable again. Even one
 * that had succeeded can fail, if the bank returns it. The money of a refund that was made before it was
 * known here is dated when it was made. The processor rounds that time down to a second, so a refund that the
 * service made is dated by it only if it is more than a second older. Returns false if nothing changed or the
 * refund is still pending.
 */
export async function recordRefund(tx: Tx, refundId: string, reported: RefundUpdate): Promise<boolean> {
  const refund = await findRefund(tx, refundId);
  if (!refund) return false;
  // Refunds of one invoice finish one at a time, so that the last one sees that it is the last.
  if (refund.invoice_id) await lockInvoiceRow(tx, refund.invoice_id);
  const payment = (await lockPayment(tx, refund.refund_of!))!;
  const { from, to } = REFUND_TRANSITIONS[reported.status];
  const changed = await affected(
    tx,
    `UPDATE payments SET processor_refund_id = coalesce(processor_refund_id, $2), status = $3,
      updated_at = now(),
            settled_at = CASE WHEN $3 = 'pending' THEN NULL
              WHEN $3 = 'succeeded' AND $5::timestamptz < CASE origin WHEN 'processor' THEN created_at
                ELSE created_at - interval '1 second' END THEN $5 ELSE now() END,
            unfunded_since = CASE WHEN $3 <> 'pending' THEN unfunded_since
              WHEN $6 THEN coalesce(unfunded_since, now()) END,
            succeeded_at = CASE status WHEN 'succeeded' THEN settled_at END
     WHERE id = $1 AND status = ANY ($4)`,
    [
      refundId,
      reported.refund_id,
      to,
      from,
      reported.made_at ? new Date(reported.made_at) : null,
      reported.awaits_balance === true,
    ],
  );
  if (changed === 0 || reported.status === 'pending') return false;
  const released = reported.status === 'failed' ? refund.amount_minor : 0;
  await execute(
    tx,
    `UPDATE payments p SET updated_at = now(), refunded_minor = refunded_minor - $2,
            status = payment_status(p)
     WHERE p.id = $1`,
    [payment.id, released],
  );
  const type = reported.status === 'failed' ? 'payment.refund_failed' : 'payment.refunded';
  await recordPaymentEvent(tx, type, payment);
  if (payment.invoice_id) {
    await updateRefundedInvoice(tx, payment.invoice_id);
    await followLedger(tx, payment.invoice_id);
  }
  return true;
}

/**
 * Records that the account's balance was too low for a pending refund. It stays pending, with its amount
 * reserved, and is created at the processor again later. Returns false after 30 days of attempts, and for a
 * refund that the service did not make: it has then failed.
 */
export async function deferRefund(tx: Tx, refundId: string): Promise<boolean> {
  const deferred = await affected(
    tx,
    `UPDATE payments SET unfunded_since = coalesce(unfunded_since, now()),
      unfunded_attempts = unfunded_attempts + 1,
            processor_refund_id = NULL, updated_at = now()
     WHERE id = $1 AND status = 'pending' AND origin IS DISTINCT FROM 'processor'
       AND coalesce(unfunded_since, now()) > now() - make_interval(days => $2)`,
    [refundId, RETRY_UNFUNDED_DAYS],
  );
  return deferred > 0;
}

/**
 * Settles the refunds of manual payments, whose money is returned by hand. Returns the others, which the
 * processor has to execute.
 */
export async function settleManualRefunds(tx: Tx, refundIds: string[]): Promise<string[]> {
  const remaining: string[] = [];
  for (const refund of await findRefundsById(tx, refundIds)) {
    if (refund.account_id) remaining.push(refund.id);
    else await recordRefund(tx, refund.id, { refund_id: null, status: 'succeeded' });
  }
  return remaining;
}

/** Marks an invoice as refunded if all its payments are; otherwise as paid, if it was refunded before. */
export async function updateRefundedInvoice(tx: Tx, invoiceId: string): Promise<void> {
  const { refunded } = await one<{ refunded: boolean | null }>(
    tx,
    `SELECT bool_and(status_by_refunds(p) = 'refunded') AND bool_or(excess_minor < amount_minor) AS refunded
     FROM payments p WHERE invoice_id = $1 AND kind <> 'refund' AND status <> 'failed'`,
    [invoiceId],
  );
  await (refunded ? refundInvoice : unrefundInvoice)(tx, invoiceId);
}
