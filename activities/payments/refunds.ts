import { activityInfo } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { findPaymentByIntent } from '../../db/queries/payments/payment.js';
import { deferRefund, recordRefund } from '../../commands/payments/record-refund.js';
import { findLostTime } from '../../db/queries/payments/lost-time.js';
import { findRefund } from '../../db/queries/payments/refund.js';
import { adoptRefund, refundRest } from '../../commands/payments/refunds.js';
import { enqueueMail } from '../../commands/mail/mails.js';
import { enqueueRefundMail } from '../../commands/mail/refund-mails.js';
import { Payment } from '../../db/entities/payments.js';
import { transaction } from '../../db/transaction.js';
import { failures, isRefused } from '../failures.js';
import type { Processor } from '../gateways/processor.js';
import type { RefundStatus } from '../gateways/processor-refunds.js';
import { KEY_VALID_MS } from '../gateways/stripe-once.js';

/** Refunds at the processor and in the ledger (docs/rules/billing.md#refunds). */
export function createRefundActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  async function existingRefund(refundId: string): Promise<Payment> {
    const refund = await findRefund(db.manager, refundId);
    if (!refund) throw failures.referenceMissing(`refund ${refundId}`);
    return refund;
  }

  return {
    /**
     * Creates the refund, once. If its outcome has been unknown for too long, or its row may have been lost,
     * looks for it at the processor first. Returns with an adopted refund when it was made: if it has
     * succeeded, its money moved then.
     */
    async createRefund(refundId: string): Promise<RefundStatus & { made_at?: number }> {
      const refund = await existingRefund(refundId);
      const { account_id, processor_payment_intent_id: payment_intent_id } = refund;
      // Its amount is refundable again, so another call could refund the same money twice.
      if (refund.status === 'failed') return { refund_id: refund.processor_refund_id, status: 'failed' };
      // A manual payment is returned by hand.
      if (!account_id) return { refund_id: null, status: 'succeeded' };
      if (!payment_intent_id) throw failures.referenceMissing(`charge of ${refundId}`);
      if (refund.processor_refund_id) return processor.lookUpRefund(account_id, refund.processor_refund_id);
      const payment_id = refund.refund_of!;
      const attempt = refund.unfunded_attempts;
      const ordinal = refund.ordinal!;
      const request = { ...refund, payment_id, account_id, payment_intent_id, ordinal, attempt };
      const isKeyKept = Date.now() - refund.created_at.getTime() < KEY_VALID_MS;
      const { paid_at, created_at } = await db.manager.findOneByOrFail(Payment, { id: payment_id });
      // The response to an attempt may be lost, and a key that is refused since then proves nothing. So later
      // attempts look first.
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
     * Stores the refunds of a payment that have no row here, except failed ones. If part of a payment that
     * must be refunded is left, it gets another refund. Returns the new rows' ids; null while the payment is
     * unknown.
     */
    async adoptRefunds(paymentIntentId: string): Promise<string[] | null> {
      const payment = await findPaymentByIntent(db.manager, paymentIntentId);
      if (!payment?.account_id) return null;
      const refunds = await processor.listRefunds(payment.account_id, paymentIntentId);
      // Oldest first, because their order decides how much of an excess each one takes.
      const theirs = refunds.filter(({ status }) => status !== 'failed').toReversed();
      const adopted = await transaction(db, async (tx) => {
        const ids: (string | null)[] = [];
        for (const refund of theirs) ids.push(await adoptRefund(tx, payment, refund));
        if (ids.some((id) => id !== null)) ids.push(await refundRest(tx, payment.id));
        return ids;
      });
      return adopted.filter((id) => id !== null);
    },

    /** Returns the processor's status of a refund that it has. */
    async lookUpRefund(refundId: string): Promise<RefundStatus> {
      const refund = await existingRefund(refundId);
      const { made_at: _, ...now } = await processor.lookUpRefund(
        refund.account_id!,
        refund.processor_refund_id!,
      );
      return now;
    },

    /**
     * Stores the processor's status of a refund, and enqueues mail if that status is final. Returns
     * `deferred` for a refund that lacked balance and will be retried; the owner gets mail the first time.
     * Returns the payment intent of a failed refund: somebody may have refunded its payment at the processor.
     */
    async recordRefund(
      input: RefundStatus & { made_at?: number; refundId: string },
    ): Promise<'recorded' | 'deferred' | { failedOn: string }> {
      return transaction(db, async (tx) => {
        const isDeferred = input.lacks_balance && (await deferRefund(tx, input.refundId));
        const changed = !isDeferred && (await recordRefund(tx, input.refundId, input));
        const refund = await findRefund(tx, input.refundId);
        // The same email once, however often it is deferred or held.
        if (refund && (isDeferred || input.awaits_balance)) {
          const { workspace_id } = refund;
          await enqueueMail(tx, { workspace_id, kind: 'refund_unfunded', about: input.refundId });
        }
        if (isDeferred) return 'deferred';
        if (refund && changed) await enqueueRefundMail(tx, refund);
        const failedOn = refund?.status === 'failed' && refund.processor_payment_intent_id;
        return failedOn ? { failedOn } : 'recorded';
      });
    },
  };
}
