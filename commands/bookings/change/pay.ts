import { In } from 'typeorm';
import type { ChangeActor, ChangePlan } from '../../../domain/bookings/change.js';
import { DAY_MS } from '../../../domain/durations.js';
import type { ChangeAttempt } from '../../../domain/payments/money-facts.js';
import { describeBooking } from '../../../domain/bookings/words.js';
import {
  canMove,
  CHANGE_TRANSITIONS,
  CHECKOUT_TRANSITIONS,
  UNFINISHED_CHECKOUT_STATES,
} from '../../../domain/states.js';
import { newId } from '../../../db/ids.js';
import { NOW } from '../../../db/database-time.js';
import { one } from '../../../db/query.js';
import { insertIfAbsent } from '../../../db/insert.js';
import { Checkout, type CheckoutState } from '../../../db/entities/payments.js';
import { Room } from '../../../db/entities/rooms.js';
import type { Tx } from '../../../db/transaction.js';
import { findPaymentByIntent } from '../../../db/queries/payments/payment.js';
import type { BookingChange } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { MAX_UNPAID_BOOKINGS } from '../../../domain/bookings/create.js';
import { sessionExpiry } from '../../../domain/payments/checkout-session.js';
import { ApiError, refuse } from '../../../domain/errors.js';
import { type ProcessorRefusalCode, whyNotTakePaymentsNow } from '../../../domain/processor/refusals.js';
import type { Quotas } from '../../../domain/workspaces/quotas.js';
import { can } from '../../../domain/policies.js';
import {
  afterRefusedCharge,
  endedBy,
  changeExpiry,
  notCharged,
  type NotCharged,
  type PendingEnd,
} from '../../../domain/bookings/pending-change.js';
import { presentBooking } from '../../../domain/bookings/booking-presenter.js';
import {
  type BookingWithPendingChange,
  presentPendingChange,
} from '../../../domain/bookings/pending-change-presenter.js';
import type { EventTypesFor } from '../../../domain/events/types.js';
import { StoredChange } from '../../../db/entities/bookings.js';
import { Member } from '../../../db/entities/members.js';
import { setCheckoutOpen, setCheckoutState } from '../../payments/checkouts.js';
import { insertEvent } from '../../events/events.js';
import { enqueueMail } from '../../mail/mails.js';
import { findPaymentAccount } from '../../../db/queries/workspaces/recovery.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { finishChange, lockChange } from './plan.js';
import { lockBooking } from '../bookings.js';
import { heldMailDelay } from '../publish-booking.js';
import { releaseOtherSlots } from '../slots.js';
import { audit } from '../../audit-log/audit.js';
import { assertFewPendingChanges } from '../../workspaces/quotas.js';
import { assertFewUnpaid } from '../unpaid-bookings.js';

/* How the difference of a change is paid: with the card that paid for the booking, or on a hosted page
   to which its payer gets a link. Also how an unpaid change ends. */

/** A change whose difference is to be paid. */
interface CostlyChange {
  change: Pick<BookingChange, 'id' | 'created_at'>;
  booking: BookingRow;
  plan: ChangePlan;
}

/** Stores an attempt to pay the difference of a change. Does nothing if it is already stored. */
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
 * Stores the charge of a change to the card that paid for the booking, on the account of that payment, before
 * it is requested. The card is looked up later.
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
 * Returns the ordinal of the next charge for changes of a locked booking. A charge whose row is lost counts
 * once it is known that its money was refunded. Until then the next charge has the same ordinal, so that the
 * processor does not make it twice.
 */
async function nextChargeOrdinal(tx: Tx, bookingId: string): Promise<number> {
  const { next } = await one<{ next: number }>(
    tx,
    `SELECT 1 + (SELECT count(*) FROM checkouts k JOIN booking_changes c ON c.id = k.charged_change_id
      WHERE c.booking_id = $1)
              + (SELECT count(*) FROM payments WHERE booking_id = $1 AND refusal IS NOT NULL) AS next`,
    [bookingId],
  );
  return next;
}

/** Records which card is charged. */
export async function setCard(
  tx: Tx,
  { id }: Pick<Checkout, 'id'>,
  { customer_id, payment_method_id }: { customer_id: string; payment_method_id: string },
): Promise<void> {
  await tx.update(Checkout, { id }, { customer_id, payment_method_id });
}

const attemptColumns = (changeId: string, attempt: ChangeAttempt): Partial<Checkout> =>
  attempt === 'charge' ? { charged_change_id: changeId } : { change_id: changeId };

/** Records that an attempt to pay a change has succeeded. */
export async function setPaid(tx: Tx, changeId: string, attempt: ChangeAttempt): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.pay;
  const row = { ...attemptColumns(changeId, attempt), state: In(from) };
  await tx.update(Checkout, row, { state: to, updated_at: NOW });
}

/** Records that the processor has not decided yet about the charge of a change. */
export async function setUndecided(tx: Tx, changeId: string): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.await_decision;
  const row = { charged_change_id: changeId, state: In(from) };
  await tx.update(Checkout, row, { state: to, updated_at: NOW });
}

/** Records that the charge of a change was declined or never made. `refusal_code`: the processor's code. */
export async function setRefused(tx: Tx, changeId: string, refusal_code: string): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.refuse;
  const row = { charged_change_id: changeId, state: In(from) };
  await tx.update(Checkout, row, { state: to, refusal_code, updated_at: NOW });
}

/**
 * Abandons the session of an ended change so that it is closed, even if the request to create it got no
 * response.
 */
async function abandonLink(tx: Tx, changeId: string): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.give_up;
  await tx.update(Checkout, { change_id: changeId, state: In(from) }, { state: to, updated_at: NOW });
}

/** True if the outcome of a charge is not known yet. */
export const isUndecided = ({ state }: Pick<Checkout, 'state'>): boolean =>
  (UNFINISHED_CHECKOUT_STATES as readonly Checkout['state'][]).includes(state);

/**
 * Stores the checkout with which the payer pays the difference of a change, before it is opened. The booking
 * already holds both slots. Errors: 409 `too_many_unpaid_bookings`, `limit_reached`; 412
 * `processor_unconfigured`; 503 while payments are paused.
 */
export async function reserveLink(
  tx: Tx,
  quotas: Quotas,
  change: Pick<BookingChange, 'id' | 'created_at' | 'actor'>,
  { booking, plan }: { booking: BookingRow; plan: ChangePlan },
): Promise<void> {
  const account = await findPaymentAccount(tx, booking.workspace_id);
  refuse(whyNotTakePaymentsNow(account));
  const { processor_account_id, checkout_hold_seconds } = account;
  if (booking.member_id && !(await isForAll(tx, change.actor)))
    await assertFewUnpaid(tx, booking.member_id, MAX_UNPAID_BOOKINGS);
  await assertFewPendingChanges(tx, quotas, booking.workspace_id);
  const session_expires_at = sessionExpiry(Date.now(), checkout_hold_seconds);
  await storeLink(tx, { change, booking, plan }, { account_id: processor_account_id!, session_expires_at });
  const { from, to: state } = CHANGE_TRANSITIONS.open;
  await tx.update(StoredChange, { id: change.id, state: In(from) }, { state, plan, request: null });
}

/** True for an admin or owner, who can book for everyone. */
async function isForAll(tx: Tx, actor: ChangeActor): Promise<boolean> {
  if ('guest' in actor) return false;
  const { role } = await tx.findOneByOrFail(Member, { id: actor.member_id });
  return can(role, 'all_bookings');
}

/**
 * Publishes the link of a change: from now on the payer can pay until it lapses. Does nothing if the change
 * no longer waits for it, or its row is lost.
 */
export async function publishLink(
  tx: Tx,
  changeId: string,
  session: { id: string; url: string },
): Promise<void> {
  const change = await lockChange(tx, changeId);
  if (!change || !canMove(CHANGE_TRANSITIONS.publish, change.state)) return;
  const booking = (await lockBooking(tx, change.booking_id))!;
  const { edit_window_minutes } = await tx.findOneByOrFail(Room, { id: booking.room_id });
  const { checkout_hold_seconds: hold_seconds } = (await findWorkspace(tx, change.workspace_id))!;
  const { start_at, end_at } = booking;
  const new_end = change.plan!.move!.end_at;
  const expires_at = changeExpiry({
    now: Date.now(),
    hold_seconds,
    start_at,
    end_at,
    edit_window_minutes,
    new_end,
  });
  const { owner_id } = await findCheckoutOfChange(tx, changeId);
  await setCheckoutOpen(tx, owner_id, session);
  const { to: state } = CHANGE_TRANSITIONS.publish;
  await tx.update(StoredChange, { id: changeId }, { state, expires_at });
  await recordEvent(tx, 'booking.change_pending', booking, { id: changeId, expires_at }, null);
  await enqueueMail(tx, {
    workspace_id: change.workspace_id,
    booking_id: booking.id,
    kind: 'booking_change_pending',
    about: changeId,
    delay_ms: heldMailDelay(hold_seconds),
  });
}

/**
 * Ends changes of a locked booking that were not paid, and locks them too. Their new slots become free, and
 * their hosted pages are to be closed. A charge is followed until it has ended. Money that still arrives is
 * refunded.
 */
export async function withdrawUnpaidChanges(
  tx: Tx,
  booking: BookingRow,
  changes: BookingChange[],
  end: PendingEnd,
  code?: ProcessorRefusalCode,
): Promise<void> {
  for (const change of changes) {
    const { id, state } = change;
    await releaseOtherSlots(tx, booking.id);
    await finishChange(tx, id, endedBy(end, code));
    await abandonLink(tx, id);
    if (state === 'pending') await recordEvent(tx, 'booking.change_lapsed', booking, change, end);
  }
}

interface EndOfPending {
  end: PendingEnd;
  /** Who withdraws it, for the audit log; missing if nobody does. */
  by?: ChangeActor;
  /** The state of its session, if the processor has reported it. */
  checkout?: CheckoutState;
  code?: ProcessorRefusalCode;
}

/** Ends a change that its payer could pay, unless it has already ended or its row is lost. */
export async function endPendingChange(
  tx: Tx,
  changeId: string,
  { end, by, checkout, code }: EndOfPending,
): Promise<void> {
  const change = await lockChange(tx, changeId);
  const isOpening = change?.state === 'opening';
  if (!change || (!isOpening && change.state !== 'pending')) return;
  // It was published although the run was told otherwise, so its payer may be paying.
  if (end === 'not_opened' && !isOpening) return;
  const booking = (await lockBooking(tx, change.booking_id))!;
  await withdrawUnpaidChanges(tx, booking, [change], end, code);
  if (by) {
    const details = { pending_change_id: changeId };
    const actor = { ...by, workspace_id: change.workspace_id };
    await audit(tx, actor, { action: 'booking.change_withdrawn', object: booking.id, details });
  }
  // Self-heal tries again to close a session that could not be closed.
  if (checkout && checkout !== 'open')
    await setCheckoutState(tx, (await findCheckoutOfChange(tx, changeId)).owner_id, checkout);
}

const findCheckoutOfChange = (tx: Tx, changeId: string): Promise<Checkout> =>
  tx.findOneByOrFail(Checkout, { change_id: changeId });

async function recordEvent(
  tx: Tx,
  type: Extract<EventTypesFor<'booking'>, `booking.change_${string}`>,
  booking: BookingRow,
  { id, expires_at }: Pick<BookingChange, 'id' | 'expires_at'>,
  ended: PendingEnd | null,
): Promise<void> {
  const { url, amount_minor } = await findCheckoutOfChange(tx, id);
  const facts = { id, checkout_url: url!, amount_minor, expires_at: expires_at! };
  const pending_change = { ...presentPendingChange(facts), ended };
  const object: BookingWithPendingChange = { ...presentBooking(booking), pending_change };
  await insertEvent(tx, { type, workspace_id: booking.workspace_id, object, created_at: new Date() });
}

/** Ends a change whose charge was declined. The booking is unchanged and holds only its old slot. */
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
 * Handles the declined charge of a difference: the change ends, or its payer gets a link and the booking
 * keeps both slots. Returns true if a link is to be opened.
 */
export async function afterRefusal(
  tx: Tx,
  quotas: Quotas,
  change: BookingChange,
  reason: NotCharged,
): Promise<boolean> {
  const next = afterRefusedCharge(reason, change.on_authentication);
  if (next !== 'link') {
    await undoChange(tx, change, next.error);
    return false;
  }
  const booking = (await lockBooking(tx, change.booking_id))!;
  try {
    await reserveLink(tx, quotas, change, { booking, plan: change.plan! });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await undoChange(tx, change, error);
    return false;
  }
}
