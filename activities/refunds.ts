import type { DataSource } from 'typeorm';
import type { Payment } from '../db/rows.js';
import { newId } from '../db/ids.js';
import { findPaymentByIntent, isLatePayment } from '../db/repositories/billing/payment-queries.js';
import { recordRefund } from '../db/repositories/billing/record-refund.js';
import { findRefund } from '../db/repositories/billing/refund-queries.js';
import { adoptRefund } from '../db/repositories/billing/refunds.js';
import { enqueueInvoiceMail } from '../db/repositories/mail/invoice-mails.js';
import { enqueueMail } from '../db/repositories/mail/mails.js';
import { enqueueOwnerMail } from '../db/repositories/mail/owner-mails.js';
import { transaction, type Tx } from '../db/transaction.js';
import { failures, isRefused } from './failures.js';
import type { Processor, RefundStatus } from './gateways/processor.js';

/** The processor keeps idempotency keys for 24 h; before that, asking again is safe. */
const KEY_IS_SAFE_FOR_MS = 20 * 3_600_000;

/** A refund that failed needs a person. */
function tellOwner(tx: Tx, refund: Payment): Promise<void> {
  const { workspace_id, booking_id, amount_minor, currency } = refund;
  return enqueueOwnerMail(tx, {
    workspace_id,
    kind: 'refund_failed',
    about: refund.id,
    details: { payment_id: refund.refund_of!, booking_id, amount_minor, currency },
  });
}

/** The payer hears of a refund that has been made. */
async function oweRefundMail(
  tx: Tx,
  { id, workspace_id, booking_id, invoice_id, refund_of }: Payment,
): Promise<void> {
  if (booking_id) {
    const kind = (await isLatePayment(tx, refund_of!)) ? 'late_payment_refunded' : 'payment_refunded';
    await enqueueMail(tx, { workspace_id, booking_id, kind, about: id });
  } else if (invoice_id) {
    await enqueueInvoiceMail(tx, {
      id: newId('mail'),
      workspace_id,
      invoice_id,
      kind: 'payment_refunded',
      about: id,
    });
  }
}

/** A refund at the processor, and in our books. */
export function createRefundActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  async function existingRefund(refundId: string): Promise<Payment> {
    const refund = await findRefund(db.manager, refundId);
    if (!refund) throw failures.referenceMissing(`refund ${refundId}`);
    return refund;
  }

  return {
    /** Makes the refund, once. One whose outcome stayed unknown for long is looked for before it is made. */
    async createRefund(refundId: string): Promise<RefundStatus> {
      const refund = await existingRefund(refundId);
      const { account_id, processor_payment_intent_id, amount_minor } = refund;
      // It is over, and its amount refundable again: asking once more could give the money back unseen.
      if (refund.status === 'failed') return { refund_id: refund.processor_refund_id, status: 'failed' };
      if (!account_id || !processor_payment_intent_id)
        throw failures.referenceMissing(`charge of ${refundId}`);
      if (refund.processor_refund_id) return processor.lookUpRefund(account_id, refund.processor_refund_id);
      if (Date.now() - refund.created_at.getTime() > KEY_IS_SAFE_FOR_MS) {
        const made = await processor.findRefund(account_id, processor_payment_intent_id, refundId);
        if (made) return made;
      }
      try {
        return await processor.createRefund({
          id: refundId,
          account_id,
          payment_intent_id: processor_payment_intent_id,
          amount_minor,
        });
      } catch (error) {
        // Refused for good, as for a charge under dispute: nothing was given back, and the books say so.
        if (isRefused(error)) return { refund_id: null, status: 'failed' };
        throw error;
      }
    },

    /**
     * Stores the refunds of a payment that somebody made at the processor, but for those that gave nothing back.
     * Returns the new rows' ids.
     */
    async adoptRefunds(paymentIntentId: string): Promise<string[]> {
      const payment = await findPaymentByIntent(db.manager, paymentIntentId);
      if (!payment?.account_id) return [];
      const made = await processor.listRefunds(payment.account_id, paymentIntentId);
      const theirs = made.filter(({ made_for, status }) => !made_for && status !== 'failed');
      const adopted = await transaction(db, async (tx) => {
        const ids: (string | null)[] = [];
        for (const refund of theirs) ids.push(await adoptRefund(tx, payment, refund));
        return ids;
      });
      return adopted.filter((id) => id !== null);
    },

    /** What the processor says of a refund that it knows. */
    async lookUpRefund(refundId: string): Promise<RefundStatus> {
      const refund = await existingRefund(refundId);
      return processor.lookUpRefund(refund.account_id!, refund.processor_refund_id!);
    },

    /**
     * Stores the processor's word on a refund. The payer is owed a mail when it succeeded, the workspace's
     * owner when it failed.
     */
    async recordRefund(input: RefundStatus & { refundId: string }): Promise<{ bookingId: string | null }> {
      return transaction(db, async (tx) => {
        const changed = await recordRefund(tx, input.refundId, input);
        const refund = await findRefund(tx, input.refundId);
        const bookingId = refund?.booking_id ?? null;
        if (changed && input.status === 'failed') await tellOwner(tx, refund!);
        if (changed && refund?.notify_payer && input.status === 'succeeded') await oweRefundMail(tx, refund);
        return { bookingId };
      });
    },
  };
}
