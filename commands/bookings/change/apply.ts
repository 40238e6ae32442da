import {
  assertDifferenceAsShown,
  type ChangeActor,
  type ChangeOutcome,
  type ChangePlan,
  changesPlace,
  type Move,
  refundCapAfter,
} from '../../../domain/bookings/change.js';
import { refuse } from '../../../domain/errors.js';
import { whyNotMoveMoney } from '../../../domain/processor/refusals.js';
import type { Quotas } from '../../../domain/workspaces/quotas.js';
import { exchangedParts, type TaxPart } from '../../../domain/invoices/credited-tax.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { BookingChange } from '../../../db/queries/bookings/booking-change.js';
import type { Tx } from '../../../db/transaction.js';
import { addChangedLines, lockInvoice, lockInvoiceRow } from '../../invoices/invoices.js';
import { createRefunds, refundReason } from '../../payments/refunds.js';
import { changeDifference, finishChange, lockChange, prepareChange, setCharging } from './plan.js';
import { reserveLink, setPaid, storeCharge, undoChange, withdrawUnpaidChanges } from './pay.js';
import { lockBooking, recordBookingEvent } from '../bookings.js';
import { claimSlot, releaseOtherSlots } from '../slots.js';
import {
  type BookingStatus,
  type ChangeState,
  type ConfirmationSource,
  UNPAID_CHANGE_STATES,
} from '../../../domain/states.js';
import type { ChangeAttempt } from '../../../domain/payments/money-facts.js';
import { insertPayment, type NewPayment, type ReceivedPayment } from '../../payments/payments.js';
import { findSettlement, type Settlement } from '../../../db/queries/payments/settlement.js';
import { refuseLatePayment } from '../late-payment.js';
import type { InvoiceLine } from '../../../domain/invoices/invoice.js';
import { newId } from '../../../db/ids.js';
import { unrefundInvoice } from '../../invoices/lifecycle.js';
import { lockRooms } from '../../rooms/rooms.js';
import type { DeskPaymentRequest } from '../../../domain/payments/desk-payment.js';
import { toManualMethod } from '../../../domain/payments/methods.js';
import { audit } from '../../audit-log/audit.js';
import { BOOKING_DETAILS, pickDetails, sameDetails } from '../../../domain/bookings/details.js';
import { sameExtras } from '../../../domain/extras/extras.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { reminderTime } from '../../../domain/bookings/reminder.js';
import { presentBooking, presentExtras } from '../../../domain/bookings/booking-presenter.js';
import { Booking } from '../../../db/entities/bookings.js';
import type { Room } from '../../../db/entities/rooms.js';
import { timeRange } from '../../../db/time-range.js';
import { enqueueMail, untilRefunded } from '../../mail/mails.js';
import { returnHourCredits } from '../hour-credits.js';
import { asLines, describedDifference } from '../../../domain/invoices/difference-lines.js';
import { findCreditable } from '../../../db/queries/invoices/creditable.js';

/* Decides a change, immediately (`startChange`) or when its payment arrives (`settleChange`), and
   applies it to the booking, its slot, its invoice and its mail. */

/**
 * Decides a change, and applies it if nothing has to be paid any more. Otherwise the booking now holds both
 * its old and its new slot, and the result is `charge` (docs/rules/bookings.md#charging-the-difference) or
 * `link`. Errors: 402, 403, 404, 409, 422 of `planChange` and the slot; 409, 412 of `reserveLink`; 503 if the
 * price rises while payments are paused. Nothing is stored if it fails.
 */
export async function startChange(
  tx: Tx,
  quotas: Quotas,
  change: BookingChange & { kind: 'change' },
): Promise<ChangeOutcome | 'charge' | 'link'> {
  const planned = await prepareChange(tx, { ...change, request: change.request! }, change.on_authentication);
  const { booking, account, to, plan, payment, refund } = planned;
  assertDifferenceAsShown(change.request!, changeDifference(planned));
  if (payment !== 'none') {
    refuse(whyNotMoveMoney(account));
    if (payment === 'desk') return makeTakenChange(tx, change, { booking, plan });
    await claimSlot(tx, booking.id, plan.move!);
    if (payment === 'charge') {
      await setCharging(tx, change.id, plan);
      await storeCharge(tx, { change, booking, plan });
    } else await reserveLink(tx, quotas, change, { booking, plan });
    return payment;
  }
  const reason = refundReason(booking, change.actor);
  const refund_ids = refund
    ? await createRefunds(tx, refund.refundable, {
        amount_minor: refund.amount_minor,
        credit: refund.credit,
        purpose: 'change',
        reason,
      })
    : [];
  const changed = await applyPlan(tx, booking, to, plan, change, refund_ids);
  await storeExchange(tx, change.id, booking, changed, refund?.credit);
  const outcome: ChangeOutcome = {
    kind: 'done',
    charged_minor: 0,
    payment_id: null,
    refund_ids,
    waived: plan.move?.waived,
    blackout_id: change.request!.blackout_id,
  };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/**
 * Stores what a change without payment exchanges on the invoice. The invoice is locked here unless the change
 * refunds.
 */
async function storeExchange(
  tx: Tx,
  change_id: string,
  before: BookingRow,
  after: BookingRow,
  refunded?: TaxPart[],
): Promise<void> {
  const invoice_id = before.invoice_id!;
  await lockInvoiceRow(tx, invoice_id);
  const lines = await exchangedLines(tx, before, after, { refunded });
  await addChangedLines(tx, invoice_id, { change_id, payment_id: null }, lines);
}

/** The purpose of a payment, from its metadata. */
interface PaidChange {
  id: string;
  /** The booking. */
  owner_id: string;
  workspace_id: string;
  attempt: ChangeAttempt;
}

/**
 * Settles the payment of a change's difference (docs/rules/bookings.md#charging-the-difference): it makes the
 * change that waits for it. The money is refunded in full if the change has ended without it, if its new time
 * is over, or if the change or the booking is lost, for example after a backup was restored. Idempotent:
 * repeated calls return the first outcome. Returns null and stores nothing if the change belongs to another
 * booking or workspace.
 */
export async function settleChange(
  tx: Tx,
  { id: changeId, owner_id, workspace_id, attempt }: PaidChange,
  received: ReceivedPayment,
  source: ConfirmationSource | null,
): Promise<Settlement | null> {
  const change = await lockChange(tx, changeId);
  const booking = await lockBooking(tx, owner_id);
  const isOfOther =
    (change && change.booking_id !== owner_id) || (booking && booking.workspace_id !== workspace_id);
  const settled = await findSettlement(tx, received.payment_intent_id);
  if (settled) {
    // Stored without its attempt, so that the attempt is not checked again.
    if (isOfOther) return settled;
    await setPaid(tx, changeId, attempt);
    // The money was for another change, which is lost, so it is returned.
    if (settled.kind === 'refused' && booking && change?.state === 'charging') await undoChange(tx, change);
    return settled;
  }
  if (isOfOther) return null;
  if (change && booking) {
    await setPaid(tx, changeId, attempt);
    const done = await makeChange(tx, change, booking, received, source);
    if (done) return done;
  }
  const payment_id = await insertPayment(tx, {
    workspace_id,
    invoice_id: booking?.invoice_id ?? null,
    booking_id: booking?.id ?? null,
    kind: 'charge',
    received,
    source: null,
  });
  const payment = { id: payment_id, amount_minor: received.amount_minor };
  return refuseLatePayment(tx, payment, { id: owner_id, row: booking });
}

/**
 * Makes the change that waits for a payment. Returns null if it does not wait for it, or no longer waits
 * because it has ended.
 */
async function makeChange(
  tx: Tx,
  change: BookingChange,
  booking: BookingRow,
  received: ReceivedPayment,
  source: ConfirmationSource | null,
): Promise<Settlement | null> {
  const byLink = change.state === 'opening' || change.state === 'pending';
  if (pays(change, booking, received)) {
    if (change.plan!.move!.end_at > Date.now()) {
      const { payment_id } = await finishPaidChange(tx, change, {
        received,
        source: byLink ? source : null,
      });
      return { kind: 'confirmed', already: false, payment_id };
    }
    if (byLink) await withdrawUnpaidChanges(tx, booking, [change], 'lapsed');
    else await undoChange(tx, change);
  }
  return null;
}

/** True if the change waits for this amount in this currency. */
function pays(
  { state, plan }: BookingChange,
  booking: { status: BookingStatus; currency: string },
  received: ReceivedPayment,
): boolean {
  return (
    (UNPAID_CHANGE_STATES as readonly ChangeState[]).includes(state) &&
    booking.status === 'confirmed' &&
    received.amount_minor === plan!.move!.difference.total_minor &&
    received.currency === booking.currency
  );
}

/**
 * Completes a change whose difference was paid, also at the desk: releases the old slot, stores the payment
 * and its invoice lines. Returns the outcome.
 */
export async function finishPaidChange(
  tx: Tx,
  change: BookingChange,
  paid: Pick<NewPayment, 'id' | 'received' | 'source' | 'reference'>,
): Promise<ChangeOutcome & { kind: 'done'; payment_id: string }> {
  const { received } = paid;
  const booking = (await lockBooking(tx, change.booking_id))!;
  const plan = change.plan!;
  const move = plan.move!;
  const to = (await lockRooms(tx, change.workspace_id, [move.room_id])).get(move.room_id)!;
  // Before the payments (docs/internals/architecture.md#transactions-and-locks).
  const { id: invoice_id } = await lockInvoice(tx, booking.invoice_id!);
  const moved = await applyPlan(tx, booking, to, plan, change);
  const lines = await exchangedLines(tx, booking, moved, { paid_minor: received.amount_minor });
  const { workspace_id } = change;
  const payment = { ...paid, workspace_id, invoice_id, booking_id: booking.id };
  const payment_id = await insertPayment(tx, { ...payment, kind: 'top_up' });
  await addChangedLines(tx, invoice_id, { change_id: change.id, payment_id }, lines);
  await unrefundInvoice(tx, invoice_id);
  const charged_minor = received.amount_minor;
  const outcome = { kind: 'done' as const, charged_minor, payment_id, refund_ids: [] };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/** The received money, with the id of its payment. */
export interface Taken {
  id: string;
  booking: BookingRow;
  request: DeskPaymentRequest;
}

/**
 * Makes a change whose difference staff have received, in one step and without a hosted page. The payment is
 * stored like that of a change that waited for it.
 */
async function makeTakenChange(
  tx: Tx,
  change: BookingChange & { kind: 'change' },
  { booking, plan }: { booking: BookingRow; plan: ChangePlan },
): Promise<ChangeOutcome> {
  const { id: pending_change_id, actor } = change;
  const { method, reference } = change.request!.taken!;
  const amount_minor = plan.move!.difference.total_minor;
  const paid_at = new Date().toISOString();
  const request = { method, amount_minor, reference, paid_at, pending_change_id, idempotency: null };
  const taken = { id: newId('pay'), booking, request };
  const received = { id: taken.id, received: toReceived(taken), source: null, reference };
  const outcome = await finishPaidChange(tx, { ...change, plan }, received);
  await auditTaken(tx, actor, taken);
  return outcome;
}

/** Records who received a payment, and the change it was for. */
export async function auditTaken(
  tx: Tx,
  actor: ChangeActor,
  { id: payment_id, booking, request }: Taken,
): Promise<void> {
  const { amount_minor, method, reference, pending_change_id } = request;
  const details = { payment_id, amount_minor, method: toManualMethod(method), reference, pending_change_id };
  const entry = { action: 'booking.payment_taken', object: booking.id, details } as const;
  await audit(tx, { ...actor, workspace_id: booking.workspace_id }, entry);
}

export const toReceived = ({ booking: { currency }, request }: Taken) => ({
  amount_minor: request.amount_minor,
  currency,
  method: toManualMethod(request.method),
  paid_at: new Date(request.paid_at),
});

/** Returns the columns of a booking that a move changes. */
function moveColumns(before: Booking, move: Move): Partial<Booking> {
  const { rate, price } = move;
  return {
    room_id: move.room_id,
    start_at: new Date(move.start_at),
    end_at: new Date(move.end_at),
    occupies: timeRange(move.start_at, move.occupied_until),
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    price_minor: price.total_minor,
    tax_code: move.tax_code,
    tax_rate_bps: rate.tax_rate_bps,
    price_per_hour_minor: rate.price_per_hour_minor,
    discount_percent: String(rate.discount_percent),
    pricing: move.pricing ?? null,
    ...(move.refund_caps && { refund_caps: move.refund_caps }),
    hour_credits_used: move.hour_credits_used ?? before.hour_credits_used,
    refund_percent_cap: refundCapAfter(before, move),
  };
}

/** Returns when the booker is reminded of a moved booking: unchanged if its start and room stay the same. */
function remindAt(booking: Booking, { reminder_hours }: Room, move: Move, now: Date): Date | null {
  const start_at = new Date(move.start_at);
  const isSame = start_at.getTime() === booking.start_at.getTime() && move.room_id === booking.room_id;
  return isSame ? booking.remind_at : reminderTime({ start_at, reminder_hours }, now);
}

/**
 * Applies a plan to a booking: details, slot, price, returned hour credits, `booking.updated`, mail about the
 * change and its refunds. Does nothing if nothing changes.
 */
async function applyPlan(
  tx: Tx,
  booking: BookingRow,
  room: Room,
  plan: ChangePlan,
  { id: about, actor }: BookingChange,
  refundIds: string[] = [],
): Promise<BookingRow> {
  const { move } = plan;
  if (!move && sameDetails(plan, booking)) return booking;
  const now = new Date();
  const changes = {
    ...pickDetails(plan),
    ...(move && moveColumns(booking, move)),
    ...(move && { remind_at: remindAt(booking, room, move, now) }),
    sequence: booking.sequence + 1,
    updated_at: now,
  };
  const { name: room_name, time_zone, reminder_hours } = room;
  const changed: BookingRow = {
    ...booking,
    ...changes,
    ...(move && { room_name, time_zone, reminder_hours }),
  };
  if (move) await claimSlot(tx, booking.id, move);
  await tx.update(Booking, { id: booking.id }, changes);
  const returned = booking.hour_credits_used - changed.hour_credits_used;
  await returnHourCredits(tx, { ...booking, hour_credits_used: returned });
  if (move) await releaseOtherSlots(tx, booking.id);
  await recordBookingEvent(tx, 'booking.updated', changed, previousValues(booking, changed));
  if (move) {
    const { workspace_id, id: booking_id } = booking;
    const delay_ms = untilRefunded(refundIds);
    await enqueueMail(tx, { workspace_id, booking_id, kind: 'booking_changed', about, delay_ms });
  }
  await auditChange(tx, booking, changed, move, actor);
  return changed;
}

/**
 * Records who changed a booking: its time, length, room or extras, and with them its price, or only its
 * details.
 */
async function auditChange(
  tx: Tx,
  before: BookingRow,
  after: BookingRow,
  move: Move | null,
  actor: ChangeActor,
): Promise<void> {
  const by = { ...actor, workspace_id: before.workspace_id };
  const object = before.id;
  const names = BOOKING_DETAILS.filter((name) => before[name] !== after[name]);
  const detailsIn = (booking: BookingRow) => Object.fromEntries(names.map((name) => [name, booking[name]]));
  if (!move) {
    const details = { before: detailsIn(before), after: detailsIn(after) };
    return audit(tx, by, { action: 'booking.details_changed', object, details });
  }
  const changesExtras = !sameExtras(extrasIn(before), extrasIn(after));
  const shown = (booking: BookingRow) => ({
    ...(before.room_id !== after.room_id && { room: booking.room_name }),
    start_at: booking.start_at,
    end_at: booking.end_at,
    ...(changesExtras && { extras: presentExtras(booking) }),
    price_minor: booking.price_minor,
    ...detailsIn(booking),
  });
  const details = { before: shown(before), after: shown(after), currency: before.currency };
  const action = changesPlace(before, move) ? 'booking.moved' : 'booking.extras_changed';
  await audit(tx, by, { action, object, details });
}

/** Returns the changed fields with their old values. */
function previousValues(before: BookingRow, after: BookingRow): Record<string, unknown> {
  const now: Record<string, unknown> = presentBooking(after);
  const changed = Object.entries(presentBooking(before)).filter(
    ([field, value]) => field !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(now[field]),
  );
  return Object.fromEntries(changed);
}

/** What a change exchanges on the invoice of its booking; all lines are above zero. */
export interface ExchangedLines {
  taken: InvoiceLine[];
  added: InvoiceLine[];
}

/**
 * Returns the lines that a change takes off the invoice of its booking and adds to it, in addition to those
 * that its refunds credit (docs/rules/billing.md#documents-of-a-change). `paid_minor`: what is paid for it,
 * in minor units.
 */
async function exchangedLines(
  tx: Tx,
  before: BookingRow,
  after: BookingRow,
  { refunded = [], paid_minor = 0 }: { refunded?: TaxPart[]; paid_minor?: number },
): Promise<ExchangedLines> {
  const difference = describedDifference(before, after);
  const left = (await findCreditable(tx, before.id)) ?? difference.taken;
  const { taken, added } = exchangedParts(difference, { refunded, left, paid_minor }, before.currency);
  return { taken: asLines(taken), added: asLines(added) };
}
