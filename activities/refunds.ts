import { activityInfo } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { findPaymentByIntent } from '../db/queries/billing/payment.js';
import { deferRefund, recordRefund } from '../commands/billing/record-refund.js';
import {
  findChangeOfRefund,
  findRefundMailKind,
  listRefundParts,
} from '../db/queries/billing/refund-part.js';
import { findLostTime } from '../db/queries/billing/lost-time.js';
import { findRefund } from '../db/queries/billing/refund.js';
import { adoptRefund, refundRest } from '../commands/billing/refunds.js';
import { enqueueMail, expediteMail, PARTS_WITHIN_MS, type NewMail } from '../commands/mail/mails.js';
import { isMailed } from '../db/queries/mail/mail-queue.js';
import { Payment } from '../db/entities/payments.js';
import { transaction, type Tx } from '../db/transaction.js';
import { failures, isRefused } from './failures.js';
import type { Processor } from './gateways/processor.js';
import type { RefundStatus } from './gateways/processor-refunds.js';
import { KEY_VALID_MS } from './gateways/stripe-once.js';

/**
 * Enqueues the mail about a finished refund: to the payer if it succeeded, to the owner if it failed. The parts of what
 * one cancellation, change or adjustment refunds are one mail to the payer, about the first part
 * (docs/rules/mail.md#refund-mail).
 */
async function enqueueRefundMail(tx: Tx, refund: Payment, succeeded: boolean): Promise<void> {
  const { id, workspace_id, account_id, notify_payer } = refund;
  if (!succeeded) await enqueueMail(tx, { workspace_id, kind: 'refund_failed', about: id });
  const parts = await listRefundParts(tx, id);
  const isComplete = parts.every(({ status }) => status !== 'pending');
  const isTold = await isToldByNotice(tx, refund, isComplete);
  if (isTold || !notify_payer || !account_id) return;
  const about = parts[0]!.id;
  const mail = await refundMail(tx, refund, { about, delay_ms: isComplete ? 0 : PARTS_WITHIN_MS });
  if (!mail) return;
  if (succeeded) await enqueueMail(tx, mail);
  if (isComplete) await expediteMail(tx, mail);
}

/**
 * Whether the mail about a booking's cancellation or change tells the person who booked of a refund, so that it has none of
 * its own. The mail waits for the refunds, and is sent once all have ended.
 */
async function isToldByNotice(tx: Tx, refund: Payment, isComplete: boolean): Promise<boolean> {
  const notice = await noticeOf(tx, refund);
  if (!notice) return false;
  if (isComplete) await expediteMail(tx, notice);
  return (await isMailed(tx, notice)) && (await findRefundMailKind(tx, refund.id)) === 'payment_refunded';
}

/** The mail about the cancellation or change that a refund was made by; null for other refunds. */
async function noticeOf(tx: Tx, { id, workspace_id, booking_id, purpose }: Payment) {
  if (!booking_id) return null;
  const of = { workspace_id, booking_id };
  if (purpose === 'cancellation') return { ...of, kind: 'booking_cancelled', about: booking_id } as const;
  const about = purpose === 'change' ? await findChangeOfRefund(tx, { id, booking_id }) : null;
  return about ? ({ ...of, kind: 'booking_changed', about } as const) : null;
}

/** The mail to the payer about a refund; null if nobody is known to have paid. */
async function refundMail(
  tx: Tx,
  { id, workspace_id, booking_id, invoice_id }: Payment,
  when: { about: string; delay_ms: number },
): Promise<NewMail | null> {
  const kind = await findRefundMailKind(tx, id);
  if (kind === 'invoice_refunded') return { workspace_id, kind, invoice_id: invoice_id!, ...when };
  return kind && { workspace_id, kind, booking_id: booking_id!, ...when };
}

/** Refunds at the processor and in the ledger (docs/rules/billing.md#refunds). */
export function createRefundActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  async function existingRefund(refundId: string): Promise<Payment> {
    const refund = await findRefund(db.manager, refundId);
    if (!refund) throw failures.referenceMissing(`refund ${refundId}`);
    return refund;
  }

  return {
    /** Creates the refund, once. If its outcome has been unknown for too long, or its row may have been lost, first looks for it at the processor. */
    async createRefund(refundId: string): Promise<RefundStatus> {
      const refund = await existingRefund(refundId);
      const { account_id, processor_payment_intent_id: payment_intent_id } = refund;
      // Its amount is refundable again: another call could refund the same money twice.
      if (refund.status === 'failed') return { refund_id: refund.processor_refund_id, status: 'failed' };
      // A manual payment is returned by hand.
      if (!account_id) return { refund_id: null, status: 'succeeded' };
      if (!payment_intent_id) throw failures.referenceMissing(`charge of ${refundId}`);
      if (refund.processor_refund_id) return processor.lookUpRefund(account_id, refund.processor_refund_id);
      const payment_id = refund.refund_of!;
      const attempt = refund.unfunded_attempts;
      const request = { ...refund, payment_id, account_id, payment_intent_id, attempt };
      const isKeyKept = Date.now() - refund.created_at.getTime() < KEY_VALID_MS;
      const { paid_at, created_at } = await db.manager.findOneByOrFail(Payment, { id: payment_id });
      // A worker of another release may have asked under the key of that release: attempts that follow look first.
      const isRepeated = activityInfo().attempt > 1;
      if (!isKeyKept || isRepeated || (await findLostTime(db.manager, account_id, paid_at ?? created_at))) {
        const existing = await processor.findRefund(request);
        if (existing) return existing;
      }
      try {
        return await processor.submitRefund(request);
      } catch (error) {
        // Refused, for example because the charge is disputed: nothing was refunded.
        if (isRefused(error)) return { refund_id: null, status: 'failed' };
        throw error;
      }
    },

    /**
     * Stores the refunds of a payment that have no row here, except failed ones. What is left of a payment that must be
     * refunded gets another refund. Returns the new rows' ids; null while the payment is unknown.
     */
    async adoptRefunds(paymentIntentId: string): Promise<string[] | null> {
      const payment = await findPaymentByIntent(db.manager, paymentIntentId);
      if (!payment?.account_id) return null;
      const refunds = await processor.listRefunds(payment.account_id, paymentIntentId);
      const theirs = refunds.filter(({ status }) => status !== 'failed');
      const adopted = await transaction(db, async (tx) => {
        const ids: (string | null)[] = [];
        for (const refund of theirs) ids.push(await adoptRefund(tx, payment, refund));
        if (ids.some((id) => id !== null)) ids.push(await refundRest(tx, payment.id));
        return ids;
      });
      return adopted.filter((id) => id !== null);
    },

    /** The processor's status of a refund that it knows. */
    async lookUpRefund(refundId: string): Promise<RefundStatus> {
      const refund = await existingRefund(refundId);
      return processor.lookUpRefund(refund.account_id!, refund.processor_refund_id!);
    },

    /**
     * Stores the processor's status of a refund, and enqueues mail if that status is final. Returns `deferred` for one
     * that lacked balance and is to be tried again; its owner gets mail the first time.
     */
    async recordRefund(input: RefundStatus & { refundId: string }): Promise<'recorded' | 'deferred'> {
      return transaction(db, async (tx) => {
        if (input.lacks_balance && (await deferRefund(tx, input.refundId))) {
          const { workspace_id } = (await findRefund(tx, input.refundId))!;
          await enqueueMail(tx, { workspace_id, kind: 'refund_unfunded', about: input.refundId });
          return 'deferred';
        }
        const changed = await recordRefund(tx, input.refundId, input);
        const refund = changed && (await findRefund(tx, input.refundId));
        if (refund && input.status !== 'pending')
          await enqueueRefundMail(tx, refund, input.status === 'succeeded');
        return 'recorded';
      });
    },
  };
}
