import type { PaymentFacts, PaymentKind } from '../../../domain/payments/presenter.js';
import type { PaymentStatus } from '../../../domain/states.js';
import { many, maybeOne } from '../../query.js';
import { selectAll } from '../../entities.js';
import { Payment } from '../../entities/payments.js';
import type { Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';
import { movedAt } from './money-time.js';
import { paymentMatches } from '../invoices/search.js';

/** A payment's row with its refunds and disputes, and when its money moved. */
export type PaymentRow = Payment & Pick<PaymentFacts, 'refunds' | 'disputes'> & { moved_at: Date };

const WITH_REFUNDS = `SELECT p.*, ${movedAt('p')} AS moved_at,
  coalesce((SELECT json_agg(json_build_object('id', r.id, 'amount_minor', r.amount_minor,
      'status', r.status, 'reason', r.reason, 'created_at', r.created_at) ORDER BY r.created_at, r.id)
    FROM payments r WHERE r.refund_of = p.id), '[]') AS refunds,
  coalesce((SELECT json_agg(json_build_object('id', d.id, 'amount_minor', d.amount_minor, 'status', d.status,
      'reason', d.reason, 'evidence', d.evidence, 'due_by', d.due_by, 'created_at', d.created_at)
        ORDER BY d.created_at, d.id)
    FROM disputes d WHERE d.payment_id = p.id), '[]') AS disputes
  FROM payments p`;

/** A payment or refund of a workspace, or null. */
export function findPayment(tx: Tx, workspaceId: string, id: string): Promise<PaymentRow | null> {
  const condition = 'p.id = $1 AND p.workspace_id = $2';
  return maybeOne<PaymentRow>(tx, `${WITH_REFUNDS} WHERE ${condition}`, [id, workspaceId]);
}

const PAYMENT_BY_INTENT = {
  name: 'payment_by_intent',
  text: `SELECT ${selectAll(Payment, 'p')} FROM payments p
     WHERE p.processor_payment_intent_id = $1 AND p.kind <> 'refund' AND p.status <> 'failed'`,
};

/**
 * The payment with this payment intent; not its refunds, which have the same intent, nor a refused charge.
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
  after?: { moved_at: string; id: string };
  limit: number;
}

/**
 * A workspace's payments and refunds by when their money moved, newest first.
 */
export function listPayments(tx: Tx, filter: PaymentFilter): Promise<PaymentRow[]> {
  const params: unknown[] = [filter.workspace_id];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const conditions = ['p.workspace_id = $1'];
  for (const column of ['invoice_id', 'booking_id', 'status', 'kind'] as const) {
    if (filter[column] !== undefined) conditions.push(`p.${column} = ${bind(filter[column])}`);
  }
  if (filter.q !== undefined) conditions.push(paymentMatches(filter.q, bind));
  if (filter.from) conditions.push(`${movedAt('p')} >= ${bind(filter.from)}`);
  if (filter.to) conditions.push(`${movedAt('p')} < ${bind(filter.to)}`);
  if (filter.created_from) conditions.push(`p.created_at >= ${bind(filter.created_from)}`);
  if (filter.created_to) conditions.push(`p.created_at < ${bind(filter.created_to)}`);
  if (filter.after) {
    const { moved_at, id } = filter.after;
    conditions.push(`(${movedAt('p')}, p.id) < (${bind(moved_at)}::timestamptz, ${bind(id)})`);
  }
  return many<PaymentRow>(
    tx,
    `${WITH_REFUNDS} WHERE ${conditions.join(' AND ')}
     ORDER BY ${movedAt('p')} DESC, p.id DESC LIMIT ${bind(filter.limit)}`,
    params,
  );
}
