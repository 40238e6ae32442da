import { In } from 'typeorm';
import type { ChangePlan } from '../../domain/bookings/change.js';
import { DAY_MS } from '../../domain/durations.js';
import type { ChangeAttempt } from '../../domain/payments/money-facts.js';
import { describeBooking } from '../../domain/bookings/words.js';
import { CHECKOUT_TRANSITIONS, UNFINISHED_CHECKOUT_STATES } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { NOW } from '../../db/database-time.js';
import { one } from '../../db/query.js';
import { insertIfAbsent } from '../../db/insert.js';
import { Checkout } from '../../db/entities/payments.js';
import { Room } from '../../db/entities/rooms.js';
import type { Tx } from '../../db/transaction.js';
import { findPaymentByIntent } from '../../db/queries/payments/payment.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';

/** A change whose difference is to be paid. */
interface CostlyChange {
  change: Pick<BookingChange, 'id' | 'created_at'>;
  booking: BookingRow;
  plan: ChangePlan;
}

/** Stores an attempt to pay the difference of a change. Does nothing if it is stored. */
async function storeAttempt(
  tx: Tx,
  { booking, plan }: CostlyChange,
  attempt: Pick<Checkout, 'account_id' | 'session_expires_at'> &
    Partial<Pick<Checkout, 'change_id' | 'charged_change_id' | 'charge_ordinal' | 'created_at'>>,
): Promise<void> {
  const { workspace_id, currency } = booking;
  const move = plan.move!;
  const room = await tx.findOneByOrFail(Room, { id: move.room_id });
  const to = { start_at: new Date(move.start_at), end_at: new Date(move.end_at) };
  await insertIfAbsent(tx, Checkout, {
    ...attempt,
    id: newId('chk'),
    workspace_id,
    ordinal: 1,
    currency,
    amount_minor: move.difference.total_minor,
    description:
      'Difference for the change to ' +
      `${describeBooking({ room_name: room.name, time_zone: room.time_zone, ...to })}`,
  });
}

/** Stores the hosted page on which the payer pays the difference of a change, before it is opened. */
export function storeLink(
  tx: Tx,
  costly: CostlyChange,
  page: Pick<Checkout, 'account_id' | 'session_expires_at'>,
): Promise<void> {
  return storeAttempt(tx, costly, { ...page, change_id: costly.change.id });
}

/**
 * Stores the charge of a change to the card of the booking's payment, on the account of that payment, before
 * it is requested. The card is looked up later. Does nothing if it is stored.
 */
export async function storeCharge(tx: Tx, costly: CostlyChange): Promise<void> {
  const { change, booking } = costly;
  const paid = (await findPaymentByIntent(tx, booking.processor_payment_intent_id!))!;
  await storeAttempt(tx, costly, {
    charged_change_id: change.id,
    charge_ordinal: await nextChargeOrdinal(tx, booking.id),
    account_id: paid.account_id!,
    session_expires_at: new Date(Date.now() + DAY_MS),
    created_at: change.created_at,
  });
}

/**
 * The ordinal of the next charge for changes of a locked booking. One whose row is lost counts once it
 * is known that its money was refunded: until then, the next one has its ordinal, so that the
 * processor does not make it twice.
 */
async function nextChargeOrdinal(tx: Tx, bookingId: string): Promise<number> {
  const { next } = await one<{ next: number }>(
    tx,
    `SELECT 1 + (SELECT count(*) FROM checkouts k JOIN booking_changes c ON c.id = k.charged_change_id WHERE c.booking_id = $1)
              + (SELECT count(*) FROM payments WHERE booking_id = $1 AND refusal IS NOT NULL) AS next`,
    [bookingId],
  );
  return next;
}

/** Records the card that a charge is made to. */
export async function setCard(
  tx: Tx,
  { id }: Pick<Checkout, 'id'>,
  { customer_id, payment_method_id }: { customer_id: string; payment_method_id: string },
): Promise<void> {
  await tx.update(Checkout, { id }, { customer_id, payment_method_id });
}

const columnOf = (changeId: string, attempt: ChangeAttempt): Partial<Checkout> =>
  attempt === 'charge' ? { charged_change_id: changeId } : { change_id: changeId };

/** Records that an attempt to pay a change has succeeded. */
export async function setPaid(tx: Tx, changeId: string, attempt: ChangeAttempt): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.pay;
  const row = { ...columnOf(changeId, attempt), state: In(from) };
  await tx.update(Checkout, row, { state: to, updated_at: NOW });
}

/** Records that the processor has not decided about the charge of a change yet. */
export async function setUndecided(tx: Tx, changeId: string): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.await_decision;
  const row = { charged_change_id: changeId, state: In(from) };
  await tx.update(Checkout, row, { state: to, updated_at: NOW });
}

/**
 * Records that the charge of a change was refused, or never made. `refusal_code`: why,
 * in the processor's words.
 */
export async function setRefused(tx: Tx, changeId: string, refusal_code: string): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.refuse;
  const row = { charged_change_id: changeId, state: In(from) };
  await tx.update(Checkout, row, { state: to, refusal_code, updated_at: NOW });
}

/** The session of an ended change must be closed, even one whose creation got no response. */
export async function abandonLink(tx: Tx, changeId: string): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.give_up;
  await tx.update(Checkout, { change_id: changeId, state: In(from) }, { state: to, updated_at: NOW });
}

/** Whether the outcome of a charge is not known yet. */
export const isUndecided = ({ state }: Pick<Checkout, 'state'>): boolean =>
  (UNFINISHED_CHECKOUT_STATES as readonly Checkout['state'][]).includes(state);
