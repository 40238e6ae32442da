import type { DisputeEvidence } from '../../domain/payments/dispute-words.js';
import { isDisputeClosed, type DisputeStatus } from '../../domain/states.js';
import { affected, execute, exists, maybeOne } from '../../db/query.js';
import { insertIfAbsent } from '../../db/insert.js';
import { NOW } from '../../db/database-time.js';
import { Dispute, type Payment } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { findDispute } from '../../db/queries/payments/dispute.js';
import { lockPayment, recordPaymentEvent } from './payments.js';
import { updateRefundedInvoice } from './record-refund.js';
import { lockInvoiceRow } from '../invoices/invoices.js';
import { followLedger } from '../invoices/issue-documents.js';

/** A dispute with its current state at the processor. Amounts in minor units. */
export interface ReportedDispute {
  /** The processor's id. */
  id: string;
  payment_intent_id: string;
  status: DisputeStatus;
  amount_minor: number;
  /** The processor's code. */
  reason: string;
  evidence: DisputeEvidence;
  due_by: Date | null;
  created_at: Date;
  /** What the bank has withdrawn (below zero) and returned so far. */
  movements: { id: string; amount_minor: number; created_at: Date }[];
}

/** What a report has changed. `closed`: the dispute has ended by now. */
type Change = 'opened' | 'changed' | 'closed';

/**
 * Records the disputes of a payment with their current state at the processor
 * (docs/rules/billing.md#disputes): their rows, the money that moved, the payment's status, events, mail to
 * the owner, and the accounting system. A report without news changes nothing. Returns false if there is no
 * such payment.
 */
export async function recordDisputes(
  tx: Tx,
  paymentId: string,
  reported: ReportedDispute[],
): Promise<boolean> {
  const known = await maybeOne<Payment>(tx, `SELECT * FROM payments WHERE id = $1`, [paymentId]);
  if (!known) return false;
  // Locks are taken in the order of a refund: invoice, then payment.
  if (known.invoice_id) await lockInvoiceRow(tx, known.invoice_id);
  const payment = (await lockPayment(tx, paymentId))!;
  const changes: Change[] = [];
  let moved = false;
  for (const dispute of reported) {
    const isNew = await recordDispute(tx, payment, dispute);
    const changed = isNew === false && (await updateDispute(tx, payment, dispute));
    const movements = await insertMovements(tx, payment, dispute);
    moved ||= movements;
    if (isNew) changes.push('opened');
    if ((isNew || changed || movements) && isDisputeClosed(dispute.status)) changes.push('closed');
    else if (!isNew && (changed || movements)) changes.push('changed');
  }
  if (changes.length > 0) await updatePayment(tx, payment, changes, moved);
  return true;
}

async function recordDispute(tx: Tx, payment: Payment, dispute: ReportedDispute): Promise<boolean> {
  const { id, status, amount_minor, reason, evidence, due_by, created_at } = dispute;
  const { workspace_id, id: payment_id } = payment;
  const row = { id, workspace_id, payment_id, status, amount_minor, reason, evidence, due_by, created_at };
  const isNew = await insertIfAbsent(tx, Dispute, row);
  if (isNew) await notifyOwner(tx, payment, dispute);
  return Boolean(isNew);
}

async function updateDispute(tx: Tx, payment: Payment, dispute: ReportedDispute): Promise<boolean> {
  const { id, status, amount_minor, reason, evidence, due_by } = dispute;
  const before = (await findDispute(tx, id))!;
  const same =
    before.status === status &&
    before.amount_minor === amount_minor &&
    before.reason === reason &&
    before.evidence === evidence &&
    before.due_by?.getTime() === due_by?.getTime();
  if (same) return false;
  await tx.update(Dispute, { id }, { status, amount_minor, reason, evidence, due_by, updated_at: NOW });
  if (before.status !== status) await notifyOwner(tx, payment, dispute);
  return true;
}

/**
 * Mails the owner when a dispute needs a response, when it is lost, and when one is won whose booking was
 * cancelled in the meantime: the cancellation could not refund the payment, so only a person can.
 */
async function notifyOwner(tx: Tx, payment: Payment, dispute: ReportedDispute): Promise<void> {
  const { id, status } = dispute;
  const { workspace_id } = payment;
  if (status === 'prevented') return;
  if (status === 'won' && !(await isOfCancelledBooking(tx, payment, dispute))) return;
  await enqueueMail(tx, { workspace_id, kind: 'payment_disputed', about: `${id}:${status}` });
}

/**
 * True if the booking was cancelled while the bank had the money, and part of the payment had not been
 * refunded before.
 */
async function isOfCancelledBooking(
  tx: Tx,
  { booking_id, amount_minor, refunded_minor }: Payment,
  { created_at, movements }: ReportedDispute,
): Promise<boolean> {
  if (!booking_id || movements.length === 0 || refunded_minor >= amount_minor) return false;
  return exists(tx, `SELECT FROM bookings WHERE id = $1 AND status = 'cancelled' AND cancelled_at >= $2`, [
    booking_id,
    created_at,
  ]);
}

/** Stores new movements. Returns whether there were any. */
async function insertMovements(
  tx: Tx,
  { id: payment_id }: Payment,
  { id: dispute_id, movements }: ReportedDispute,
): Promise<boolean> {
  const stored = await affected(
    tx,
    `INSERT INTO dispute_movements (id, dispute_id, payment_id, amount_minor, created_at)
     SELECT id, $1, $2, amount_minor, created_at
       FROM jsonb_populate_recordset(NULL::dispute_movements, $3::jsonb)
     ON CONFLICT (id) DO NOTHING`,
    [dispute_id, payment_id, JSON.stringify(movements)],
  );
  return stored > 0;
}

async function updatePayment(tx: Tx, payment: Payment, changes: Change[], moved: boolean): Promise<void> {
  await execute(
    tx,
    `UPDATE payments SET updated_at = now(), disputed_minor = (
       SELECT greatest(0, coalesce(-sum(amount_minor), 0)) FROM dispute_movements WHERE payment_id = $1)
     WHERE id = $1`,
    [payment.id],
  );
  await execute(tx, `UPDATE payments p SET status = payment_status(p) WHERE id = $1`, [payment.id]);
  for (const change of changes)
    await recordPaymentEvent(
      tx,
      change === 'closed' ? 'payment.dispute_closed' : 'payment.disputed',
      payment,
    );
  if (!payment.invoice_id) return;
  await updateRefundedInvoice(tx, payment.invoice_id);
  if (moved) await followLedger(tx, payment.invoice_id);
}
