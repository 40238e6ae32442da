import type { DataSource } from 'typeorm';
import { findCheckout } from '../db/queries/billing/checkout.js';
import { findLostTime } from '../db/queries/billing/lost-time.js';
import { type BookingChange, findChange } from '../db/queries/bookings/booking-change.js';
import { endWithdrawnChange, finishChange, lockChange } from '../commands/bookings/booking-changes.js';
import { findBookingById } from '../db/queries/bookings/booking.js';
import { cancelBooking } from '../commands/bookings/cancel-booking.js';
import { afterRefusal, startChange } from '../commands/bookings/change-booking.js';
import { settleChange } from '../commands/bookings/settle-change.js';
import type { ChangeOutcome } from '../domain/booking-change.js';
import { transaction, type Tx } from '../db/transaction.js';
import { ApiError } from '../domain/errors.js';
import { notChargedBy, type NotCharged } from '../domain/pending-change.js';
import { currentState, type BookingState } from './bookings.js';
import { failures, isAccountUnusable, isRefused } from './failures.js';
import type { ChargePurpose, ChargeResult, Processor } from './gateways/processor.js';

/** A charge of a change, serialized for Temporal: amount in minor units, time in ISO 8601. */
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
  /** Its payer is to get a link. */
  | { kind: 'link' }
  /** Its payer has the link. */
  | { kind: 'pending' };

/** What a decision about a change can lead to, apart from an outcome. */
type Undecided = 'charge' | 'link' | 'pending';

/** The progress of a change, and the booking's state afterwards. */
export type ChangeStep = Progress & { state: BookingState };

/**
 * The result of charging a difference. `pending`: the bank has not decided yet. `settled`: the change has ended in the
 * meantime.
 */
export type Charged =
  | { kind: 'paid'; money: PaymentReceipt }
  | { kind: 'refused'; reason: NotCharged }
  | { kind: 'pending' }
  | { kind: 'settled' };

const DECLINED = { kind: 'refused', reason: 'declined' } as const;

const stepOf = (outcome: ChangeOutcome | Undecided): Progress => {
  if (typeof outcome === 'string') return { kind: outcome };
  return outcome.kind === 'done' ? { kind: 'done', refundIds: outcome.refund_ids } : { kind: 'refused' };
};

function chargedOf(result: ChargeResult): Charged {
  if (result.kind === 'paid')
    return { kind: 'paid', money: { ...result.money, paid_at: result.money.paid_at.toISOString() } };
  return result.kind === 'refused' ? { kind: 'refused', reason: notChargedBy(result.reason) } : result;
}

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
    work: (tx: Tx, change: BookingChange & { kind: Kind }) => Promise<ChangeOutcome | Undecided>,
  ): Promise<Progress> {
    try {
      const decided = await transaction(db, async (tx) => {
        const change = await lockChange(tx, changeId);
        if (change?.kind !== kind) throw failures.referenceMissing(`${kind} ${changeId}`);
        if (change.state === 'charging') return 'charge';
        if (change.state === 'opening') return 'link';
        if (change.state === 'pending') return 'pending';
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

  async function withState(changeId: string, progress: Progress): Promise<ChangeStep> {
    const { booking_id } = await existing(changeId);
    return { ...progress, state: await currentState(db.manager, booking_id) };
  }

  /** Cancels the charge of a withdrawn change if that is possible. */
  async function endCharge(purpose: ChargePurpose): Promise<Charged> {
    try {
      return chargedOf(await processor.endCharge(purpose));
    } catch (error) {
      if (isAccountUnusable(error)) return DECLINED;
      throw error;
    }
  }

  return {
    /** Decides a change and applies it, unless a difference has to be paid first. */
    async beginChange(changeId: string): Promise<ChangeStep> {
      return withState(changeId, await decide(changeId, 'change', startChange));
    },

    /** Cancels a booking, or stores why it cannot be cancelled. */
    async cancelBooking(changeId: string): Promise<ChangeStep> {
      return withState(changeId, await decide(changeId, 'cancel', cancelBooking));
    },

    /**
     * Charges the difference to the card on file, or cancels the charge of a withdrawn change. Throws while the outcome
     * is unknown.
     */
    async chargeDifference(changeId: string): Promise<Charged> {
      const { booking_id, created_at, state, plan } = await existing(changeId);
      const booking = await findBookingById(db.manager, booking_id);
      const checkout = await findCheckout(db.manager, booking_id);
      if (state !== 'withdrawn' && state !== 'charging') return { kind: 'settled' };
      if (!booking?.processor_payment_intent_id || !checkout)
        throw failures.referenceMissing(`difference of ${changeId}`);
      const { account_id } = checkout;
      const ids = { id: changeId, change_id: changeId, booking_id, invoice_id: null, ordinal: 1 };
      const purpose = { ...ids, account_id, created_at };
      if (state === 'withdrawn') return endCharge(purpose);
      const amount_minor = plan!.move!.difference.total_minor;
      try {
        // The card of the first payment.
        const paid = await processor.lookUpIntent(account_id, booking.processor_payment_intent_id);
        if (!paid?.card) return { kind: 'refused', reason: notChargedBy('no_card_on_file') };
        const lost = await findLostTime(db.manager, account_id, created_at);
        const { currency } = booking;
        const charged = await processor.charge({ ...purpose, ...paid.card, lost, amount_minor, currency });
        return chargedOf(charged);
      } catch (error) {
        if (isRefused(error) || isAccountUnusable(error)) return DECLINED;
        throw error;
      }
    },

    /**
     * Moves the booking if the difference was paid, else leaves it exactly as it was, unless the payer is to get a link.
     * Returns the id of the refund if the money came too late.
     */
    async finishChange(input: {
      changeId: string;
      charged: Extract<Charged, { kind: 'paid' | 'refused' }>;
    }): Promise<{ refundId: string | null; opensLink: boolean }> {
      const { changeId, charged } = input;
      const { booking_id: owner_id, workspace_id } = await existing(changeId);
      return transaction(db, async (tx) => {
        if (charged.kind === 'paid') {
          const money = { ...charged.money, paid_at: new Date(charged.money.paid_at) };
          const change = { id: changeId, owner_id, workspace_id };
          const settlement = (await settleChange(tx, change, money, null))!;
          const refundId = settlement.kind === 'refused' ? settlement.refusal.refund_id : null;
          return { refundId, opensLink: false };
        }
        const change = await lockChange(tx, changeId);
        // A repeated call finds that the link is to be opened.
        const opensLink =
          change?.state === 'charging'
            ? await afterRefusal(tx, change, charged.reason)
            : change?.state === 'opening';
        await endWithdrawnChange(tx, changeId);
        return { refundId: null, opensLink };
      });
    },
  };
}
