import type { PaymentFacts, PaymentKind } from '../../../domain/presenters/payment.js';
import type { PaymentStatus } from '../../../domain/states.js';
import { many, maybeOne, one } from '../../query.js';
import type { Payment } from '../../rows.js';
import type { Tx } from '../../transaction.js';

/** A payment's row with its refunds and disputes. */
export type PaymentRow = Payment & Pick<PaymentFacts, 'refunds' | 'disputes'>;

const WITH_REFUNDS = `SELECT p.*, coalesce((SELECT json_agg(json_build_object('id', r.id, 'amount_minor', r.amount_minor,
      'status', r.status, 'reason', r.reason, 'created_at', r.created_at) ORDER BY r.created_at, r.id)
    FROM payments r WHERE r.refund_of = p.id), '[]') AS refunds,
  coalesce((SELECT json_agg(json_build_object('id', d.id, 'amount_minor', d.amount_minor, 'status', d.status,
      'due_by', d.due_by, 'created_at', d.created_at) ORDER BY d.created_at, d.id)
    FROM disputes d WHERE d.payment_id = p.id), '[]') AS disputes
  FROM payments p`;

/** A payment or refund of a workspace, or null. */
export function findPayment(tx: Tx, workspaceId: string, id: string): Promise<PaymentRow | null> {
  const condition = 'p.id = $1 AND p.workspace_id = $2';
  return maybeOne<PaymentRow>(tx, `${WITH_REFUNDS} WHERE ${condition}`, [id, workspaceId]);
}

/** The payment with this payment intent; not its refunds, which have the same intent, nor a refused charge. */
export function findPaymentByIntent(tx: Tx, paymentIntentId: string): Promise<Payment | null> {
  return maybeOne<Payment>(
    tx,
    `SELECT * FROM payments WHERE processor_payment_intent_id = $1 AND kind <> 'refund' AND status <> 'failed'`,
    [paymentIntentId],
  );
}

export interface PaymentFilter {
  workspace_id: string;
  from?: Date;
  to?: Date;
  invoice_id?: string;
  booking_id?: string;
  status?: PaymentStatus;
  kind?: PaymentKind;
  /** The last row of the previous page. */
  after?: { created_at: string; id: string };
  limit: number;
}

/** A workspace's payments and refunds, newest first; `from` and `to` are `[from, to)` on `created_at`. */
export function listPayments(tx: Tx, filter: PaymentFilter): Promise<PaymentRow[]> {
  return many<PaymentRow>(
    tx,
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

/** True for a payment that was refused on receipt (docs/rules/bookings.md#late-payments). */
export async function isLatePayment(tx: Tx, paymentId: string): Promise<boolean> {
  const sql = `SELECT refusal IS NOT NULL AS late FROM payments WHERE id = $1`;
  return (await one<{ late: boolean }>(tx, sql, [paymentId])).late;
}
