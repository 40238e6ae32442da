import {
  assertDifferenceAsShown,
  planChange,
  type ChangeOutcome,
  type ChangePlan,
  type ChangeRequest,
  type Move,
} from '../../../domain/booking-change.js';
import { ApiError } from '../../../domain/errors.js';
import type { InvoiceLine } from '../../../domain/invoice.js';
import { describeBooking } from '../../../domain/presenters/booking.js';
import type { TaxCode, Tier } from '../../../domain/price.js';
import { refundBySteps, type Refundable } from '../../../domain/refund-policy.js';
import { one } from '../../query.js';
import type { Room } from '../../rows.js';
import type { Tx } from '../../transaction.js';
import { unrefundInvoice } from '../billing/invoice-lifecycle.js';
import { addPaidLines } from '../billing/invoices.js';
import { insertPayment, type ReceivedPayment } from '../billing/payments.js';
import { createRefunds, lockRefundable, reasonOf } from '../billing/refunds.js';
import { lockRooms } from '../rooms/rooms.js';
import { applyPlan } from './apply-change.js';
import { type BookingChange, findUnsettledChanges } from './booking-change-queries.js';
import { finishChange, setCharging } from './booking-changes.js';
import type { BookingRow } from './booking-queries.js';
import { lockBooking } from './bookings.js';
import { lockUnpaidInvoice } from './cancel-unpaid.js';
import { assertSlotFree, claimSlot, releaseOtherSlots } from './slots.js';

const PENDING =
  'The difference of an earlier change is still being charged. Wait until that change is applied or discarded.';
const UNPAID =
  'The change has another price, and the invoice of this booking on account is unpaid. Pay it first, or cancel and book again.';
const NO_CARD = 'The new price is higher, and there is no card on file to charge the difference to.';

/** A change as it would be made now, with its booking and room locked. */
interface PlannedChange {
  booking: BookingRow;
  to: Room;
  plan: ChangePlan;
  /** Null if nothing is refunded; minor units. */
  refund: { refundable: Refundable[]; amount_minor: number } | null;
}

/** Plans a change of a booking. Errors: those of `startChange`. */
async function prepareChange(
  tx: Tx,
  { workspace_id, booking_id, request }: { workspace_id: string; booking_id: string; request: ChangeRequest },
): Promise<PlannedChange> {
  const booking = (await lockBooking(tx, booking_id))!;
  if ((await findUnsettledChanges(tx, booking.id)).length > 0) throw new ApiError('change_pending', PENDING);
  const toId = request.room_id ?? booking.room_id;
  const rooms = await lockRooms(tx, workspace_id, [booking.room_id, toId]);
  const from = rooms.get(booking.room_id)!;
  const to = rooms.get(toId);
  if (!to) throw new ApiError('room_not_found', 'No such room.', { param: 'room_id' });
  const { tier, tax_codes } = await findPriceFacts(tx, booking);
  const plan = planChange(booking, { from, to }, { tier }, tax_codes, request, Date.now());
  if (plan.move && plan.move.difference.total_minor !== 0 && (await lockUnpaidInvoice(tx, booking)))
    throw new ApiError('booking_not_editable', UNPAID);
  if (plan.move) await assertSlotFree(tx, booking.id, plan.move);
  if (plan.move && plan.move.difference.total_minor > 0 && !booking.processor_payment_intent_id)
    throw new ApiError('payment_failed', NO_CARD);
  return { booking, to, plan, refund: plan.move && (await planDifference(tx, booking, plan.move)) };
}

/** What a change would cost or give back now; minor units. */
export interface ChangePreview {
  price_minor: number;
  charge_minor: number;
  refund_minor: number;
  plan: ChangePlan;
  to: Room;
}

/** What a planned change charges and refunds; minor units. */
const differenceOf = ({ plan, refund }: PlannedChange) => ({
  charge_minor: Math.max(0, plan.move?.difference.total_minor ?? 0),
  refund_minor: refund?.amount_minor ?? 0,
});

/** Plans a change without making it. Errors: those of `startChange`. */
export async function previewChange(
  tx: Tx,
  change: { workspace_id: string; booking_id: string; request: ChangeRequest },
): Promise<ChangePreview> {
  const planned = await prepareChange(tx, change);
  const { booking, plan, to } = planned;
  const price_minor = plan.move?.price.total_minor ?? booking.price_minor;
  return { price_minor, ...differenceOf(planned), plan, to };
}

/**
 * Decides a change, and applies it if nothing has to be charged. Otherwise the booking now holds both its old and its
 * new slot, and the result is `charge` (docs/rules/bookings.md#charging-the-difference).
 * Errors: 402, 403, 404, 409, 422 of `planChange` and the slot; then nothing is stored.
 */
export async function startChange(
  tx: Tx,
  change: BookingChange & { kind: 'change' },
): Promise<ChangeOutcome | 'charge'> {
  const planned = await prepareChange(tx, { ...change, request: change.request! });
  const { booking, to, plan, refund } = planned;
  assertDifferenceAsShown(change.request!, differenceOf(planned));
  if (plan.move && plan.move.difference.total_minor > 0) {
    await claimSlot(tx, booking.id, plan.move);
    await setCharging(tx, change.id, plan);
    return 'charge';
  }
  const reason = reasonOf(booking, change.actor);
  const refund_ids = refund
    ? await createRefunds(tx, refund.refundable, { amount_minor: refund.amount_minor, reason })
    : [];
  await applyPlan(tx, booking, to, plan, change);
  const { waived } = plan.move ?? {};
  const outcome: ChangeOutcome = { kind: 'done', charged_minor: 0, payment_id: null, refund_ids, waived };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/** Finishes a change whose difference was paid: releases the old slot, stores the payment and its invoice lines. */
export async function finishPaidChange(
  tx: Tx,
  change: BookingChange,
  received: ReceivedPayment,
): Promise<{ payment_id: string }> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  const plan = change.plan!;
  const move = plan.move!;
  const to = (await lockRooms(tx, change.workspace_id, [move.room_id])).get(move.room_id)!;
  const moved = await applyPlan(tx, booking, to, plan, change);
  const payment_id = await insertPayment(tx, {
    workspace_id: change.workspace_id,
    invoice_id: booking.invoice_id,
    booking_id: booking.id,
    kind: 'top_up',
    received,
    source: null,
  });
  await addPaidLines(tx, booking.invoice_id!, payment_id, differenceLines(booking, moved, move));
  await unrefundInvoice(tx, booking.invoice_id!);
  const charged_minor = received.amount_minor;
  await finishChange(tx, change.id, { kind: 'done', charged_minor, payment_id, refund_ids: [] });
  return { payment_id };
}

/** Ends a change whose charge was refused: the booking is unchanged and holds only its old slot. */
export async function undoChange(tx: Tx, change: BookingChange): Promise<void> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  await releaseOtherSlots(tx, booking.id);
  const message = 'The card on file could not be charged. The booking is unchanged.';
  const outcome: ChangeOutcome = { kind: 'refused', code: 'payment_failed', message, context: {} };
  await finishChange(tx, change.id, outcome);
}

/** The tier of the member who booked, null for a guest, and the workspace's tax codes. */
function findPriceFacts(tx: Tx, booking: BookingRow): Promise<{ tier: Tier | null; tax_codes: TaxCode[] }> {
  return one<{ tier: Tier | null; tax_codes: TaxCode[] }>(
    tx,
    `SELECT w.tax_codes, m.tier FROM workspaces w LEFT JOIN members m ON m.id = $2 WHERE w.id = $1`,
    [booking.workspace_id, booking.member_id],
  );
}

/** The refund of a cheaper change; null if it is not cheaper. */
async function planDifference(tx: Tx, booking: BookingRow, move: Move): Promise<PlannedChange['refund']> {
  if (move.difference.total_minor >= 0) return null;
  const refundable = await lockRefundable(tx, { booking_id: booking.id });
  const cheaper = { amount_minor: -move.difference.total_minor, currency: booking.currency };
  return { refundable, amount_minor: refundBySteps(refundable, cheaper, move.refund_percent) };
}

/** The invoice lines of a paid difference: one, or two if the tax code or rate has changed. */
function differenceLines(before: BookingRow, after: BookingRow, move: Move): InvoiceLine[] {
  const line = (description: string, net: number, tax: number, code: string, bps: number): InvoiceLine => ({
    description,
    quantity: 1,
    unit_amount_minor: net,
    tax_code: code,
    tax_rate_bps: bps,
    net_minor: net,
    tax_minor: tax,
  });
  const changed = `Changed to ${describeBooking(after)}`;
  const { rate, tax_code, price, difference } = move;
  if (tax_code === before.tax_code && rate.tax_rate_bps === before.tax_rate_bps) {
    return [line(changed, difference.net_minor, difference.tax_minor, tax_code, rate.tax_rate_bps)];
  }
  const { net_minor, tax_minor, tax_rate_bps } = before;
  return [
    line(`Instead of ${describeBooking(before)}`, -net_minor, -tax_minor, before.tax_code, tax_rate_bps),
    line(changed, price.net_minor, price.tax_minor, tax_code, rate.tax_rate_bps),
  ];
}
