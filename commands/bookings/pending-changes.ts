import { In } from 'typeorm';
import type { ChangePlan } from '../../domain/booking-change.js';
import { MAX_UNPAID_BOOKINGS } from '../../domain/booking-create.js';
import { sessionExpiry } from '../../domain/checkout-session.js';
import { refuse } from '../../domain/errors.js';
import { whyNotTakePaymentsNow, type ProcessorRefusalCode } from '../../domain/processor-refusals.js';
import { can } from '../../domain/policies.js';
import { endedBy, lapseOf, type PendingEnd } from '../../domain/pending-change.js';
import { describeBooking, presentBooking } from '../../domain/presenters/booking.js';
import {
  presentPendingChange,
  type BookingWithPendingChange,
} from '../../domain/presenters/pending-change.js';
import type { EventsOf } from '../../domain/events.js';
import { canMove, CHANGE_TRANSITIONS, CHECKOUT_TRANSITIONS } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { NOW } from '../../db/database-time.js';
import { json } from '../../db/insert.js';
import { StoredChange } from '../../db/entities/bookings.js';
import { Member } from '../../db/entities/members.js';
import { Checkout, type CheckoutState } from '../../db/entities/payments.js';
import { Room } from '../../db/entities/rooms.js';
import type { Tx } from '../../db/transaction.js';
import { setCheckoutOpen, setCheckoutState } from '../billing/checkouts.js';
import { insertEvent } from '../events/events.js';
import { enqueueMail } from '../mail/mails.js';
import { findPaymentAccount } from '../../db/queries/workspaces/recovery.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import { finishChange, lockChange } from './booking-changes.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking } from './bookings.js';
import { heldMailDelay } from './publish-booking.js';
import { releaseOtherSlots } from './slots.js';
import { assertFewUnpaid } from './unpaid-bookings.js';

/**
 * Stores the checkout with which the payer pays the difference of a change, before it is opened. The booking holds both
 * slots already. Errors: 409 `too_many_unpaid_bookings`; 412 `processor_unconfigured`; 503 while money stands still.
 */
export async function reserveLink(
  tx: Tx,
  { id: change_id, actor }: Pick<BookingChange, 'id' | 'actor'>,
  { booking, plan }: { booking: BookingRow; plan: ChangePlan },
): Promise<void> {
  const { workspace_id, currency } = booking;
  const account = await findPaymentAccount(tx, workspace_id);
  refuse(whyNotTakePaymentsNow(account));
  const { processor_account_id, checkout_hold_seconds } = account;
  if (booking.member_id && !(await isForAll(tx, actor)))
    await assertFewUnpaid(tx, booking.member_id, MAX_UNPAID_BOOKINGS);
  const move = plan.move!;
  const room = await tx.findOneByOrFail(Room, { id: move.room_id });
  const to = { start_at: new Date(move.start_at), end_at: new Date(move.end_at) };
  await tx.insert(Checkout, {
    id: newId('chk'),
    workspace_id,
    change_id,
    ordinal: 1,
    account_id: processor_account_id!,
    currency,
    amount_minor: move.difference.total_minor,
    description: `Difference for the change to ${describeBooking({ room_name: room.name, time_zone: room.time_zone, ...to })}`,
    session_expires_at: sessionExpiry(Date.now(), checkout_hold_seconds),
  });
  const { from, to: state } = CHANGE_TRANSITIONS.open;
  await tx.update(StoredChange, { id: change_id, state: In(from) }, { state, plan, request: null });
}

/** True for an admin or owner: they book for everyone. */
async function isForAll(tx: Tx, actor: BookingChange['actor']): Promise<boolean> {
  if ('guest' in actor) return false;
  const { role } = await tx.findOneByOrFail(Member, { id: actor.member_id });
  return can(role, 'all_bookings');
}

/**
 * Publishes the link of a change: from now on the payer can pay, until it lapses. Does nothing if the change does not
 * wait for it any more.
 */
export async function publishLink(
  tx: Tx,
  changeId: string,
  session: { id: string; url: string },
): Promise<void> {
  const change = (await lockChange(tx, changeId))!;
  if (!canMove(CHANGE_TRANSITIONS.publish, change.state)) return;
  const booking = (await lockBooking(tx, change.booking_id))!;
  const { edit_window_minutes } = await tx.findOneByOrFail(Room, { id: booking.room_id });
  const { checkout_hold_seconds: hold_seconds } = (await findWorkspace(tx, change.workspace_id))!;
  const { start_at } = booking;
  const new_end = change.plan!.move!.end_at;
  const expires_at = lapseOf({ now: Date.now(), hold_seconds, start_at, edit_window_minutes, new_end });
  const { owner_id } = await checkoutOf(tx, changeId);
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
 * Ends changes of a locked booking that were not paid; the changes are locked too. A pending one frees its new slot, and
 * its checkout is to be closed. One that is being charged is followed until the charge has ended. Money that still
 * arrives is refunded.
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
    const outcome = endedBy(end, code);
    if (canMove(CHANGE_TRANSITIONS.withdraw, state)) {
      const withdrawn = { state: CHANGE_TRANSITIONS.withdraw.to, outcome: json(outcome), plan: null };
      await tx.update(StoredChange, { id }, withdrawn);
      continue;
    }
    await releaseOtherSlots(tx, booking.id);
    await finishChange(tx, id, outcome);
    await abandonCheckoutOf(tx, id);
    if (state === 'pending') await recordEvent(tx, 'booking.change_lapsed', booking, change, end);
  }
}

/**
 * Ends a change whose payer could pay, unless it has ended already. `checkout` is the state of its session, if the
 * processor has reported one.
 */
export async function endPendingChange(
  tx: Tx,
  changeId: string,
  { end, checkout, code }: { end: PendingEnd; checkout?: CheckoutState; code?: ProcessorRefusalCode },
): Promise<void> {
  const change = (await lockChange(tx, changeId))!;
  const isOpening = change.state === 'opening';
  if (!isOpening && change.state !== 'pending') return;
  // It was published although the run was told otherwise: its payer may be paying.
  if (end === 'not_opened' && !isOpening) return;
  const booking = (await lockBooking(tx, change.booking_id))!;
  await withdrawUnpaidChanges(tx, booking, [change], end, code);
  // One that could not be closed is tried again by self-heal.
  if (checkout && checkout !== 'open')
    await setCheckoutState(tx, (await checkoutOf(tx, changeId)).owner_id, checkout);
}

/** Records that the checkout of a change was paid, if it has one. */
export async function setPaid(tx: Tx, changeId: string): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.pay;
  await tx.update(Checkout, { change_id: changeId, state: In(from) }, { state: to, updated_at: NOW });
}

const checkoutOf = (tx: Tx, changeId: string): Promise<Checkout> =>
  tx.findOneByOrFail(Checkout, { change_id: changeId });

/** The session of an ended change must be closed, even one whose creation got no response. */
async function abandonCheckoutOf(tx: Tx, changeId: string): Promise<void> {
  const { from, to } = CHECKOUT_TRANSITIONS.give_up;
  await tx.update(Checkout, { change_id: changeId, state: In(from) }, { state: to, updated_at: NOW });
}

async function recordEvent(
  tx: Tx,
  type: Extract<EventsOf<'booking'>, `booking.change_${string}`>,
  booking: BookingRow,
  { id, expires_at }: Pick<BookingChange, 'id' | 'expires_at'>,
  ended: PendingEnd | null,
): Promise<void> {
  const { url, amount_minor } = await checkoutOf(tx, id);
  const facts = { id, checkout_url: url!, amount_minor, expires_at: expires_at! };
  const pending_change = { ...presentPendingChange(facts), ended };
  const object: BookingWithPendingChange = { ...presentBooking(booking), pending_change };
  await insertEvent(tx, { type, workspace_id: booking.workspace_id, object, created_at: new Date() });
}
