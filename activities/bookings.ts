import type { DataSource } from 'typeorm';
import { findCheckout } from '../db/repositories/billing/checkout-queries.js';
import { setCheckoutState } from '../db/repositories/billing/checkouts.js';
import { settleInvoicePayment } from '../db/repositories/billing/settle-invoice-payment.js';
import type { Settlement } from '../db/repositories/billing/settlement-queries.js';
import { findUnsettledChanges } from '../db/repositories/bookings/booking-change-queries.js';
import { type BookingRow, findBookingById } from '../db/repositories/bookings/booking-queries.js';
import { completeBooking } from '../db/repositories/bookings/complete-booking.js';
import { expireBooking } from '../db/repositories/bookings/expire-booking.js';
import { publishBooking } from '../db/repositories/bookings/publish-booking.js';
import { settleChange } from '../db/repositories/bookings/settle-change.js';
import { settlePayment } from '../db/repositories/bookings/settle-payment.js';
import { releaseReservation } from '../db/repositories/bookings/release-reservation.js';
import { transaction } from '../db/transaction.js';
import type { CheckoutState } from '../db/rows.js';
import type { ConfirmationSource, BookingStatus } from '../domain/states.js';
import { failures } from './failures.js';

/** What a workflow knows about its booking: ids, times and status, no personal data. */
export interface BookingState {
  status: BookingStatus;
  /** ISO 8601 UTC; null if there is nothing to pay. */
  expiresAt: string | null;
  roomId: string;
  startAt: string;
  endAt: string;
  /** The change whose charge has no known outcome yet; null if there is none. */
  unsettledChange: string | null;
}

/** A received payment, serialized for Temporal: amounts in minor units, times in ISO 8601. */
export interface PaymentReceipt {
  payment_intent_id: string;
  account_id: string;
  amount_minor: number;
  currency: string;
  method: string;
  paid_at: string;
  /** The change whose difference it pays. */
  change_id?: string;
  /** The amount refunded at the processor before we knew about the payment. */
  refunded_minor?: number;
  /** A bank has disputed it before we knew of it. */
  disputed?: boolean;
}

export const stateOf = (booking: BookingRow, unsettledChange: string | null = null): BookingState => ({
  status: booking.status,
  expiresAt: booking.expires_at && booking.expires_at.toISOString(),
  roomId: booking.room_id,
  startAt: booking.start_at.toISOString(),
  endAt: booking.end_at.toISOString(),
  unsettledChange,
});

function stateOfExisting(booking: BookingRow | null, id: string): BookingState {
  if (!booking) throw failures.referenceMissing(`booking ${id}`);
  return stateOf(booking);
}

/** The transitions of a booking, one transaction each (docs/rules/bookings.md#states). All are idempotent. */
export function createBookingActivities({ db }: { db: DataSource }) {
  async function withCharge(booking: BookingRow): Promise<BookingState> {
    const [change] = await findUnsettledChanges(db.manager, booking.id);
    return stateOf(booking, change);
  }

  return {
    /** Publishes a reservation, which makes the booking visible. Null if the reservation is gone. */
    async publishBooking(input: {
      bookingId: string;
      session: { id: string; url: string } | null;
    }): Promise<BookingState | null> {
      const booking = await transaction(db, (tx) => publishBooking(tx, input.bookingId, input.session));
      return booking && stateOf(booking);
    },

    /**
     * Releases a reservation whose create has failed: slot and idempotency key are free again. Returns the booking if it was
     * published and therefore stays.
     */
    async releaseReservation(input: { bookingId: string; code: string }): Promise<BookingState | null> {
      return transaction(db, async (tx) => {
        if (await releaseReservation(tx, input.bookingId, input.code)) return null;
        const booking = await findBookingById(tx, input.bookingId);
        return booking?.published_at ? stateOf(booking) : null;
      });
    },

    /** The booking's current state. */
    async findBookingState(bookingId: string): Promise<BookingState> {
      const booking = await findBookingById(db.manager, bookingId);
      if (!booking) throw failures.referenceMissing(`booking ${bookingId}`);
      return withCharge(booking);
    },

    /** Settles a payment: confirms the booking, makes a change, pays the invoice, or stores a refund. */
    async settleMoney(input: {
      ownerId: string;
      money: PaymentReceipt;
      source: ConfirmationSource;
    }): Promise<Settlement> {
      const money = { ...input.money, paid_at: new Date(input.money.paid_at) };
      return transaction(db, async (tx) => {
        if (money.change_id) return settleChange(tx, money.change_id, money);
        const checkout = await findCheckout(tx, input.ownerId);
        if (!checkout) throw failures.referenceMissing(`checkout of ${input.ownerId}`);
        const settle = checkout.invoice_id ? settleInvoicePayment : settlePayment;
        return settle(tx, checkout, money, input.source);
      });
    },

    /** Expires an unpaid hold and stores the state of its checkout. */
    async expireBooking(input: { bookingId: string; checkout: CheckoutState }): Promise<BookingState> {
      const { bookingId } = input;
      const booking = await transaction(db, async (tx) => {
        await setCheckoutState(tx, bookingId, input.checkout);
        return expireBooking(tx, bookingId);
      });
      return stateOfExisting(booking, bookingId);
    },

    /** Completes a confirmed booking whose time is over. */
    async completeBooking(bookingId: string): Promise<BookingState> {
      const booking = await transaction(db, (tx) => completeBooking(tx, bookingId));
      if (!booking) throw failures.referenceMissing(`booking ${bookingId}`);
      return withCharge(booking);
    },

    /** Stores the state of a checkout that no live booking waits for. */
    async recordCheckout(input: { ownerId: string; state: CheckoutState }): Promise<void> {
      await transaction(db, (tx) => setCheckoutState(tx, input.ownerId, input.state));
    },
  };
}
