import {
  assertDifferenceAsShown,
  planChange,
  type ChangeOutcome,
  type ChangePlan,
  type ChangeRequest,
  type Move,
} from '../../domain/booking-change.js';
import { ApiError, refuse } from '../../domain/errors.js';
import { isPayable, wasPaid, type InvoiceLine } from '../../domain/invoice.js';
import {
  afterRefusedCharge,
  notCharged,
  paymentOfDifference,
  whyNotAnotherChange,
  type NotCharged,
  type OnAuthentication,
} from '../../domain/pending-change.js';
import { whyMoneyStandsStill } from '../../domain/processor-refusals.js';
import { describeBooking } from '../../domain/presenters/booking.js';
import type { PlannedRefund } from '../../domain/refund-parts.js';
import type { TaxCode, Tier } from '../../domain/price.js';
import { byHandMinor, refundBySteps } from '../../domain/refund-policy.js';
import type { ConfirmationSource } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import type { InvoiceRow } from '../../db/queries/billing/invoice.js';
import { one } from '../../db/query.js';
import type { Room } from '../../db/entities/rooms.js';
import type { Tx } from '../../db/transaction.js';
import { markInvoicePaid, unrefundInvoice } from '../billing/invoice-lifecycle.js';
import { addPaidLines, insertInvoice, lockInvoice } from '../billing/invoices.js';
import { insertPayment, type ReceivedPayment } from '../billing/payments.js';
import { createRefunds, lockRefundable, reasonOf, type RefundablePayment } from '../billing/refunds.js';
import { lockRooms } from '../rooms/rooms.js';
import { applyPlan } from './apply-change.js';
import { findUnsettledChange, type BookingChange } from '../../db/queries/bookings/booking-change.js';
import { finishChange, setCharging } from './booking-changes.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { recoveringSince } from '../../db/queries/workspaces/recovery.js';
import { lockBooking } from './bookings.js';
import { lockUnpaidInvoice } from './cancel-unpaid.js';
import { reserveLink } from './pending-changes.js';
import { assertSlotFree, claimSlot, releaseOtherSlots } from './slots.js';

const UNPAID =
  'The change has another price, and the invoice of this booking on account is unpaid. Pay it first, or cancel and book again.';

/** A change as it would be made now, with its booking and room locked. */
interface PlannedChange {
  booking: BookingRow;
  account: Pick<PriceFacts, 'recovering_since'>;
  to: Room;
  plan: ChangePlan;
  /** How the difference is paid. */
  payment: ReturnType<typeof paymentOfDifference>;
  /** Null if nothing is refunded; minor units. */
  refund: { refundable: RefundablePayment[]; amount_minor: number; by_hand_minor: number } | null;
}

/** Plans a change of a booking. Errors: those of `startChange`. */
async function prepareChange(
  tx: Tx,
  { workspace_id, booking_id, request }: { workspace_id: string; booking_id: string; request: ChangeRequest },
  onAuthentication: OnAuthentication,
): Promise<PlannedChange> {
  const booking = (await lockBooking(tx, booking_id))!;
  refuse(whyNotAnotherChange(await findUnsettledChange(tx, booking.id)));
  const toId = request.room_id ?? booking.room_id;
  const rooms = await lockRooms(tx, workspace_id, [booking.room_id, toId]);
  const from = rooms.get(booking.room_id)!;
  const to = rooms.get(toId);
  if (!to) throw new ApiError('room_not_found', 'No such room.', { param: 'room_id' });
  const { tier, tax_codes, ...account } = await findPriceFacts(tx, booking);
  const plan = planChange(booking, { from, to }, { tier }, tax_codes, request, Date.now());
  if (plan.move && plan.move.difference.total_minor !== 0 && (await lockUnpaidInvoice(tx, booking)))
    throw new ApiError('booking_not_editable', UNPAID);
  if (plan.move) await assertSlotFree(tx, booking.id, plan.move);
  const payment = paymentOfDifference(plan.move?.difference.total_minor ?? 0, {
    hasCard: booking.processor_payment_intent_id !== null && !request.pay_by_link,
    onAuthentication,
  });
  const refund = plan.move && (await planDifference(tx, booking, plan.move));
  return { booking, account, to, plan, payment, refund };
}

/** What a change would cost or refund now; minor units. */
export interface ChangePreview extends PlannedRefund {
  price_minor: number;
  charge_minor: number;
  plan: ChangePlan;
  /** How the difference is paid, if a link is wanted where only the payer can pay. */
  payment: ReturnType<typeof paymentOfDifference>;
  to: Room;
}

/** What a planned change charges and refunds; minor units. */
const differenceOf = ({ plan, refund }: PlannedChange) => ({
  charge_minor: Math.max(0, plan.move?.difference.total_minor ?? 0),
  refund_minor: refund?.amount_minor ?? 0,
  by_hand_minor: refund?.by_hand_minor ?? 0,
});

/** Plans a change without making it. Errors: those of `startChange`. */
export async function previewChange(
  tx: Tx,
  change: { workspace_id: string; booking_id: string; request: ChangeRequest },
): Promise<ChangePreview> {
  const planned = await prepareChange(tx, change, 'link');
  const { booking, plan, payment, to } = planned;
  const price_minor = plan.move?.price.total_minor ?? booking.price_minor;
  return { price_minor, ...differenceOf(planned), plan, payment, to };
}

/**
 * Decides a change, and applies it if nothing has to be paid. Otherwise the booking now holds both its old and its new
 * slot, and the result is `charge` (docs/rules/bookings.md#charging-the-difference) or `link`. Errors: 402, 403, 404,
 * 409, 422 of `planChange` and the slot; 409, 412 of `reserveLink`; 503 if the price rises while money stands still; then
 * nothing is stored.
 */
export async function startChange(
  tx: Tx,
  change: BookingChange & { kind: 'change' },
): Promise<ChangeOutcome | 'charge' | 'link'> {
  const planned = await prepareChange(tx, { ...change, request: change.request! }, change.on_authentication);
  const { booking, account, to, plan, payment, refund } = planned;
  assertDifferenceAsShown(change.request!, differenceOf(planned));
  if (payment !== 'none') {
    refuse(whyMoneyStandsStill(account));
    await claimSlot(tx, booking.id, plan.move!);
    if (payment === 'charge') await setCharging(tx, change.id, plan);
    else await reserveLink(tx, change, { booking, plan });
    return payment;
  }
  const reason = reasonOf(booking, change.actor);
  const refund_ids = refund
    ? await createRefunds(tx, refund.refundable, {
        amount_minor: refund.amount_minor,
        purpose: 'change',
        reason,
      })
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
  source: ConfirmationSource | null,
): Promise<{ payment_id: string }> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  const plan = change.plan!;
  const move = plan.move!;
  const to = (await lockRooms(tx, change.workspace_id, [move.room_id])).get(move.room_id)!;
  const moved = await applyPlan(tx, booking, to, plan, change);
  const lines = differenceLines(booking, moved, move);
  const invoice = await lockInvoice(tx, booking.invoice_id!);
  const voided = !isPayable(invoice) && !wasPaid(invoice);
  const invoice_id = voided ? await invoiceDifference(tx, invoice, lines, received.paid_at) : invoice.id;
  const { workspace_id } = change;
  const payment = { workspace_id, invoice_id, booking_id: booking.id, received, source };
  const payment_id = await insertPayment(tx, { ...payment, kind: 'top_up' });
  if (voided) await markInvoicePaid(tx, invoice_id, received.paid_at);
  else {
    await addPaidLines(tx, invoice_id, payment_id, lines);
    await unrefundInvoice(tx, invoice_id);
  }
  const charged_minor = received.amount_minor;
  await finishChange(tx, change.id, { kind: 'done', charged_minor, payment_id, refund_ids: [] });
  return { payment_id };
}

/**
 * Opens an invoice of a paid difference beside the void one of its booking: nothing is added to what the accounting system
 * does not get. Returns its id.
 */
async function invoiceDifference(
  tx: Tx,
  { id: adjusts, workspace_id, currency, company_id, member_id }: InvoiceRow,
  lines: InvoiceLine[],
  at: Date,
): Promise<string> {
  const id = newId('inv');
  const payer = { company_id, member_id };
  const invoice = { id, workspace_id, kind: 'adjustment', adjusts, currency, ...payer, lines } as const;
  await insertInvoice(tx, { ...invoice, due_at: at, created_at: new Date(), is_received: true });
  return id;
}

/** Ends a change whose charge was refused: the booking is unchanged and holds only its old slot. */
export async function undoChange(
  tx: Tx,
  change: BookingChange,
  { code, message, context }: ApiError = notCharged('declined'),
): Promise<void> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  await releaseOtherSlots(tx, booking.id);
  await finishChange(tx, change.id, { kind: 'refused', code, message, context });
}

/**
 * Handles the refused charge of a difference: the change ends, or its payer gets a link and it keeps both slots. Returns
 * true if a link is to be opened.
 */
export async function afterRefusal(tx: Tx, change: BookingChange, reason: NotCharged): Promise<boolean> {
  const next = afterRefusedCharge(reason, change.on_authentication);
  if (next !== 'link') {
    await undoChange(tx, change, next.error);
    return false;
  }
  const booking = (await lockBooking(tx, change.booking_id))!;
  try {
    await reserveLink(tx, change, { booking, plan: change.plan! });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await undoChange(tx, change, error);
    return false;
  }
}

/** What the price of a change depends on, and whether money moves on the workspace's account. */
interface PriceFacts {
  /** Of the member who booked; null for a guest. */
  tier: Tier | null;
  tax_codes: TaxCode[];
  recovering_since: Date | null;
}

function findPriceFacts(tx: Tx, booking: BookingRow): Promise<PriceFacts> {
  return one<PriceFacts>(
    tx,
    `SELECT w.tax_codes, m.tier, ${recoveringSince('w.id')} AS recovering_since FROM workspaces w LEFT JOIN members m ON m.id = $2 WHERE w.id = $1`,
    [booking.workspace_id, booking.member_id],
  );
}

/** The refund of a cheaper change; null if it is not cheaper. */
async function planDifference(tx: Tx, booking: BookingRow, move: Move): Promise<PlannedChange['refund']> {
  if (move.difference.total_minor >= 0) return null;
  const refundable = await lockRefundable(tx, { booking_id: booking.id }, 'change');
  const cheaper = { amount_minor: -move.difference.total_minor, currency: booking.currency };
  const amount_minor = refundBySteps(refundable, cheaper, move.refund_percent);
  return { refundable, amount_minor, by_hand_minor: byHandMinor(refundable, amount_minor) };
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
  const { rate, tax_code, price, difference } = move;
  if (tax_code === before.tax_code && rate.tax_rate_bps === before.tax_rate_bps) {
    const description = `Difference for the change to ${describeBooking(after)}`;
    return [line(description, difference.net_minor, difference.tax_minor, tax_code, rate.tax_rate_bps)];
  }
  const { net_minor, tax_minor, tax_rate_bps } = before;
  return [
    line(`Instead of ${describeBooking(before)}`, -net_minor, -tax_minor, before.tax_code, tax_rate_bps),
    line(
      `Changed to ${describeBooking(after)}`,
      price.net_minor,
      price.tax_minor,
      tax_code,
      rate.tax_rate_bps,
    ),
  ];
}
