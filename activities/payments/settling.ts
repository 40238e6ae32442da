import type { DataSource } from 'typeorm';
import { findCheckout, listChangeCheckouts } from '../../db/queries/payments/checkout.js';
import type { ReceivedPayment } from '../../commands/payments/payments.js';
import { settleInvoicePayment } from '../../commands/invoices/settle-payment.js';
import { findChange } from '../../db/queries/bookings/booking-change.js';
import { settleChange } from '../../commands/bookings/change/apply.js';
import { settlePayment } from '../../commands/bookings/settle-payment.js';
import type { Checkout } from '../../db/entities/payments.js';
import { transaction } from '../../db/transaction.js';
import { isAttempt, type ChangeAttempt } from '../../domain/payments/money-facts.js';
import type { PaymentReport, VerifyPaymentOutcome } from '../../contract/payments/payments.js';
import { findPublishedState, toRunState, type BookingRunState } from '../bookings/bookings.js';
import type { Intent, Processor } from '../gateways/processor.js';
import { createPaymentLookup } from './lookup.js';

export interface SettledReport {
  outcome: VerifyPaymentOutcome;
  /** The payment that the report is about, if there is one. */
  paymentIntentId?: string;
  /** Part of it was refunded at the processor before we knew about it. */
  refunded?: true;
  /** A bank disputed it before we knew about it. */
  disputed?: true;
  /** The owner's state afterwards, if it is a published booking. */
  state: BookingRunState | null;
}

/** A payment at the processor that belongs to a checkout. */
interface Found {
  /** In minor units. */
  received: ReceivedPayment;
  /** The change whose difference it pays, and with which attempt. */
  changeId: string | null;
  attempt: ChangeAttempt;
  workspaceId: string;
  refunded: boolean;
  disputed: boolean;
}

/**
 * True for a payment of the full amount, in the right currency, on the right connected account. If the row of
 * an attempt is lost, its payment counts for the row that replaced it, in full or in part.
 */
function paysFor(checkout: Checkout, { owner_id }: Intent, money: ReceivedPayment): boolean {
  return (
    money.account_id === checkout.account_id &&
    (money.amount_minor === checkout.amount_minor || owner_id !== checkout.owner_id) &&
    money.currency === checkout.currency
  );
}

/** True if an intent pays an owner's checkout, or a change of the booking. */
const isIntentFor = ({ owner_id, attempt }: Intent, ownerId: string, own: Checkout | null): boolean =>
  owner_id === ownerId || (own !== null && attempt !== null && isAttempt(own, attempt));

const UNPAID = { kind: 'unpaid' } as const;

/** Payments of checkouts (docs/internals/architecture.md#payment-confirmation). */
export function createSettlingActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  const { askAccount, checkoutStatus } = createPaymentLookup(processor);

  async function findPaidIntent(checkout: Checkout): Promise<string | null> {
    const status = await checkoutStatus(checkout);
    return status.kind === 'paid' ? status.paymentIntentId : null;
  }

  /**
   * Returns the intent of the checkout that an owner's payer can pay now: the owner's own checkout, or that
   * of a change of the booking.
   */
  async function intentToSettle(ownerId: string, own: Checkout | null): Promise<string | null> {
    if (own && own.state !== 'paid' && own.state !== 'closed') return findPaidIntent(own);
    const [ofChange] = await listChangeCheckouts(db.manager, ownerId);
    const checkout = ofChange ?? own;
    return checkout && findPaidIntent(checkout);
  }

  /**
   * Returns the payment of an intent, if it pays this owner's checkout or a change of the booking; null if
   * not, or not yet.
   */
  async function findMoney(
    ownerId: string,
    own: Checkout | null,
    paymentIntentId: string,
  ): Promise<Found | null> {
    const intent =
      (own && (await askAccount(own.account_id, paymentIntentId))) ??
      (await findIntentOfChange(ownerId, own, paymentIntentId));
    if (!intent?.money || !isIntentFor(intent, ownerId, own)) return null;
    const {
      money: received,
      refunded_minor,
      disputed,
      change_id: changeId,
      change_attempt: attempt,
    } = intent;
    const found = { received, changeId, attempt, refunded: refunded_minor > 0, disputed };
    if (!changeId)
      return own && paysFor(own, intent, received) ? { ...found, workspaceId: own.workspace_id } : null;
    const workspaceId = (own ?? (await findChange(db.manager, changeId)))?.workspace_id;
    return workspaceId ? { ...found, workspaceId } : null;
  }

  /**
   * Finds an intent on an account to which only changes of the booking are paid, because the booking itself
   * cost nothing there.
   */
  async function findIntentOfChange(
    ownerId: string,
    own: Checkout | null,
    paymentIntentId: string,
  ): Promise<Intent | null> {
    const checkouts = await listChangeCheckouts(db.manager, ownerId);
    const accounts = new Set(checkouts.map(({ account_id }) => account_id));
    if (own) accounts.delete(own.account_id);
    for (const account of accounts) {
      const intent = await askAccount(account, paymentIntentId);
      if (intent) return intent;
    }
    return null;
  }

  /** Returns the state of a settled owner, if it is a published booking. */
  const stateAfter = async (ownerId: string, checkout: Checkout | null): Promise<BookingRunState | null> =>
    checkout?.invoice_id ? null : findPublishedState(db.manager, ownerId);

  return {
    /**
     * Queries the processor about a reported payment, settles it in one transaction and reads the owner's
     * state: confirms the booking, makes a change, pays the invoice, or stores a refund. Idempotent: repeated
     * calls return the first outcome.
     */
    async settleReport(input: { ownerId: string; report: PaymentReport }): Promise<SettledReport> {
      const { ownerId, report } = input;
      const checkout = await findCheckout(db.manager, ownerId);
      const paymentIntentId = report.paymentIntentId ?? (await intentToSettle(ownerId, checkout));
      const found = paymentIntentId && (await findMoney(ownerId, checkout, paymentIntentId));
      if (!found) return { outcome: UNPAID, state: await findPublishedState(db.manager, ownerId) };
      const { received, changeId, attempt, workspaceId, refunded, disputed } = found;
      const { source } = report;
      // A booking that was unpaid until now has no change for its run to follow, so its state is not read
      // again.
      const { settlement: outcome, confirmed } = await transaction(db, async (tx) => {
        const change = changeId && { id: changeId, owner_id: ownerId, workspace_id: workspaceId, attempt };
        // The money of a lost change is refunded.
        if (change)
          return {
            settlement: (await settleChange(tx, change, received, source)) ?? UNPAID,
            confirmed: null,
          };
        return checkout!.invoice_id
          ? { settlement: await settleInvoicePayment(tx, checkout!, received, source), confirmed: null }
          : settlePayment(tx, checkout!, received, source);
      });
      return {
        outcome,
        paymentIntentId,
        ...(refunded && { refunded }),
        ...(disputed && { disputed }),
        state: confirmed ? toRunState(confirmed) : await stateAfter(ownerId, checkout),
      };
    },
  };
}
