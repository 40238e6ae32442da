import { findRefundsById } from '../../db/repositories/billing/refund-queries.js';
import { findCancellationRefunds } from '../../db/repositories/bookings/booking-change-queries.js';
import { insertChange } from '../../db/repositories/bookings/booking-changes.js';
import { type BookingRow, findBooking } from '../../db/repositories/bookings/booking-queries.js';
import type { Payment } from '../../db/rows.js';
import { assertCancellable } from '../../domain/booking-cancellation.js';
import { ApiError } from '../../domain/errors.js';
import { can, type Principal } from '../../domain/policies.js';
import { presentBooking } from '../../domain/presenters/booking.js';
import { cancelBooking as cancelUpdate } from '../../workflows/contract.js';
import { awaitRefunds } from '../payments/run-refunds.js';
import { actorOf, askRun, type Deps } from './ask-run.js';
import type { CancelBody } from './schema.js';

/** A refund of a cancellation: `id` is its own payment row, `payment_id` the one it gives back. */
const presentRefund = (refund: Payment) => ({
  id: refund.id,
  payment_id: refund.refund_of!,
  amount_minor: refund.amount_minor,
  status: refund.status,
});
type PresentedRefund = ReturnType<typeof presentRefund>;

/** All refunds as one: their sum, and the status of the one that is furthest from its end. */
function presentRefunds(refunds: Payment[]): (PresentedRefund & { refunds: PresentedRefund[] }) | null {
  const [first] = refunds;
  if (!first) return null;
  const open = refunds.find((refund) => refund.status === 'pending') ?? refunds.find(isFailed) ?? first;
  const amount_minor = refunds.reduce((sum, refund) => sum + refund.amount_minor, 0);
  return { ...presentRefund(first), amount_minor, status: open.status, refunds: refunds.map(presentRefund) };
}
const isFailed = (refund: Payment): boolean => refund.status === 'failed';

/**
 * `POST /v1/bookings/{id}/cancel` (decisions.md, "Bookings": Cancel): the booking, and its `refund` or null. A
 * cancelled one answers the same again. Errors: 403 `role_insufficient` where a member asks for more than the
 * room's own policy gives; 409 `booking_not_cancellable`; 503.
 */
export async function cancelBooking(deps: Deps, principal: Principal, booking: BookingRow, body: CancelBody) {
  if (body.refund_policy === 'full' && !can(principal.role, 'all_bookings')) {
    throw new ApiError('role_insufficient', `The role ${principal.role} cancels by the room's policy.`);
  }
  const { workspace_id, id } = booking;
  const { manager } = deps.db;
  if (booking.status !== 'cancelled') {
    assertCancellable(booking, new Date());
    const request = { ...body, reason: body.reason || null };
    const actor = actorOf(principal);
    const changeId = await insertChange(manager, {
      workspace_id,
      booking_id: id,
      actor,
      kind: 'cancel',
      request,
    });
    const { refund_ids } = await askRun(deps, booking, cancelUpdate, changeId);
    await awaitRefunds(deps, refund_ids);
  }
  const refundIds = await findCancellationRefunds(manager, id);
  const cancelled = (await findBooking(manager, workspace_id, id))!;
  return { ...presentBooking(cancelled), refund: presentRefunds(await findRefundsById(manager, refundIds)) };
}
