import type { PendingEnd } from './pending-change.js';
import type { PresentedBooking } from './booking-presenter.js';

/** The input of `presentPendingChange`: a change that waits for payment, with its checkout. */
export interface PendingChangeFacts {
  id: string;
  checkout_url: string;
  amount_minor: number;
  expires_at: Date;
}

/**
 * A change that waits for payment, as the API returns it
 * (docs/rules/bookings.md#paying-the-difference-by-link).
 */
export const presentPendingChange = ({ id, checkout_url, amount_minor, expires_at }: PendingChangeFacts) => ({
  id,
  checkout_url,
  amount_minor,
  expires_at: expires_at.toISOString(),
});

export type PresentedPendingChange = ReturnType<typeof presentPendingChange>;

/**
 * The object of `booking.change_pending` and `booking.change_lapsed`: the unchanged booking, and the change.
 */
export type BookingWithPendingChange = PresentedBooking & {
  pending_change: PresentedPendingChange & {
    /** Why the change was not made; null while it can be paid. */
    ended: PendingEnd | null;
  };
};
