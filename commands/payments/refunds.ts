import { In } from 'typeorm';
import { splitOverRefunds, type TaxPart } from '../../domain/invoices/credited-tax.js';
import type { RefundMetadata } from '../../domain/payments/money-facts.js';
import type { RefundPurpose } from '../../domain/payments/refund.js';
import type { RefundOrigin } from '../../domain/payments/presenter.js';
import { spreadRefund, type Refundable } from '../../domain/bookings/refund-policy.js';
import { newId } from '../../db/ids.js';
import { column, execute, exists, many, one } from '../../db/query.js';
import { insertReturning, json } from '../../db/insert.js';
import { Payment } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import { lockInvoiceRow, lockInvoiceRows } from '../invoices/invoices.js';
import { lockPayment } from './payments.js';

export const REFUND_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/**
 * Returns why a change or cancellation refunds: `requested_by_customer` only if the booker requested it, by
 * the manage link or as a member.
 */
export const refundReason = (
  booking: { member_id: string | null },
  actor: { member_id: string | null } | { guest: string },
): RefundReason => {
  const isOwn = 'guest' in actor || (booking.member_id && booking.member_id === actor.member_id);
  return isOwn ? 'requested_by_customer' : 'other';
};

export interface NewRefund {
  /** The refund's id, if the caller needs it in advance. */
  id?: string;
  amount_minor: number;
  purpose: RefundPurpose;
  /** By default the next ordinal of the payment; set if the refund has already been made. */
  ordinal?: number | null;
  reason: RefundReason;
  /** The credit adjustment to which it belongs. */
  adjustment_id?: string;
  /** Who made it; by default the service. */
  origin?: RefundOrigin;
  /** Whether the payer gets mail when the refund succeeds; true by default. */
  notify_payer?: boolean;
  /** What it credits, by tax code; by default a share of everything that is left. */
  credit?: TaxPart[];
  /** Identifies the request with a key for which it was made. */
  request_hash?: Buffer | null;
}

/**
 * Creates a refund and reserves its amount, which counts as refunded from now on. Concurrent refunds that
 * exceed the payment violate a check constraint. Returns the refund's id. Its idempotency key consists of
 * payment, amount and ordinal.
 */
export async function reserveRefund(tx: Tx, paymentId: string, refund: NewRefund): Promise<string> {
  const { amount_minor, purpose, ordinal, reason, origin = 'service' } = refund;
  const { adjustment_id, notify_payer, request_hash, credit } = refund;
  const payment = await one<Payment>(
    tx,
    `UPDATE payments SET refunded_minor = refunded_minor + $2, updated_at = now() WHERE id = $1 RETURNING *`,
    [paymentId, amount_minor],
  );
  const { id } = await insertReturning(tx, Payment, {
    id: refund.id ?? newId('pay'),
    workspace_id: payment.workspace_id,
    invoice_id: payment.invoice_id,
    booking_id: payment.booking_id,
    kind: 'refund',
    status: 'pending',
    amount_minor,
    currency: payment.currency,
    method: payment.method,
    account_id: payment.account_id,
    processor_payment_intent_id: payment.processor_payment_intent_id,
    refund_of: paymentId,
    purpose,
    ordinal: ordinal === undefined ? await nextOrdinal(tx, paymentId) : ordinal,
    reason,
    origin,
    adjustment_id,
    notify_payer,
    ...(credit && { credit: json(credit) }),
    request_hash,
  });
  return id;
}

/** Returns the ordinal of a locked payment's next refund. */
async function nextOrdinal(tx: Tx, paymentId: string): Promise<number> {
  const sql = `SELECT coalesce(max(ordinal), 0) + 1 AS next FROM payments WHERE refund_of = $1`;
  return (await one<{ next: number }>(tx, sql, [paymentId])).next;
}

/** A payment that can be refunded, or that was refunded by the operation that the caller repeats. */
export interface RefundablePayment extends Refundable {
  currency: string;
  /** The workspace refunds it by hand. */
  by_hand: boolean;
  /** The refunds whose sum is `lost_minor`. */
  lost_refunds: string[];
}

/**
 * Creates the refunds of an amount, newest payment first. Returns their ids, with those of earlier refunds
 * for the same purpose.
 */
export async function createRefunds(
  tx: Tx,
  payments: RefundablePayment[],
  refund: NewRefund,
): Promise<string[]> {
  const ids = payments.flatMap(({ lost_refunds }) => lost_refunds);
  const { adjustment_id } = refund;
  if (adjustment_id && ids.length > 0) await tx.update(Payment, { id: In(ids) }, { adjustment_id });
  const shares = spreadRefund(payments, refund.amount_minor);
  if (shares.length === 0) return ids;
  const amounts = shares.map(({ amount_minor }) => amount_minor);
  const credits = refund.credit && splitOverRefunds(refund.credit, amounts, payments[0]!.currency);
  for (const [index, { payment_id, amount_minor }] of shares.entries())
    ids.push(await reserveRefund(tx, payment_id, { ...refund, amount_minor, credit: credits?.[index] }));
  return ids;
}

type PaymentOwner = { booking_id: string } | { invoice_id: string };

/** Returns the booking and the invoice of payments; one of them is null. */
const ownerIds = (of: PaymentOwner): [booking_id: string | null, invoice_id: string | null] =>
  'booking_id' in of ? [of.booking_id, null] : [null, of.invoice_id];

/** The purpose of the refund. */
type RepeatablePurpose = Extract<RefundPurpose, 'cancellation' | 'change' | 'adjustment'>;

/**
 * Returns the payments of a booking or an invoice that can be refunded, like `findRefundable`, locked after
 * their invoices.
 */
export async function lockRefundable(
  tx: Tx,
  of: PaymentOwner,
  purpose: RepeatablePurpose,
): Promise<RefundablePayment[]> {
  await lockPaymentInvoices(tx, of);
  await execute(
    tx,
    `SELECT FROM payments
     WHERE (booking_id = $1 OR invoice_id = $2) AND kind <> 'refund' AND refusal IS NULL
       AND status IN ('succeeded', 'partially_refunded', 'refunded')
     ORDER BY created_at DESC, id DESC FOR NO KEY UPDATE`,
    ownerIds(of),
  );
  return findRefundable(tx, of, purpose);
}

/** Locks an invoice, or those of a booking and of its payments. */
async function lockPaymentInvoices(tx: Tx, of: PaymentOwner): Promise<void> {
  if ('invoice_id' in of) return lockInvoiceRow(tx, of.invoice_id);
  const invoices = `SELECT id FROM invoices WHERE booking_id = $1
    UNION SELECT invoice_id FROM payments WHERE booking_id = $1 AND invoice_id IS NOT NULL`;
  await lockInvoiceRows(tx, await column<string>(tx, invoices, [of.booking_id]));
}

/**
 * Returns the payments of a booking or an invoice that can still be refunded, newest first. Each has the
 * amount that was refunded for the purpose by a cancellation, change or adjustment that is not known here.
 */
export function findRefundable(
  tx: Tx,
  of: PaymentOwner,
  purpose: RepeatablePurpose,
): Promise<RefundablePayment[]> {
  return many<RefundablePayment>(
    tx,
    `SELECT p.id, p.amount_minor - p.refunded_minor AS refundable_minor,
            p.currency, p.account_id IS NULL AS by_hand, lost.lost_minor, lost.lost_refunds
     FROM payments p CROSS JOIN LATERAL (
       SELECT coalesce(sum(r.amount_minor), 0)::bigint AS lost_minor, coalesce(array_agg(r.id),
         '{}') AS lost_refunds
       FROM payments r
       WHERE r.refund_of = p.id AND r.purpose = $3 AND r.status <> 'failed' AND r.adjustment_id IS NULL
         AND NOT EXISTS (SELECT FROM booking_changes c WHERE c.booking_id = r.booking_id
           AND c.outcome -> 'refund_ids' ? r.id)
     ) lost
     WHERE (p.booking_id = $1 OR p.invoice_id = $2) AND p.kind <> 'refund' AND p.refusal IS NULL
       AND p.status IN ('succeeded', 'partially_refunded', 'refunded')
       AND (p.amount_minor > p.refunded_minor OR lost.lost_minor > 0)
     ORDER BY p.created_at DESC, p.id DESC`,
    [...ownerIds(of), purpose],
  );
}

/**
 * Finds the row of a refund of ours, which may have another id than the request. `$4`: the hash of its
 * request.
 */
const KNOWN_REFUND = `SELECT FROM payments WHERE id = $1
  OR (refund_of = $2 AND ordinal = $3 AND ($4::bytea IS NULL OR request_hash = $4))`;

/**
 * Stores a refund that has no row here. It was created in the processor's dashboard, or is one of ours whose
 * row is lost, or was created by one of our requests that the processor finished after another request had
 * created the refund again. Of these, only a lost refund is one that the service would make again. Returns
 * its id; null if it is already stored, or belongs to a row whose response is still missing. Throws while a
 * pending refund of ours reserves its amount.
 */
export async function adoptRefund(
  tx: Tx,
  payment: Payment,
  refund: RefundMetadata & { refund_id: string; amount_minor: number },
): Promise<string | null> {
  const { refunded_minor } = (await lockPayment(tx, payment.id))!;
  const { refund_id: processor_refund_id, amount_minor, created_for, ordinal, request } = refund;
  const request_hash = request === null ? null : Buffer.from(request, 'hex');
  const isKnown = await exists(
    tx,
    `SELECT FROM payments WHERE processor_refund_id = $1
       OR (processor_refund_id IS NULL AND status = 'pending'
           AND (id = $2 OR (refund_of = $3 AND amount_minor = $4 AND ordinal = $5
                            AND ($6::bytea IS NULL OR request_hash = $6))))`,
    [processor_refund_id, created_for, payment.id, amount_minor, ordinal, request_hash],
  );
  if (isKnown) return null;
  if (refunded_minor + amount_minor > payment.amount_minor)
    throw new Error(
      `${processor_refund_id} was made at the processor while a refund of ours is pending. Together they ` +
        `exceed payment ${payment.id}: the processor refuses ours, and then this one is stored`,
    );
  const isLost =
    refund.purpose !== null &&
    !(await exists(tx, KNOWN_REFUND, [created_for, payment.id, ordinal, request_hash]));
  const id = await reserveRefund(tx, payment.id, {
    amount_minor,
    purpose: refund.purpose ?? 'dashboard',
    ordinal: isLost ? ordinal : null,
    reason: 'other',
    origin: isLost ? 'service' : 'processor',
    request_hash,
  });
  await tx.update(Payment, { id }, { processor_refund_id });
  return id;
}

/**
 * Creates the refund of what is left of a payment that must be refunded: all of a refused payment, or the
 * part above the amount due. The processor refuses to refund the whole amount if part of it was refunded in
 * its dashboard. Returns its id; null if nothing is left.
 */
export async function refundRest(tx: Tx, paymentId: string): Promise<string | null> {
  const { refusal, amount_minor, excess_minor, refunded_minor } = (await lockPayment(tx, paymentId))!;
  const rest = (refusal ? amount_minor : excess_minor) - refunded_minor;
  if (rest <= 0) return null;
  const purpose = refusal ? 'late' : 'excess';
  return reserveRefund(tx, paymentId, { amount_minor: rest, purpose, reason: 'other' });
}
