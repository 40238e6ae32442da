import { findRefundable } from '../../../commands/billing/refunds.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findInvoiceById } from '../../../db/queries/billing/invoice.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { waivedMinor, planRefund, refundedPercent } from '../../../domain/booking-cancellation.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import type { PlannedRefund } from '../../../domain/refund-parts.js';
import { byHandMinor, type RefundPolicy } from '../../../domain/refund-policy.js';
import type { ApiDependencies } from '../../dependencies.js';

/** What cancelling a booking now refunds, by policy; minor units. */
async function refundsOf(
  { db }: Pick<ApiDependencies, 'db'>,
  booking: BookingRow,
): Promise<Record<RefundPolicy, number>> {
  const refundable = await findRefundable(db.manager, { booking_id: booking.id }, 'cancellation');
  const room = (await findRoom(db.manager, booking.workspace_id, booking.room_id))!;
  const now = new Date();
  const refundOf = (policy: RefundPolicy): number =>
    planRefund(booking, refundable, room.refund_steps, policy, now).refund_minor;
  return { standard: refundOf('standard'), full: refundOf('full'), none: 0 };
}

/** A cancellation as it is shown before; minor units. */
export type ShownCancellation =
  | ({ kind: 'refund' } & PlannedRefund)
  /** A booking on account that is not fully paid. */
  | { kind: 'owed'; waived_minor: number; kept_minor: number };

/** What cancelling a booking refunds now, by default by the room's terms; or on account what stays due. */
export async function cancellationOf(
  deps: Pick<ApiDependencies, 'db'>,
  booking: BookingRow,
  policy: RefundPolicy = 'standard',
): Promise<ShownCancellation> {
  const { manager } = deps.db;
  const onAccount = booking.account_days !== null && booking.status === 'confirmed';
  const invoice = onAccount ? await findInvoiceById(manager, booking.invoice_id!) : null;
  const owed = invoice ? outstandingOf(invoice) : 0;
  if (!invoice || owed === 0) {
    const refundable = await findRefundable(manager, { booking_id: booking.id }, 'cancellation');
    const refund_minor = (await refundsOf(deps, booking))[policy];
    return { kind: 'refund', refund_minor, by_hand_minor: byHandMinor(refundable, refund_minor) };
  }
  const { refund_steps } = (await findRoom(manager, booking.workspace_id, booking.room_id))!;
  const percent = refundedPercent(booking, refund_steps, policy, new Date());
  const waived_minor = waivedMinor(invoice, percent);
  return { kind: 'owed', waived_minor, kept_minor: owed - waived_minor };
}
