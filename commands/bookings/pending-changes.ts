import { In } from 'typeorm';
import type { ChangeActor, ChangePlan } from '../../domain/bookings/change.js';
import { MAX_UNPAID_BOOKINGS } from '../../domain/bookings/create.js';
import { sessionExpiry } from '../../domain/payments/checkout-session.js';
import { refuse } from '../../domain/errors.js';
import { whyNotTakePaymentsNow, type ProcessorRefusalCode } from '../../domain/processor/refusals.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { can } from '../../domain/policies.js';
import { endedBy, lapseOf, type PendingEnd } from '../../domain/bookings/pending-change.js';
import { presentBooking } from '../../domain/bookings/booking-presenter.js';
import {
  presentPendingChange,
  type BookingWithPendingChange,
} from '../../domain/bookings/pending-change-presenter.js';
import type { EventsOf } from '../../domain/events/types.js';
import { canMove, CHANGE_TRANSITIONS } from '../../domain/states.js';
import { StoredChange } from '../../db/entities/bookings.js';
import { Member } from '../../db/entities/members.js';
import { Checkout, type CheckoutState } from '../../db/entities/payments.js';
import { Room } from '../../db/entities/rooms.js';
import type { Tx } from '../../db/transaction.js';
import { setCheckoutOpen, setCheckoutState } from '../payments/checkouts.js';
import { insertEvent } from '../events/events.js';
import { enqueueMail } from '../mail/mails.js';
import { findPaymentAccount } from '../../db/queries/workspaces/recovery.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import { finishChange, lockChange } from './booking-changes.js';
import { abandonLink, storeCharge, storeLink } from './change-attempts.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking } from './bookings.js';
import { heldMailDelay } from './publish-booking.js';
import { releaseOtherSlots } from './slots.js';
import { audit } from '../audit-log/audit.js';
import { assertFewPendingChanges } from '../workspaces/quotas.js';
import { assertFewUnpaid } from './unpaid-bookings.js';

/**
 * Stores the checkout with which the payer pays the difference of a change, before it is opened. The booking
 * holds both slots already. Errors: 409 `too_many_unpaid_bookings`, `limit_reached`; 412
 * `processor_unconfigured`; 503 while money stands still.
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

/** True for an admin or owner: they book for everyone. */
async function isForAll(tx: Tx, actor: ChangeActor): Promise<boolean> {
  if ('guest' in actor) return false;
  const { role } = await tx.findOneByOrFail(Member, { id: actor.member_id });
  return can(role, 'all_bookings');
}

/**
 * Publishes the link of a change: from now on the payer can pay, until it lapses. Does nothing if the change
 * does not wait for it any more, or its row is lost.
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
  const expires_at = lapseOf({
    now: Date.now(),
    hold_seconds,
    start_at,
    end_at,
    edit_window_minutes,
    new_end,
  });
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
 * Ends changes of a locked booking that were not paid; the changes are locked too. Their new slots are
 * free, and their hosted page is to be closed. A charge is followed until it has ended. Money that
 * still arrives is refunded.
 */
export async function withdrawUnpaidChanges(
  tx: Tx,
  booking: BookingRow,
  changes: BookingChange[],
  end: PendingEnd,
  code?: ProcessorRefusalCode,
): Promise<void> {
  for (const change of changes) {
    const { id, state, plan } = change;
    // The charge is followed by its row, which a release that did not store charges has not written.
    if (state === 'charging') await storeCharge(tx, { change, booking, plan: plan! });
    await releaseOtherSlots(tx, booking.id);
    await finishChange(tx, id, endedBy(end, code));
    await abandonLink(tx, id);
    if (state === 'pending') await recordEvent(tx, 'booking.change_lapsed', booking, change, end);
  }
}

/** How a pending change ends. */
interface EndOfPending {
  end: PendingEnd;
  /** Who withdraws it, for the audit log; missing if nobody does. */
  by?: ChangeActor;
  /** The state of its session, if the processor has reported one. */
  checkout?: CheckoutState;
  code?: ProcessorRefusalCode;
}

/** Ends a change whose payer could pay, unless it has ended already or its row is lost. */
export async function endPendingChange(
  tx: Tx,
  changeId: string,
  { end, by, checkout, code }: EndOfPending,
): Promise<void> {
  const change = await lockChange(tx, changeId);
  const isOpening = change?.state === 'opening';
  if (!change || (!isOpening && change.state !== 'pending')) return;
  // It was published although the run was told otherwise: its payer may be paying.
  if (end === 'not_opened' && !isOpening) return;
  const booking = (await lockBooking(tx, change.booking_id))!;
  await withdrawUnpaidChanges(tx, booking, [change], end, code);
  if (by) {
    const details = { pending_change_id: changeId };
    const actor = { ...by, workspace_id: change.workspace_id };
    await audit(tx, actor, { action: 'booking.change_withdrawn', object: booking.id, details });
  }
  // One that could not be closed is tried again by self-heal.
  if (checkout && checkout !== 'open')
    await setCheckoutState(tx, (await checkoutOf(tx, changeId)).owner_id, checkout);
}

const checkoutOf = (tx: Tx, changeId: string): Promise<Checkout> =>
  tx.findOneByOrFail(Checkout, { change_id: changeId });

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
