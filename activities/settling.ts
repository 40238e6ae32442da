import type { DataSource } from 'typeorm';
import { findCheckout } from '../db/repositories/billing/checkout-queries.js';
import type { ReceivedPayment } from '../db/repositories/billing/payments.js';
import { settleInvoicePayment } from '../db/repositories/billing/settle-invoice-payment.js';
import { findChange } from '../db/repositories/bookings/booking-change-queries.js';
import { settleChange } from '../db/repositories/bookings/settle-change.js';
import { settlePayment } from '../db/repositories/bookings/settle-payment.js';
import type { Checkout } from '../db/rows.js';
import { transaction } from '../db/transaction.js';
import type { PaymentReport, VerifyPaymentOutcome } from '../workflows/contract.js';
import { findPublishedState, type BookingState } from './bookings.js';
import type { Processor } from './gateways/processor.js';
import { createPaymentLookup } from './payment-lookup.js';

/** What became of a reported payment. */
export interface SettledReport {
  outcome: VerifyPaymentOutcome;
  /** The payment that the report is about, if there is one. */
  paymentIntentId?: string;
  /** Part of it was refunded at the processor before we knew about it. */
  refunded?: true;
  /** A bank disputed it before we knew about it. */
  disputed?: true;
  /** The owner's state afterwards, if it is a published booking. */
  state: BookingState | null;
}

/** A payment at the processor that belongs to a checkout. */
interface Found {
  /** In minor units. */
  received: ReceivedPayment;
  /** The change whose difference it pays. */
  changeId: string | null;
  refunded: boolean;
  disputed: boolean;
}

/** True for a payment of the full amount, in the right currency, on the right connected account. */
function paysFor(checkout: Checkout, money: ReceivedPayment): boolean {
  return (
    money.account_id === checkout.account_id &&
    money.amount_minor === checkout.amount_minor &&
    money.currency === checkout.currency
  );
}

/** Payments of checkouts (docs/architecture.md#payment-confirmation). */
export function createSettlingActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  const { askAccount, checkoutStatus } = createPaymentLookup(processor);

  async function intentOf(checkout: Checkout): Promise<string | null> {
    const status = await checkoutStatus(checkout);
    return status.kind === 'paid' ? status.paymentIntentId : null;
  }

  /** The payment of an intent, if it pays this checkout or a change of its booking; null if not, or not yet. */
  async function findMoney(checkout: Checkout, paymentIntentId: string): Promise<Found | null> {
    const intent = await askAccount(checkout.account_id, paymentIntentId);
    if (!intent?.money || intent.owner_id !== checkout.owner_id) return null;
    const { money: received, refunded_minor, disputed, change_id: changeId } = intent;
    const found = { received, changeId, refunded: refunded_minor > 0, disputed };
    if (!changeId) return paysFor(checkout, received) ? found : null;
    const change = await findChange(db.manager, changeId);
    return change?.booking_id === checkout.owner_id ? found : null;
  }

  return {
    /**
     * Asks the processor about a reported payment, settles it in one transaction and reads the owner's state: confirms
     * the booking, makes a change, pays the invoice, or stores a refund. Idempotent: repeated calls return the first
     * outcome.
     */
    async settleReport(input: { ownerId: string; report: PaymentReport }): Promise<SettledReport> {
      const { ownerId, report } = input;
      const checkout = await findCheckout(db.manager, ownerId);
      const paymentIntentId = report.paymentIntentId ?? (checkout && (await intentOf(checkout)));
      const found = checkout && paymentIntentId && (await findMoney(checkout, paymentIntentId));
      if (!found)
        return { outcome: { kind: 'unpaid' }, state: await findPublishedState(db.manager, ownerId) };
      const { received, changeId, refunded, disputed } = found;
      const outcome = await transaction(db, (tx) => {
        if (changeId) return settleChange(tx, changeId, received);
        const settle = checkout.invoice_id ? settleInvoicePayment : settlePayment;
        return settle(tx, checkout, received, report.source);
      });
      return {
        outcome,
        paymentIntentId,
        ...(refunded && { refunded }),
        ...(disputed && { disputed }),
        state: checkout.invoice_id ? null : await findPublishedState(db.manager, ownerId),
      };
    },
  };
}
