import { findRefundable } from '../../../commands/payments/refunds.js';
import { findCreditable } from '../../../db/queries/invoices/creditable.js';
import { findBookingMoney } from '../../../db/queries/bookings/money.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findInvoiceById } from '../../../db/queries/invoices/invoice.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import {
  waivedMinor,
  planRefund,
  refundedPercents,
  whyNotWaive,
} from '../../../domain/bookings/cancellation.js';
import { deskMaximum, isLimitedAtDesk, whyNotRefundAtDesk } from '../../../domain/payments/desk-refund.js';
import type { Refusal } from '../../../domain/errors.js';
import type { Role } from '../../../domain/policies.js';
import { owedLines } from '../../../domain/rates/price-lines.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { PlannedRefund } from '../../../domain/payments/refund-parts.js';
import { byHandMinor, type RefundChoice } from '../../../domain/bookings/refund-policy.js';
import type { ApiDependencies } from '../../dependencies.js';

type Deps = Pick<ApiDependencies, 'db'>;

/**
 * A cancellation as shown before it is confirmed, in minor units. `disputed_minor`: the amount that banks
 * have withdrawn, which cannot be refunded. `refunded_before_minor`: the amount that was refunded before,
 * such as for a change.
 */
export type PossibleCancellation =
  | ({ kind: 'refund'; disputed_minor: number; refunded_before_minor: number } & PlannedRefund)
  /** A booking on account that is not fully paid. */
  | { kind: 'owed'; waived_minor: number; kept_minor: number };

/** Refused: a booking on account that is partly paid cannot be cancelled this way. */
type ShownCancellation = PossibleCancellation | { kind: 'refused'; refusal: Refusal };

/**
 * The amount that cancelling a booking now would refund, by default according to the room's refund steps. For
 * a booking on account, the amount that stays due. Errors: 422 `amount_exceeds_refundable` for more than is
 * left.
 */
export async function quoteCancellation(
  deps: Deps,
  booking: BookingRow,
  choice: RefundChoice = 'standard',
): Promise<ShownCancellation> {
  const facts = await readCancellationFacts(deps, booking);
  const { refundable, refund_steps, unpaid } = facts;
  if (!unpaid) {
    const { refund_minor } = planRefund(facts, choice, new Date());
    const { paid } = await findBookingMoney(deps.db.manager, booking.id);
    return {
      kind: 'refund',
      refund_minor,
      by_hand_minor: byHandMinor(refundable, refund_minor),
      disputed_minor: paid.disputed_minor,
      refunded_before_minor: paid.refunded_minor + paid.refunding_minor + paid.by_hand_minor,
    };
  }
  const percents = refundedPercents(booking, unpaid, refund_steps, choice, new Date());
  const refusal = whyNotWaive(unpaid, choice, percents);
  if (refusal) return { kind: 'refused', refusal };
  const waived_minor = waivedMinor(unpaid, percents);
  return { kind: 'owed', waived_minor, kept_minor: outstandingMinor(unpaid) - waived_minor };
}

/** The facts that determine the refund of a cancellation. */
async function readCancellationFacts({ db: { manager } }: Deps, booking: BookingRow) {
  const onAccount = booking.account_days !== null && booking.status === 'confirmed';
  const invoice = onAccount ? await findInvoiceById(manager, booking.invoice_id!) : null;
  return {
    booking,
    refundable: await findRefundable(manager, { booking_id: booking.id }, 'cancellation'),
    left: await findCreditable(manager, booking.id),
    refund_steps: (await findRoom(manager, booking.workspace_id, booking.room_id))!.refund_steps,
    unpaid:
      invoice && outstandingMinor(invoice) > 0 ? { ...invoice, lines: owedLines(booking, invoice) } : null,
  };
}

/**
 * The limits of a role for refunds of a booking; null if it has none. `maximum_minor` in minor units
 * of the booking's currency.
 */
export async function deskLimits(
  deps: Deps,
  booking: BookingRow,
  role: Role,
): Promise<{ maximum_minor: number; whyNot(choice: RefundChoice): Refusal | null } | null> {
  if (!isLimitedAtDesk(role)) return null;
  const facts = await readCancellationFacts(deps, booking);
  const limit = (await findWorkspace(deps.db.manager, booking.workspace_id))!;
  const now = new Date();
  return {
    maximum_minor: deskMaximum(facts, limit, now),
    whyNot: (choice) => whyNotRefundAtDesk(facts, choice, limit, now),
  };
}
