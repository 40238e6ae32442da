import { presentPayment, type PaymentFacts, type PaymentKind } from '../../../domain/presenters/payment.js';
import type { ConfirmationSource, PaymentStatus } from '../../../domain/states.js';
import type { PaymentRefusal } from '../../../domain/late-payment.js';
import type { Payment } from '../../rows.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';
import { insertEvent } from '../events/events.js';

/** A payment's row with the refunds it had. */
export type PaymentRow = Payment & Pick<PaymentFacts, 'refunds'>;

const WITH_REFUNDS = `SELECT p.*, coalesce((SELECT json_agg(json_build_object('id', r.id, 'amount_minor', r.amount_minor,
      'status', r.status, 'reason', r.reason, 'created_at', r.created_at) ORDER BY r.created_at, r.id)
    FROM payments r WHERE r.refund_of = p.id), '[]') AS refunds
  FROM payments p`;

/** A payment or refund of a workspace, or null. */
export async function findPayment(tx: Tx, workspaceId: string, id: string): Promise<PaymentRow | null> {
  const rows = await tx.query(`${WITH_REFUNDS} WHERE p.id = $1 AND p.workspace_id = $2`, [id, workspaceId]);
  return rows[0] ?? null;
}

/** The payment behind an intent; refunds, which share their payment's intent, are not it. */
export async function findPaymentByIntent(tx: Tx, paymentIntentId: string): Promise<Payment | null> {
  const rows: Payment[] = await tx.query(
    `SELECT * FROM payments WHERE processor_payment_intent_id = $1 AND kind <> 'refund'`,
    [paymentIntentId],
  );
  return rows[0] ?? null;
}

/** A payment, locked until the transaction ends: whoever gives money back holds this. */
export async function lockPayment(tx: Tx, id: string): Promise<Payment | null> {
  const rows: Payment[] = await tx.query(`SELECT * FROM payments WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  return rows[0] ?? null;
}

export interface PaymentFilter {
  workspace_id: string;
  from?: Date;
  to?: Date;
  invoice_id?: string;
  booking_id?: string;
  status?: PaymentStatus;
  kind?: PaymentKind;
  /** The last row of the page before. */
  after?: { created_at: string; id: string };
  limit: number;
}

/** A workspace's payments and refunds, newest first; `from` and `to` are `[from, to)` on `created_at`. */
export async function listPayments(tx: Tx, filter: PaymentFilter): Promise<PaymentRow[]> {
  return tx.query(
    `${WITH_REFUNDS}
     WHERE p.workspace_id = $1 AND ($2::timestamptz IS NULL OR p.created_at >= $2)
       AND ($3::timestamptz IS NULL OR p.created_at < $3) AND ($4::text IS NULL OR p.invoice_id = $4)
       AND ($5::text IS NULL OR p.booking_id = $5) AND ($6::text IS NULL OR p.status = $6)
       AND ($7::text IS NULL OR p.kind = $7)
       AND ($8::timestamptz IS NULL OR (p.created_at, p.id) < ($8, $9))
     ORDER BY p.created_at DESC, p.id DESC LIMIT $10`,
    [
      filter.workspace_id,
      filter.from ?? null,
      filter.to ?? null,
      filter.invoice_id ?? null,
      filter.booking_id ?? null,
      filter.status ?? null,
      filter.kind ?? null,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );
}

/** What the processor says of money that it has taken. Amount in minor units. */
export interface ReceivedPayment {
  payment_intent_id: string;
  account_id: string;
  amount_minor: number;
  currency: string;
  method: string;
  paid_at: Date;
}

interface NewPayment {
  /** The payment's own id, where it has to be known before. */
  id?: string;
  workspace_id: string;
  invoice_id: string | null;
  booking_id: string | null;
  kind: 'charge' | 'top_up' | 'manual';
  money: Omit<ReceivedPayment, 'payment_intent_id' | 'account_id'> &
    Partial<Pick<ReceivedPayment, 'payment_intent_id' | 'account_id'>>;
  source: ConfirmationSource | null;
  /** How much of it is more than was due. */
  excess_minor?: number;
  reference?: string | null;
}

/**
 * Stores money that came in, with its event. One row per intent: the database refuses a second. Returns its id.
 */
export async function insertPayment(tx: Tx, payment: NewPayment): Promise<string> {
  const { id = newId('pay'), money } = payment;
  const [row]: Payment[] = await tx.query(
    `INSERT INTO payments (id, workspace_id, invoice_id, booking_id, kind, status, amount_minor, currency, method,
                           account_id, processor_payment_intent_id, source, paid_at, excess_minor, reference)
     VALUES ($1, $2, $3, $4, $5, 'succeeded', $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING *`,
    [
      id,
      payment.workspace_id,
      payment.invoice_id,
      payment.booking_id,
      payment.kind,
      money.amount_minor,
      money.currency,
      money.method,
      money.account_id ?? null,
      money.payment_intent_id ?? null,
      payment.source,
      money.paid_at,
      payment.excess_minor ?? 0,
      payment.reference ?? null,
    ],
  );
  await insertEvent(tx, {
    type: 'payment.succeeded',
    workspace_id: payment.workspace_id,
    object: presentPayment({ ...row!, refunds: [] }),
    created_at: new Date(),
  });
  return id;
}

/** Stores an event about a payment, as it is now. The caller holds its lock. */
export async function recordPaymentEvent(
  tx: Tx,
  type: 'payment.refunded' | 'payment.refund_failed',
  payment: { id: string; workspace_id: string },
): Promise<void> {
  const now = (await findPayment(tx, payment.workspace_id, payment.id))!;
  await insertEvent(tx, {
    type,
    workspace_id: payment.workspace_id,
    object: presentPayment(now),
    created_at: new Date(),
  });
}

/** Remembers on a payment why its money went back, so that every later call gets the same answer. */
export async function setRefusal(tx: Tx, paymentId: string, refusal: PaymentRefusal): Promise<void> {
  await tx.query(`UPDATE payments SET refusal = $2, excess_minor = amount_minor WHERE id = $1`, [
    paymentId,
    refusal,
  ]);
}

/** True for money that was refused when it came. */
export async function isLatePayment(tx: Tx, paymentId: string): Promise<boolean> {
  const [row] = await tx.query(`SELECT refusal IS NOT NULL AS late FROM payments WHERE id = $1`, [paymentId]);
  return row.late;
}

/** A payment's status by what of it has been given back; SQL over `p`. */
export const STATUS_BY_REFUNDS = `(SELECT CASE WHEN coalesce(sum(r.amount_minor), 0) = 0 THEN 'succeeded'
    WHEN sum(r.amount_minor) = p.amount_minor THEN 'refunded' ELSE 'partially_refunded' END
  FROM payments r WHERE r.refund_of = p.id AND r.status = 'succeeded')`;
