import { findRefundable } from '../../db/repositories/billing/refunds.js';
import type { BookingRow } from '../../db/repositories/bookings/booking-queries.js';
import { findRoom } from '../../db/repositories/rooms/room-queries.js';
import { planRefund } from '../../domain/booking-cancellation.js';
import type { RefundPolicy } from '../../domain/refund-policy.js';
import type { ApiDependencies } from '../dependencies.js';

/** What cancelling a booking now gives back, by policy; minor units. */
export async function refundsOf(
  { db }: Pick<ApiDependencies, 'db'>,
  booking: BookingRow,
): Promise<Record<RefundPolicy, number>> {
  const refundable = await findRefundable(db.manager, { booking_id: booking.id });
  const room = (await findRoom(db.manager, booking.workspace_id, booking.room_id))!;
  const now = new Date();
  const refundOf = (policy: RefundPolicy): number =>
    planRefund(booking, refundable, room.refund_steps, policy, now).refund_minor;
  return { standard: refundOf('standard'), full: refundOf('full'), none: 0 };
}
