import type { PaymentRefusal } from '../../domain/payments/late-payment.js';
import { presentPayment } from '../../domain/payments/presenter.js';
import { noSuchPayment } from '../../domain/payments/refund.js';
import type { ConfirmationSource } from '../../domain/states.js';
import { isId, newId } from '../../db/ids.js';
import { execute, maybeOne, one } from '../../db/query.js';
import { NOW } from '../../db/database-time.js';
import { insertReturning } from '../../db/insert.js';
import { Payment, type Checkout } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import { insertEvent } from '../events/events.js';
import { setCheckoutState } from './checkouts.js';
import { findPayment, type PaymentRow } from '../../db/queries/payments/payment.js';

/** Returns a payment or refund of a workspace. Errors: 404 `payment_not_found`. */
export async function paymentIn(tx: Tx, workspaceId: string, id: string): Promise<PaymentRow> {
  const payment = isId('pay', id) ? await findPayment(tx, workspaceId, id) : null;
  if (!payment) throw noSuchPayment();
  return payment;
}

/** Returns a payment, locked until the transaction ends. Every refund of a payment takes this lock first. */
export function lockPayment(tx: Tx, id: string): Promise<Payment | null> {
  return maybeOne<Payment>(tx, `SELECT * FROM payments WHERE id = $1 FOR NO KEY UPDATE`, [id]);
}

/** A payment that the processor has received. Amounts in minor units. */
export interface ReceivedPayment {
  payment_intent_id: string;
  account_id: string;
  amount_minor: number;
  currency: string;
  method: string;
  paid_at: Date;
}

export interface NewPayment {
  /** The payment's id, if the caller needs it in advance. */
  id?: string;
  workspace_id: string;
  invoice_id: string | null;
  booking_id: string | null;
  kind: 'charge' | 'top_up' | 'manual';
  /** A manual payment has neither intent nor account. */
  received: Omit<ReceivedPayment, 'payment_intent_id' | 'account_id'> &
    Partial<Pick<ReceivedPayment, 'payment_intent_id' | 'account_id'>>;
  source: ConfirmationSource | null;
  /** The owner of the checkout that it pays. */
  checkout?: string;
  /** The part that exceeds the amount due. */
  excess_minor?: number;
  reference?: string | null;
}

const INSERT_PAYMENT = {
  name: 'insert_payment',
  text: `INSERT INTO payments AS p (
      id, workspace_id, invoice_id, booking_id, kind, status, amount_minor, currency, method, account_id,
      processor_payment_intent_id, source, paid_at, settled_at, excess_minor, reference)
    VALUES ($1, $2, $3, $4, $5, 'succeeded', $6, $7, $8, $9, $10, $11, $12, $12, $13, $14)
    RETURNING p.*`,
};

/**
 * Stores a received payment and its event, and that its checkout is paid. A second payment for the same
 * intent violates a constraint. Returns its id.
 */
export async function insertPayment(tx: Tx, payment: NewPayment): Promise<string> {
  const { received, workspace_id, invoice_id, booking_id, kind, source } = payment;
  const { amount_minor, currency, method, paid_at } = received;
  if (payment.checkout !== undefined) await setCheckoutState(tx, payment.checkout, 'paid');
  const row = await one<Payment>(tx, INSERT_PAYMENT, [
    payment.id ?? newId('pay'),
    workspace_id,
    invoice_id,
    booking_id,
    kind,
    amount_minor,
    currency,
    method,
    received.account_id ?? null,
    received.payment_intent_id ?? null,
    source,
    paid_at,
    payment.excess_minor ?? 0,
    payment.reference ?? null,
  ]);
  const object = presentPayment({ ...row, refunds: [], disputes: [] });
  await insertEvent(tx, { type: 'payment.succeeded', workspace_id, object, created_at: new Date() });
  return row.id;
}

/** Stores a declined charge to a card on file, which will not be paid. Returns its row. */
export function insertFailedPayment(
  tx: Tx,
  checkout: Checkout,
  refusal: { code: string; payment_intent_id: string | null },
): Promise<Payment> {
  return insertReturning(tx, Payment, {
    id: newId('pay'),
    workspace_id: checkout.workspace_id,
    invoice_id: checkout.invoice_id,
    kind: 'charge',
    status: 'failed',
    amount_minor: checkout.amount_minor,
    currency: checkout.currency,
    method: 'card',
    account_id: checkout.account_id,
    processor_payment_intent_id: refusal.payment_intent_id,
    reason: refusal.code,
  });
}

/**
 * Removes the intent from the failed payment of an invoice because it succeeded after all, for example if it
 * could not be followed while the account was unusable. An intent belongs to only one payment.
 */
export async function releaseIntent(tx: Tx, invoice_id: string, intent: string): Promise<void> {
  const failed = { invoice_id, processor_payment_intent_id: intent, status: 'failed' } as const;
  await tx.update(Payment, failed, { processor_payment_intent_id: null, updated_at: NOW });
}

/** Stores an event with the current state of a locked payment. */
export async function recordPaymentEvent(
  tx: Tx,
  type:
    | 'payment.failed'
    | 'payment.action_required'
    | 'payment.refunded'
    | 'payment.refund_failed'
    | 'payment.disputed'
    | 'payment.dispute_closed',
  payment: { id: string; workspace_id: string },
): Promise<void> {
  const { id, workspace_id } = payment;
  const object = presentPayment((await findPayment(tx, workspace_id, id))!);
  await insertEvent(tx, { type, workspace_id, object, created_at: new Date() });
}

/** Stores why a payment was refunded on receipt, so that every later call gets the same response. */
export async function setRefusal(tx: Tx, paymentId: string, refusal: PaymentRefusal): Promise<void> {
  await execute(tx, `UPDATE payments SET refusal = $2, excess_minor = amount_minor WHERE id = $1`, [
    paymentId,
    refusal,
  ]);
}
