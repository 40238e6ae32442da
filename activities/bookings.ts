import type { DataSource } from 'typeorm';
import { findCheckout } from '../db/repositories/billing/checkout-queries.js';
import { setCheckoutState } from '../db/repositories/billing/checkouts.js';
import { settleInvoicePayment } from '../db/repositories/billing/settle-invoice-payment.js';
import type { Settlement } from '../db/repositories/billing/settlement-queries.js';
import { type BookingRow, findBookingById } from '../db/repositories/bookings/booking-queries.js';
import { completeBooking } from '../db/repositories/bookings/complete-booking.js';
import { expireBooking } from '../db/repositories/bookings/expire-booking.js';
import { publishBooking } from '../db/repositories/bookings/publish-booking.js';
import { releaseReservation } from '../db/repositories/bookings/release-reservation.js';
import { settlePayment } from '../db/repositories/bookings/settle-payment.js';
import { transaction } from '../db/transaction.js';
import type { CheckoutState } from '../db/rows.js';
import type { ConfirmationSource, BookingStatus } from '../domain/states.js';
import { failures } from './failures.js';

/** What a workflow needs to know of its booking: ids, times and status; nobody's data. */
export interface BookingState {
  status: BookingStatus;
  /** ISO 8601 UTC; null where there is nothing to pay. */
  expiresAt: string | null;
  roomId: string;
  startAt: string;
  endAt: string;
}

/** Money as it crosses Temporal: the same facts, times as text. */
export interface PaymentReceipt {
  payment_intent_id: string;
  account_id: string;
  amount_minor: number;
  currency: string;
  method: string;
  paid_at: string;
  /** What of it was given back at the processor before we knew of it; absent in runs of before. */
  refunded_minor?: number;
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

/** The transactions of a booking's life, one each. All are safe to run again. */
export function createBookingActivities({ db }: { db: DataSource }) {
  return {
    /** Makes a held slot a booking that everyone sees; null if the reservation is gone. */
    async publishBooking(input: {
      bookingId: string;
      session: { id: string; url: string } | null;
    }): Promise<BookingState | null> {
      const booking = await transaction(db, (tx) => publishBooking(tx, input.bookingId, input.session));
      return booking && stateOf(booking);
    },

    /** Undoes a reservation whose create has failed: slot and key are free again. */
    async releaseReservation(input: { bookingId: string; code: string }): Promise<void> {
      await transaction(db, (tx) => releaseReservation(tx, input.bookingId, input.code));
    },

    async findBookingState(bookingId: string): Promise<BookingState> {
      return stateOfExisting(await findBookingById(db.manager, bookingId), bookingId);
    },

    /** Settles money that the processor has for a checkout: it confirms the booking or pays the invoice, or goes back. */
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

    /** Ends an unpaid hold and notes what became of its checkout. */
    async expireBooking(input: { bookingId: string; checkout: CheckoutState }): Promise<BookingState> {
      const { bookingId } = input;
      const booking = await transaction(db, async (tx) => {
        await setCheckoutState(tx, bookingId, input.checkout);
        return expireBooking(tx, bookingId);
      });
      return stateOfExisting(booking, bookingId);
    },

    /** Ends a confirmed booking whose time is over. */
    async completeBooking(bookingId: string): Promise<BookingState> {
      return stateOfExisting(await transaction(db, (tx) => completeBooking(tx, bookingId)), bookingId);
    },

    /** Notes what the processor says of a checkout that no live booking waits for. */
    async recordCheckout(input: { ownerId: string; state: CheckoutState }): Promise<void> {
      await transaction(db, (tx) => setCheckoutState(tx, input.ownerId, input.state));
    },
  };
}
