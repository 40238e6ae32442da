/**
 * Why a payment was refunded instead of settling a booking or invoice (docs/rules/bookings.md#late-payments).
 * Every `verify_payment` of it returns this 409.
 */
export interface PaymentRefusal {
  code: 'slot_already_paid' | 'payment_too_late';
  /** Null for the payment of an invoice. */
  booking_id: string | null;
  conflicting_booking_id: string | null;
  refund_id: string;
}
