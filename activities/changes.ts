import type { DataSource } from 'typeorm';
import { findCheckout } from '../db/repositories/billing/checkout-queries.js';
import {
  type BookingChange,
  findChange,
  findChargingChanges,
} from '../db/repositories/bookings/booking-change-queries.js';
import { finishChange, lockChange } from '../db/repositories/bookings/booking-changes.js';
import { findBookingById } from '../db/repositories/bookings/booking-queries.js';
import { cancelBooking } from '../db/repositories/bookings/cancel-booking.js';
import { finishPaidChange, startChange, undoChange } from '../db/repositories/bookings/change-booking.js';
import type { ChangeOutcome } from '../domain/booking-change.js';
import { transaction, type Tx } from '../db/transaction.js';
import { ApiError } from '../domain/errors.js';
import type { PaymentReceipt } from './bookings.js';
import { failures, isAccountUnusable, isRefused } from './failures.js';
import type { Processor } from './gateways/processor.js';

/** The progress of a change: done except for its refunds, refused, or about to be charged. */
export type ChangeStep = { kind: 'done'; refundIds: string[] } | { kind: 'refused' } | { kind: 'charge' };

/** The result of charging a difference. */
export type Charged = { kind: 'paid'; money: PaymentReceipt } | { kind: 'refused' };

const stepOf = (outcome: ChangeOutcome | 'charge'): ChangeStep => {
  if (outcome === 'charge') return { kind: 'charge' };
  return outcome.kind === 'done' ? { kind: 'done', refundIds: outcome.refund_ids } : { kind: 'refused' };
};

/** Changes and cancellations (docs/rules/bookings.md#changes). Each is decided once; the stored decision is final. */
export function createChangeActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  async function existing(changeId: string): Promise<BookingChange> {
    const change = await findChange(db.manager, changeId);
    if (!change) throw failures.referenceMissing(`change ${changeId}`);
    return change;
  }

  /** Decides a change once, in one transaction. A refusal rolls it back and is stored in another. */
  async function decide<Kind extends BookingChange['kind']>(
    changeId: string,
    kind: Kind,
    work: (tx: Tx, change: BookingChange & { kind: Kind }) => Promise<ChangeOutcome | 'charge'>,
  ): Promise<ChangeStep> {
    try {
      const decided = await transaction(db, async (tx) => {
        const change = await lockChange(tx, changeId);
        if (change?.kind !== kind) throw failures.referenceMissing(`${kind} ${changeId}`);
        if (change.state === 'charging') return 'charge';
        return change.outcome ?? work(tx, change as BookingChange & { kind: Kind });
      });
      return stepOf(decided);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message, context } = error;
      await transaction(db, (tx) => finishChange(tx, changeId, { kind: 'refused', code, message, context }));
      return { kind: 'refused' };
    }
  }

  return {
    /** Decides a change and applies it, unless a difference has to be charged first. */
    async beginChange(changeId: string): Promise<ChangeStep> {
      return decide(changeId, 'change', startChange);
    },

    /** Cancels a booking, or stores why it cannot be cancelled. */
    async cancelBooking(changeId: string): Promise<ChangeStep> {
      return decide(changeId, 'cancel', cancelBooking);
    },

    /** Charges the difference to the card on file. Throws while the outcome is unknown. */
    async chargeDifference(changeId: string): Promise<Charged> {
      const change = await existing(changeId);
      const booking = await findBookingById(db.manager, change.booking_id);
      const checkout = await findCheckout(db.manager, change.booking_id);
      const due = change.plan?.move?.difference.total_minor;
      if (!due || !booking?.processor_payment_intent_id || !checkout)
        throw failures.referenceMissing(`difference of ${changeId}`);
      try {
        const charged = await processor.chargeSavedCard({
          change_id: changeId,
          created_at: change.created_at,
          booking_id: booking.id,
          account_id: checkout.account_id,
          payment_intent_id: booking.processor_payment_intent_id,
          amount_minor: due,
          currency: booking.currency,
        });
        if (charged.kind === 'refused') return { kind: 'refused' };
        return {
          kind: 'paid',
          money: { ...charged.money, paid_at: charged.money.paid_at.toISOString() },
        };
      } catch (error) {
        if (isRefused(error) || isAccountUnusable(error)) return { kind: 'refused' };
        throw error;
      }
    },

    /** Applies the change if the difference was paid; otherwise leaves the booking exactly as it was. */
    async finishChange(input: { changeId: string; charged: Charged }): Promise<void> {
      const { charged } = input;
      await transaction(db, async (tx) => {
        const change = await findChange(tx, input.changeId);
        if (change?.state !== 'charging') return;
        if (charged.kind === 'refused') await undoChange(tx, change);
        else {
          const money = { ...charged.money, paid_at: new Date(charged.money.paid_at) };
          await finishPaidChange(tx, change, money);
        }
      });
    },

    /** The ids of changes that were being charged when the booking's run was lost. */
    async listChargingChanges(bookingId: string): Promise<string[]> {
      return findChargingChanges(db.manager, bookingId);
    },
  };
}
