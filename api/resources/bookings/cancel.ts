import { findInvoiceById } from '../../../db/queries/invoices/invoice.js';
import { insertChange } from '../../../commands/bookings/booking-changes.js';
import { findCancellationRefunds } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findRefundsById } from '../../../db/queries/payments/refund.js';
import {
  choiceOf,
  whyNotCancel,
  whyNotChoose,
  type CancelRequest,
} from '../../../domain/bookings/cancellation.js';
import type { ChangeActor } from '../../../domain/bookings/change.js';
import { isLimitedAtDesk } from '../../../domain/payments/desk-refund.js';
import { refuse } from '../../../domain/errors.js';
import type { Role } from '../../../domain/policies.js';
import type { RefundChoice } from '../../../domain/bookings/refund-policy.js';
import { presentRefunds, type PresentedRefund } from '../../../domain/bookings/refund-presenter.js';
import { cancelUpdate } from '../../../contract/bookings.js';
import type { Handler } from '../../http/context.js';
import { syncInvoiceInline } from '../invoices/accounting.js';
import { awaitRefunds } from '../payments/run-refunds.js';
import { deskLimits } from './cancellation-refunds.js';
import { bookingOf, changedBooking } from './read.js';
import { presentBookingFor } from './present.js';
import { actorOf, executeUpdate, type Deps } from './run-update.js';
import type { CancelBody } from './change-shape.js';

/** `POST /v1/bookings/{id}/cancel` */
export function cancel(deps: Deps): Handler<CancelBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const booking = await bookingOf(ctx, deps);
    const request = cancelRequestOf(body);
    await assertMayRefund(deps, booking, choiceOf(request), principal.role);
    const at_desk = isLimitedAtDesk(principal.role) || undefined;
    const cancelled = await requestCancellation(deps, actorOf(principal), booking, { ...request, at_desk });
    ctx.status = 200;
    ctx.body = { ...presentBookingFor(deps, principal, cancelled.booking), refund: cancelled.refund };
  };
}

/**
 * Checks that a role may cancel a booking with a refund. The front desk's limit is checked again where the
 * booking is locked. Errors: 403 `role_insufficient`; 422 `amount_exceeds_refundable`.
 */
export async function assertMayRefund(
  deps: Pick<Deps, 'db'>,
  booking: BookingRow,
  choice: RefundChoice,
  role: Role,
): Promise<void> {
  refuse(whyNotChoose(choice, role));
  if (choice === 'standard' || choice === 'none' || whyNotCancel(booking, new Date())) return;
  const limits = await deskLimits(deps, booking, role);
  if (limits) refuse(limits.whyNot(choice));
}

/** The request as it is stored. */
export const cancelRequestOf = ({
  refund_policy = 'standard',
  reason = null,
  ...body
}: CancelBody): CancelRequest => ({ ...body, refund_policy, reason });

/**
 * Cancels a booking (docs/rules/bookings.md#cancellation). Returns it with its `refund` or null; a cancelled
 * one is returned as it is. Errors: 409 `booking_not_cancellable`; 503.
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
  return { booking: await changedBooking(deps, booking), refund: presentRefunds(refunds) };
}
