import { activityInfo } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { setCheckoutState } from '../../commands/payments/checkouts.js';
import {
  type BookingRow,
  type ChangesOfBooking,
  findBookingWithChanges,
} from '../../db/queries/bookings/booking.js';
import { completeBooking } from '../../commands/bookings/complete-booking.js';
import { expireBooking } from '../../commands/bookings/expire-booking.js';
import { releaseReservation } from '../../commands/bookings/release-reservation.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { CheckoutState } from '../../db/entities/payments.js';
import type { BookingStatus } from '../../domain/states.js';
import { failures } from '../failures.js';

/** What a workflow knows about its booking: ids, times and status, no personal data. */
export interface BookingRunState {
  status: BookingStatus;
  /** ISO 8601 UTC; null if there is nothing to pay. */
  expiresAt: string | null;
  roomId: string;
  startAt: string;
  endAt: string;
  /** The change whose charge does not have a known outcome yet; null if there is none. */
  unsettledChange: string | null;
  /** The change that its payer can pay on the hosted page; null if there is none. */
  pendingChange: PendingChangeState | null;
  /** The checkout of a change that has ended, which must be closed; null if there is none. */
  abandonedCheckout: string | null;
}

/**
 * A change that waits for its payer. `expiresAt` in ISO 8601 UTC; null while its checkout is being opened.
 */
export interface PendingChangeState {
  changeId: string;
  checkoutId: string;
  expiresAt: string | null;
}

const NO_CHANGES: ChangesOfBooking = {
  unsettled_change: null,
  pending_change: null,
  abandoned_checkout: null,
};

export const toRunState = (booking: BookingRow, changes: ChangesOfBooking = NO_CHANGES): BookingRunState => ({
  status: booking.status,
  expiresAt: booking.expires_at && booking.expires_at.toISOString(),
  roomId: booking.room_id,
  startAt: booking.start_at.toISOString(),
  endAt: booking.end_at.toISOString(),
  unsettledChange: changes.unsettled_change,
  pendingChange: changes.pending_change && toPendingChangeState(changes.pending_change),
  abandonedCheckout: changes.abandoned_checkout,
});

const toPendingChangeState = ({
  id,
  checkout_id,
  expires_at,
}: NonNullable<ChangesOfBooking['pending_change']>): PendingChangeState => ({
  changeId: id,
  checkoutId: checkout_id,
  expiresAt: expires_at && new Date(expires_at).toISOString(),
});

/** Returns the state of an existing booking. */
async function currentState(tx: Tx, id: string): Promise<BookingRunState> {
  const booking = await findBookingWithChanges(tx, id);
  if (!booking) throw failures.referenceMissing(`booking ${id}`);
  return toRunState(booking, booking);
}

/**
 * Returns the state of a booking after a change; if the change's row is lost, the state of the booking whose
 * run asks.
 */
export const stateOfChanged = (tx: Tx, change: { booking_id: string } | null): Promise<BookingRunState> =>
  currentState(tx, change?.booking_id ?? activityInfo().workflowExecution!.workflowId);

/** Returns the state of a published booking, or null. */
export async function findPublishedState(tx: Tx, id: string): Promise<BookingRunState | null> {
  const booking = await findBookingWithChanges(tx, id);
  return booking?.published_at ? toRunState(booking, booking) : null;
}

function stateOfExisting(booking: BookingRow | null, id: string): BookingRunState {
  if (!booking) throw failures.referenceMissing(`booking ${id}`);
  return toRunState(booking);
}

/** The transitions of a booking, one transaction each (docs/rules/bookings.md#states). All are idempotent. */
export function createBookingActivities({ db }: { db: DataSource }) {
  return {
    /**
     * Releases a reservation whose create request has failed: slot and idempotency key are free again.
     * Returns the booking if it was published and therefore stays.
     */
    async releaseReservation(input: { bookingId: string; code: string }): Promise<BookingRunState | null> {
      return transaction(db, async (tx) => {
        if (await releaseReservation(tx, input.bookingId, input.code)) return null;
        return findPublishedState(tx, input.bookingId);
      });
    },

    /** Returns the booking's current state. */
    async findBookingState(bookingId: string): Promise<BookingRunState> {
      return currentState(db.manager, bookingId);
    },

    /** Expires an unpaid hold and stores the state of its checkout. Returns the booking's state. */
    async expireBooking(input: { bookingId: string; checkout: CheckoutState }): Promise<BookingRunState> {
      const { bookingId } = input;
      const booking = await transaction(db, async (tx) => {
        await setCheckoutState(tx, bookingId, input.checkout);
        return expireBooking(tx, bookingId);
      });
      return stateOfExisting(booking, bookingId);
    },

    /** Completes a confirmed booking whose time is over. Returns the booking's state. */
    async completeBooking(bookingId: string): Promise<BookingRunState> {
      const booking = await transaction(db, (tx) => completeBooking(tx, bookingId));
      if (!booking) throw failures.referenceMissing(`booking ${bookingId}`);
      return currentState(db.manager, bookingId);
    },

    /** Stores the state of a checkout that no live booking waits for. */
    async recordCheckout(input: { ownerId: string; state: CheckoutState }): Promise<void> {
      await transaction(db, (tx) => setCheckoutState(tx, input.ownerId, input.state));
    },
  };
}
