/**
 * Why money was sent back instead of settling a booking or invoice (docs/rules/bookings.md#late-payments): the 409 that
 * `verify_payment` returns for it, now and every time after.
 */
export interface PaymentRefusal {
  code: 'slot_already_paid' | 'payment_too_late';
  /** Null where an invoice was to be paid. */
  booking_id: string | null;
  conflicting_booking_id: string | null;
  refund_id: string;
}
