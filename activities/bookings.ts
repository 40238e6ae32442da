import type { DataSource } from 'typeorm';
import { findCheckout } from '../db/repositories/billing/checkout-queries.js';
import { setCheckoutState } from '../db/repositories/billing/checkouts.js';
import { settleInvoicePayment } from '../db/repositories/billing/settle-invoice-payment.js';
import type { Settlement } from '../db/repositories/billing/settlement-queries.js';
import { type BookingRow, findBookingById } from '../db/repositories/bookings/booking-queries.js';
import { completeBooking } from '../db/repositories/bookings/complete-booking.js';
import { expireBooking } from '../db/repositories/bookings/expire-booking.js';
import { publishBooking } from '../db/repositories/bookings/publish-booking.js';
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
}

/** A received payment, serialized for Temporal: amounts in minor units, times in ISO 8601. */
export interface PaymentReceipt {
  payment_intent_id: string;
  account_id: string;
  amount_minor: number;
  currency: string;
  method: string;
  paid_at: string;
  /** The amount refunded at the processor before we knew about the payment. */
  refunded_minor?: number;
  /** A bank has disputed it before we knew of it. */
  disputed?: boolean;
}

export const stateOf = (booking: BookingRow): BookingState => ({
  status: booking.status,
  expiresAt: booking.expires_at && booking.expires_at.toISOString(),
  roomId: booking.room_id,
  startAt: booking.start_at.toISOString(),
  endAt: booking.end_at.toISOString(),
});

function stateOfExisting(booking: BookingRow | null, id: string): BookingState {
  if (!booking) throw failures.referenceMissing(`booking ${id}`);
  return stateOf(booking);
}

/** The transitions of a booking, one transaction each (docs/rules/bookings.md#states). All are idempotent. */
export function createBookingActivities({ db }: { db: DataSource }) {
  return {
    /** Publishes a reservation, which makes the booking visible. Null if the reservation is gone. */
    async publishBooking(input: {
      bookingId: string;
      session: { id: string; url: string } | null;
    }): Promise<BookingState | null> {
      const booking = await transaction(db, (tx) => publishBooking(tx, input.bookingId, input.session));
      return booking && stateOf(booking);
    },

    /** Releases a reservation whose create has failed: slot and idempotency key are free again. */
    async releaseReservation(input: { bookingId: string; code: string }): Promise<void> {
      await transaction(db, (tx) => releaseReservation(tx, input.bookingId, input.code));
    },

    /** The booking's current state. */
    async findBookingState(bookingId: string): Promise<BookingState> {
      return stateOfExisting(await findBookingById(db.manager, bookingId), bookingId);
    },

    /** Settles a payment for a checkout: confirms the booking, pays the invoice, or stores a refund. */
    async settleMoney(input: {
      ownerId: string;
      money: PaymentReceipt;
      source: ConfirmationSource;
    }): Promise<Settlement> {
      const money = { ...input.money, paid_at: new Date(input.money.paid_at) };
      return transaction(db, async (tx) => {
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
      return stateOfExisting(await transaction(db, (tx) => completeBooking(tx, bookingId)), bookingId);
    },

    /** Stores the state of a checkout that no live booking waits for. */
    async recordCheckout(input: { ownerId: string; state: CheckoutState }): Promise<void> {
      await transaction(db, (tx) => setCheckoutState(tx, input.ownerId, input.state));
    },
  };
}
