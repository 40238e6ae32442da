import type { DataSource } from 'typeorm';
import { refuse } from '../../domain/errors.js';
import {
  assertRefundableUnit,
  noSuchPayment,
  refundableMinor,
  whyNotRefund,
} from '../../domain/payments/refund.js';
import type { Principal } from '../../domain/policies.js';
import { newId } from '../../db/ids.js';
import { maybeOne } from '../../db/query.js';
import { Payment } from '../../db/entities/payments.js';
import { transaction, type Tx } from '../../db/transaction.js';
import {
  bindKey,
  idempotencyConflict,
  rebindKey,
  hashRequest,
  type IdempotencyKey,
} from '../api-keys/idempotency.js';
import { audit } from '../audit-log/audit.js';
import { lockInvoiceRow } from '../invoices/invoices.js';
import { lockPayment, paymentIn } from './payments.js';
import { settleManualRefunds } from './record-refund.js';
import { reserveRefund, type RefundReason } from './refunds.js';

export interface RefundWish {
  /** In minor units; by default everything that is left. */
  amount_minor?: number;
  reason: RefundReason;
  notify_payer: boolean;
}

/**
 * Stores a refund of a payment like `requestRefund`, once per key, and returns its id. Errors: 404
 * `payment_not_found`; those of `requestRefund`.
 */
export const refundPayment = (
  db: DataSource,
  caller: Principal,
  id: string,
  wish: RefundWish,
  idempotency: IdempotencyKey | null,
): Promise<string> =>
  transaction(db, async (tx) => {
    const payment = await paymentIn(tx, caller.workspace_id, id);
    const refundId = await requestRefund(tx, payment, wish, caller, idempotency);
    if (refundId === null) throw noSuchPayment();
    return refundId;
  });

/**
 * Stores a requested refund under the payment's lock, so that concurrent refunds never exceed the payment. A
 * repeat with the same key gets the same refund, even if the key is lost here and the processor has brought
 * the refund back (docs/internals/recovery.md#lost-responses). Returns its id; null if the payment is lost.
 * Errors: 409 `idempotency_conflict`; 422 `amount_exceeds_refundable`, `validation_failed`.
 */
export async function requestRefund(
  tx: Tx,
  of: Pick<Payment, 'id' | 'workspace_id' | 'invoice_id' | 'account_id' | 'currency'>,
  { amount_minor, reason, notify_payer }: RefundWish,
  by: Principal,
  idempotency: IdempotencyKey | null,
): Promise<string | null> {
  const { workspace_id, invoice_id, account_id, currency } = of;
  const id = newId('pay');
  const bound = await bindKey(tx, workspace_id, idempotency, id);
  if (bound !== id) return bound;
  if (invoice_id) await lockInvoiceRow(tx, invoice_id);
  const payment = await lockPayment(tx, of.id);
  if (!payment) return null;
  const request_hash = idempotency && hashRequest(workspace_id, idempotency);
  const made = request_hash && (await findRequested(tx, payment.id, request_hash));
  if (made) {
    if (amount_minor !== undefined && amount_minor !== made.amount_minor) throw idempotencyConflict();
    await rebindKey(tx, workspace_id, idempotency!, made.id);
    await tx.update(Payment, { id: made.id }, { reason, notify_payer });
    await auditRefund(tx, by, payment, made, reason);
    return made.id;
  }
  const left = refundableMinor(payment);
  const amount = amount_minor ?? left;
  refuse(whyNotRefund(amount, { amount_minor: left, currency }));
  if (account_id) assertRefundableUnit({ amount_minor: amount, currency }, 'amount_minor');
  const refund = {
    id,
    amount_minor: amount,
    purpose: 'request',
    reason,
    notify_payer,
    request_hash,
  } as const;
  await reserveRefund(tx, payment.id, refund);
  await auditRefund(tx, by, payment, refund, reason);
  await settleManualRefunds(tx, [id]);
  return id;
}

/** Returns the refund of a payment that a request with a key has made, or null. */
const findRequested = (tx: Tx, paymentId: string, requestHash: Buffer): Promise<Payment | null> =>
  maybeOne<Payment>(tx, `SELECT * FROM payments WHERE refund_of = $1 AND request_hash = $2`, [
    paymentId,
    requestHash,
  ]);

function auditRefund(
  tx: Tx,
  by: Principal,
  { id: object }: Payment,
  { id: refund_id, amount_minor }: Pick<Payment, 'id' | 'amount_minor'>,
  reason: RefundReason,
): Promise<void> {
  const details = { refund_id, amount_minor, reason };
  return audit(tx, by, { action: 'payment.refunded', object, details });
}
