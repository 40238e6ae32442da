import type { PaymentFacts, PaymentKind } from '../../../domain/payments/presenter.js';
import type { PaymentStatus } from '../../../domain/states.js';
import { many, maybeOne } from '../../query.js';
import { Payment } from '../../entities/payments.js';
import type { Tx } from '../../transaction.js';
import { parsePaymentSearch } from '../invoices/search.js';

/** A payment's row with its refunds and disputes, and when its money moved. */
export type PaymentRow = Payment & Pick<PaymentFacts, 'refunds' | 'disputes'> & { moved_at: Date };

/** Returns a payment or refund of a workspace, or null. */
export function findPayment(tx: Tx, workspaceId: string, id: string): Promise<PaymentRow | null> {
  return maybeOne<PaymentRow>(
    tx,
    `SELECT p.*, moved_at(p) AS moved_at, coalesce((
              SELECT json_agg(json_build_object('id', r.id, 'amount_minor', r.amount_minor, 'status',
                r.status,
                'reason', r.reason, 'created_at', r.created_at) ORDER BY r.created_at, r.id)
              FROM payments r WHERE r.refund_of = p.id), '[]') AS refunds,
            coalesce((
              SELECT json_agg(json_build_object('id', d.id, 'amount_minor', d.amount_minor, 'status',
                d.status,
                'reason', d.reason, 'evidence', d.evidence, 'due_by', d.due_by, 'created_at', d.created_at)
                ORDER BY d.created_at, d.id)
              FROM disputes d WHERE d.payment_id = p.id), '[]') AS disputes
     FROM payments p
     WHERE p.id = $1 AND p.workspace_id = $2`,
    [id, workspaceId],
  );
}

const PAYMENT_BY_INTENT = {
  name: 'payment_by_intent',
  text: `SELECT p.* FROM payments p
     WHERE p.processor_payment_intent_id = $1 AND p.kind <> 'refund' AND p.status <> 'failed'`,
};

/**
 * Returns the payment with this payment intent, but neither its refunds, which have the same intent, nor a
 * declined charge.
 */
export function findPaymentByIntent(tx: Tx, paymentIntentId: string): Promise<Payment | null> {
  return maybeOne<Payment>(tx, PAYMENT_BY_INTENT, [paymentIntentId]);
}

export interface PaymentFilter {
  workspace_id: string;
  /** `[from, to)`: when its money moved. */
  from?: Date;
  to?: Date;
  /** `[created_from, created_to)`: when it was recorded. */
  created_from?: Date;
  created_to?: Date;
  invoice_id?: string;
  booking_id?: string;
  status?: PaymentStatus;
  kind?: PaymentKind;
  /** Words of the payer's name or address, an invoice's number or an id. */
  q?: string;
  /** The last row of the previous page. */
  after?: { listed_at: string; id: string };
  limit: number;
}

/** A row of a list. `listed_at`: its place there. */
export type ListedPayment = PaymentRow & { listed_at: Date };

/**
 * Lists a workspace's payments and refunds by when their money moved, newest first; with a filter by the time
 * of their record by that, which never changes, so that a reader skips none.
 */
export function listPayments(tx: Tx, filter: PaymentFilter): Promise<ListedPayment[]> {
  const search = filter.q === undefined ? null : parsePaymentSearch(filter.q);
  return many<ListedPayment>(
    tx,
    `SELECT p.*, moved_at(p) AS moved_at, listed.at AS listed_at, coalesce((
              SELECT json_agg(json_build_object('id', r.id, 'amount_minor', r.amount_minor, 'status',
                r.status,
                'reason', r.reason, 'created_at', r.created_at) ORDER BY r.created_at, r.id)
              FROM payments r WHERE r.refund_of = p.id), '[]') AS refunds,
            coalesce((
              SELECT json_agg(json_build_object('id', d.id, 'amount_minor', d.amount_minor, 'status',
                d.status,
                'reason', d.reason, 'evidence', d.evidence, 'due_by', d.due_by, 'created_at', d.created_at)
                ORDER BY d.created_at, d.id)
              FROM disputes d WHERE d.payment_id = p.id), '[]') AS disputes
     FROM payments p, LATERAL (SELECT CASE WHEN $8::timestamptz IS NULL AND $9::timestamptz IS NULL
       THEN coalesce(p.settled_at, p.paid_at, p.created_at) ELSE p.created_at END AS at) listed
     WHERE p.workspace_id = $1
       AND ($2::text IS NULL OR p.invoice_id = $2) AND ($3::text IS NULL OR p.booking_id = $3)
       AND ($4::text IS NULL OR p.status = $4) AND ($5::text IS NULL OR p.kind = $5)
       AND ($6::timestamptz IS NULL OR coalesce(p.settled_at, p.paid_at, p.created_at) >= $6)
       AND ($7::timestamptz IS NULL OR coalesce(p.settled_at, p.paid_at, p.created_at) < $7)
       AND ($8::timestamptz IS NULL OR p.created_at >= $8) AND ($9::timestamptz IS NULL OR p.created_at < $9)
       AND ($10::text IS NULL OR p.id = $10) AND ($11::text IS NULL OR p.processor_payment_intent_id = $11)
       AND ($12::text IS NULL OR p.processor_refund_id = $12) AND ($13::text IS NULL OR p.booking_id = $13)
       AND ($14::jsonb IS NULL OR p.invoice_id = ANY (ARRAY(SELECT f.id FROM invoices_found($1, $14) f)))
       AND ($15::timestamptz IS NULL OR (listed.at, p.id) < ($15, $16))
     ORDER BY listed.at DESC, p.id DESC LIMIT $17`,
    [
      filter.workspace_id,
      filter.invoice_id ?? null,
      filter.booking_id ?? null,
      filter.status ?? null,
      filter.kind ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.created_from ?? null,
      filter.created_to ?? null,
      search?.id ?? null,
      search?.intent_id ?? null,
      search?.refund_id ?? null,
      search?.booking_id ?? null,
      search?.invoice ?? null,
      filter.after?.listed_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );
}
