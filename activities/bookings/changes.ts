import type { DataSource } from 'typeorm';
import { findChangeCharge } from '../../db/queries/payments/checkout.js';
import { type BookingChange, findChange } from '../../db/queries/bookings/booking-change.js';
import { finishChange, lockChange } from '../../commands/bookings/change/plan.js';
import {
  isUndecided,
  setCard,
  setRefused,
  setUndecided,
  afterRefusal,
} from '../../commands/bookings/change/pay.js';
import type { Checkout } from '../../db/entities/payments.js';
import { findBookingById } from '../../db/queries/bookings/booking.js';
import { cancelBooking } from '../../commands/bookings/cancel-booking.js';
import { startChange, settleChange } from '../../commands/bookings/change/apply.js';
import { recordDeskPayment } from '../../commands/bookings/desk-payment.js';
import type { ChangeOutcome } from '../../domain/bookings/change.js';
import type { ClosedPage } from '../../domain/payments/desk-payment.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { notChargedBy, type NotCharged } from '../../domain/bookings/pending-change.js';
import { stateOfChanged, type BookingRunState } from './bookings.js';
import { createCharging } from '../payments/charging.js';
import { failures } from '../failures.js';
import type { ChargeResult, Processor } from '../gateways/processor.js';

/** The payment of a change, serialized for Temporal: amount in minor units, time in ISO 8601. */
export interface PaymentReceipt {
  payment_intent_id: string;
  account_id: string;
  amount_minor: number;
  currency: string;
  method: string;
  paid_at: string;
}

/** The progress of a change: done except for its refunds, refused, or about to be charged or paid. */
type Progress =
  | { kind: 'done'; refundIds: string[] }
  | { kind: 'refused' }
  | { kind: 'charge' }
  /** Its payer must get a link. */
  | { kind: 'link' }
  /** Its payer has the link. */
  | { kind: 'pending' };

/** The results of a decision that are not final. */
type Undecided = 'charge' | 'link' | 'pending';

/** The progress of a change, and the booking's state afterwards. */
export type ChangeStep = Progress & { state: BookingRunState };

/**
 * The result of charging a difference. `pending`: the bank has not decided yet. `settled`: the change
 * has ended in the meantime.
 */
export type Charged =
  | { kind: 'paid'; money: PaymentReceipt }
  /** `code`: the processor's code. */
  | { kind: 'refused'; reason: NotCharged; code: string }
  | { kind: 'pending' }
  | { kind: 'settled' };

const toProgress = (outcome: ChangeOutcome | Undecided): Progress => {
  if (typeof outcome === 'string') return { kind: outcome };
  return outcome.kind === 'done' ? { kind: 'done', refundIds: outcome.refund_ids } : { kind: 'refused' };
};

function toCharged(result: ChargeResult): Charged {
  if (result.kind === 'paid')
    return { kind: 'paid', money: { ...result.money, paid_at: result.money.paid_at.toISOString() } };
  if (result.kind === 'pending') return result;
  return { kind: 'refused', reason: notChargedBy(result.reason), code: result.reason };
}

/**
 * Changes, cancellations and payments at the desk (docs/rules/bookings.md#changes). Each one is decided once;
 * the stored decision is final.
 */
export function createChangeActivities({
  db,
  processor,
  quotas,
}: {
  db: DataSource;
  processor: Processor;
  quotas: Quotas;
}) {
  const chargeCard = createCharging({ db, processor });

  /**
   * Decides a change once, in one transaction. A refusal rolls it back and is stored in another one. A change
   * whose row was lost in a failover counts as refused: nothing was changed.
   */
  async function decide<Kind extends BookingChange['kind']>(
    changeId: string,
    kind: Kind,
    work: (tx: Tx, change: BookingChange & { kind: Kind }) => Promise<ChangeOutcome | Undecided>,
  ): Promise<Progress> {
    try {
      const decided = await transaction(db, async (tx) => {
        const change = await lockChange(tx, changeId);
        if (!change) return null;
        if (change.kind !== kind) throw failures.referenceMissing(`${kind} ${changeId}`);
        if (change.state === 'charging') return 'charge';
        if (change.state === 'opening') return 'link';
        if (change.state === 'pending') return 'pending';
        return change.outcome ?? work(tx, change as BookingChange & { kind: Kind });
      });
      return decided ? toProgress(decided) : { kind: 'refused' };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message, context } = error;
      await transaction(db, (tx) => finishChange(tx, changeId, { kind: 'refused', code, message, context }));
      return { kind: 'refused' };
    }
  }

  async function withState(changeId: string, progress: Progress): Promise<ChangeStep> {
    return { ...progress, state: await stateOfChanged(db.manager, await findChange(db.manager, changeId)) };
  }

  /** Returns the card of the booking's first payment, which is read only once. Null if there is none. */
  async function findBookingCard(charge: Checkout, bookingId: string) {
    const { account_id, customer_id, payment_method_id } = charge;
    if (customer_id && payment_method_id) return { customer_id, payment_method_id };
    const { processor_payment_intent_id } = (await findBookingById(db.manager, bookingId))!;
    const paid = await processor.lookUpIntent(account_id, processor_payment_intent_id!);
    if (paid?.card) await setCard(db.manager, charge, paid.card);
    return paid?.card ?? null;
  }

  return {
    /** Decides a change and applies it, unless a difference must be paid first. */
    async beginChange(changeId: string): Promise<ChangeStep> {
      return withState(
        changeId,
        await decide(changeId, 'change', (tx, change) => startChange(tx, quotas, change)),
      );
    },

    /** Cancels a booking, or stores why it cannot be cancelled. */
    async cancelBooking(changeId: string): Promise<ChangeStep> {
      return withState(changeId, await decide(changeId, 'cancel', cancelBooking));
    },

    /**
     * Records a payment at the desk, or stores why it cannot be recorded. `page`: the state of the hosted
     * page after it was closed, either the booking's or with `checkoutId` that of its change.
     */
    async recordDeskPayment(input: {
      changeId: string;
      checkoutId?: string;
      page: ClosedPage;
    }): Promise<ChangeStep> {
      const { changeId, ...closed } = input;
      return withState(
        changeId,
        await decide(changeId, 'payment', (tx, change) => recordDeskPayment(tx, change, closed)),
      );
    },

    /**
     * Charges the difference to the card that paid for the booking. If the change has ended in the meantime,
     * nothing is charged, and an existing charge is cancelled if possible. Throws while the outcome is
     * unknown. A change whose row was lost in a failover counts as ended: money that was received for it is
     * found by its metadata.
     */
    async chargeDifference(changeId: string): Promise<Charged> {
      const change = await findChange(db.manager, changeId);
      if (!change) return { kind: 'settled' };
      const { booking_id, created_at, state } = change;
      const isDue = state === 'charging';
      const checkout = await findChangeCharge(db.manager, changeId);
      if (!checkout || (!isDue && !isUndecided(checkout))) return { kind: 'settled' };
      const ids = { id: checkout.id, change_id: changeId, booking_id, invoice_id: null, ordinal: 1 };
      const { account_id, amount_minor, charge_ordinal } = checkout;
      const difference = { amount_minor, ordinal: charge_ordinal! };
      const purpose = { ...ids, account_id, created_at, difference };
      const findCard = () => findBookingCard(checkout, booking_id);
      const result = await chargeCard({ checkout, purpose, since: created_at, isDue, findCard });
      if (result.kind === 'pending') await setUndecided(db.manager, changeId);
      return toCharged(result);
    },

    /**
     * Moves the booking if the difference was paid. Otherwise leaves it exactly as it was, unless the payer
     * must get a link. Returns the id of the refund if the money arrived too late.
     */
    async finishChange(input: {
      changeId: string;
      charged: Extract<Charged, { kind: 'paid' | 'refused' }>;
    }): Promise<{ refundId: string | null; opensLink: boolean }> {
      const { changeId, charged } = input;
      const stored = await findChange(db.manager, changeId);
      if (!stored) return { refundId: null, opensLink: false };
      const { booking_id: owner_id, workspace_id } = stored;
      return transaction(db, async (tx) => {
        if (charged.kind === 'paid') {
          const money = { ...charged.money, paid_at: new Date(charged.money.paid_at) };
          const change = { id: changeId, owner_id, workspace_id, attempt: 'charge' } as const;
          const settlement = (await settleChange(tx, change, money, null))!;
          const refundId = settlement.kind === 'refused' ? settlement.refusal.refund_id : null;
          return { refundId, opensLink: false };
        }
        const change = await lockChange(tx, changeId);
        await setRefused(tx, changeId, charged.code);
        // A repeated call finds that the link must be opened.
        const opensLink =
          change?.state === 'charging'
            ? await afterRefusal(tx, quotas, change, charged.reason)
            : change?.state === 'opening';
        return { refundId: null, opensLink };
      });
    },
  };
}
