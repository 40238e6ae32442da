import { findInvoiceById } from '../../../db/queries/billing/invoice.js';
import { insertChange } from '../../../commands/bookings/booking-changes.js';
import { findCancellationRefunds } from '../../../db/queries/bookings/booking-change.js';
import { findBooking, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { findRefundsById } from '../../../db/queries/billing/refund.js';
import { whyNotCancel, whyNotPolicy, type CancelRequest } from '../../../domain/booking-cancellation.js';
import { refuse } from '../../../domain/errors.js';
import { presentRefunds, type PresentedRefund } from '../../../domain/presenters/refund.js';
import { cancelUpdate } from '../../../contract/bookings.js';
import type { Handler } from '../../http/context.js';
import { syncInvoiceInline } from '../invoices/accounting.js';
import { awaitRefunds } from '../payments/run-refunds.js';
import { bookingOf } from './read.js';
import { presentBookingFor } from './present.js';
import { actorOf, executeUpdate, type ChangeActor, type Deps } from './run-update.js';
import type { CancelBody } from './change-shape.js';

/** `POST /v1/bookings/{id}/cancel` */
export function cancel(deps: Deps): Handler<CancelBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const { refund_policy } = body;
    const booking = await bookingOf(ctx, deps);
    refuse(whyNotPolicy(refund_policy, principal.role));
    const cancelled = await requestCancellation(deps, actorOf(principal), booking, body);
    ctx.status = 200;
    ctx.body = { ...presentBookingFor(deps, principal, cancelled.booking), refund: cancelled.refund };
  };
}

/**
 * Cancels a booking (docs/rules/bookings.md#cancellation). Returns it with its `refund` or null; a cancelled one is
 * returned as it is. Errors: 409 `booking_not_cancellable`; 503.
 */
export async function requestCancellation(
  deps: Deps,
  actor: ChangeActor,
  booking: BookingRow,
  request: Omit<CancelRequest, 'reason'> & { reason?: string | null },
): Promise<{ booking: BookingRow; refund: PresentedRefund | null }> {
  const { workspace_id, id } = booking;
  const { manager } = deps.db;
  if (booking.status !== 'cancelled') {
    refuse(whyNotCancel(booking, new Date()));
    const changeId = await insertChange(manager, {
      workspace_id,
      booking_id: id,
      actor,
      kind: 'cancel',
      request: { ...request, reason: request.reason || null },
    });
    const outcome = await executeUpdate(deps, booking, cancelUpdate, changeId);
    await awaitRefunds(deps, outcome!.refund_ids);
    const invoice = await findInvoiceById(manager, booking.invoice_id!);
    if (invoice?.status === 'void') await syncInvoiceInline(deps, invoice);
  }
  const refunds = await findRefundsById(manager, await findCancellationRefunds(manager, id));
  return { booking: (await findBooking(manager, workspace_id, id))!, refund: presentRefunds(refunds) };
}
