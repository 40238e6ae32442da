import {
  allHandlersFinished,
  condition,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { BookingRunState } from '../activities/index.js';
import { Attention } from './attention.js';
import { closeRemainingCheckout, endHold, openBooking } from './booking-checkout.js';
import { BookingInbox, processNext, readState, type BookingRun } from './booking-inbox.js';
import { chargeForChange, PendingCharge } from './change-booking.js';
import { CHANGE_PAYMENT, PAYMENT, resolveUnpaid } from './close-checkout.js';
import { createUpdate, type BookingInput } from '../contract/bookings.js';
import type { CreateOutcome } from '../contract/payments/checkouts.js';
import { searchAttributes } from '../contract/search-attributes.js';
import { hasEnded } from '../domain/states.js';
import { proxyTransactions } from './in-task.js';
import { closeAbandoned, followLink } from './pending-change.js';
import { verifyAndSettle } from './verify-and-settle.js';

const { completeBooking } = proxyTransactions();

/** How long to wait for a worker whose clock is behind. */
const CLOCK_PAUSE_MS = 5_000;

/**
 * One booking, from the reserved slot to the end of its time
 * (docs/internals/architecture.md#the-life-of-a-booking).
 *
 * The API has claimed the slot. The run opens the checkout and publishes the booking, which ends the client's
 * wait. Then it waits for a payment or the end of the hold, and finally for the end of the booking. Payments,
 * changes and cancellations are processed one at a time. A lost run is started again from the booking's row.
 */
export async function booking({ bookingId }: BookingInput): Promise<string> {
  const attention = new Attention();
  const inbox = new BookingInbox();
  const run: BookingRun = { bookingId, attention, inbox, charge: new PendingCharge() };
  let created: CreateOutcome | undefined;
  setHandler(createUpdate, async () => {
    await condition(() => created !== undefined);
    return created!;
  });

  const opening = await openBooking(bookingId);
  created = opening.outcome;
  if (!opening.state) {
    upsertSearchAttributes([{ key: searchAttributes.bookingStatus, value: 'refused' }]);
    while (!(await closeRemainingCheckout(run))) await settleReported(run);
    await settleReported(run);
    await condition(allHandlersFinished);
    return created.kind;
  }
  let { state } = opening;
  inbox.acceptRereads();

  let wasPaid = false;
  while (isLive(state)) {
    resolveWhatIsOver(attention, state);
    if (state.status === 'confirmed') {
      wasPaid = true;
      showInSearch(state);
    }
    // Otherwise callers who never pause would prevent the run from ever continuing as new.
    inbox.acceptsChanges = !workflowInfo().continueAsNewSuggested;
    if (!inbox.acceptsChanges && inbox.isEmpty) {
      await condition(() => allHandlersFinished() || !inbox.isEmpty);
      // Whatever has arrived in this run is processed in this run.
      if (inbox.isEmpty) await attention.continueAsNew<typeof booking>({ bookingId });
    }
    state = await awaitNext(run, state);
  }
  inbox.acceptsChanges = true;
  showInSearch(state);
  resolveWhatIsOver(attention, state);
  if (state.status === 'cancelled' && !wasPaid)
    while (!(await closeRemainingCheckout(run))) state = await processNext(run);
  attention.showStatus(`Done: the booking is ${state.status}.`);
  // A payment reported in the meantime is late, but not lost: it is settled before the run ends.
  for (;;) {
    while (!inbox.isEmpty) state = await processNext(run);
    while (inbox.isEmpty && state.unsettledChange) {
      await followCharge(run, state.unsettledChange);
      state = await readState(run);
    }
    await condition(() => allHandlersFinished() || !inbox.isEmpty);
    if (inbox.isEmpty) return state.status;
  }
}

const isLive = ({ status }: BookingRunState): boolean => !hasEnded(status);

/** Removes problems with payments that nothing waits for any more. */
function resolveWhatIsOver(attention: Attention, { status, pendingChange }: BookingRunState): void {
  if (status !== 'pending_payment') resolveUnpaid(attention, PAYMENT);
  if (!pendingChange) resolveUnpaid(attention, CHANGE_PAYMENT);
}

function showInSearch({ status, roomId, startAt }: BookingRunState): void {
  upsertSearchAttributes([
    { key: searchAttributes.bookingStatus, value: status },
    { key: searchAttributes.room, value: roomId },
    { key: searchAttributes.slotStart, value: new Date(startAt) },
  ]);
}

/**
 * Looks up a charge whose outcome is unknown when it is time. Returns earlier if something arrives or at
 * `until` (milliseconds since the epoch).
 */
async function followCharge(run: BookingRun, changeId: string, until = Infinity): Promise<void> {
  const { attention, inbox, charge } = run;
  if (charge.lookAt <= Date.now()) return chargeForChange(run, changeId);
  const look = new Date(Math.min(charge.lookAt, until)).toISOString();
  attention.showStatus(`The charge for a change is pending at the processor. It is looked up at ${look}.`);
  await inbox.waitUntil(look, 'look up the charge of a change');
}

/** Settles the payments that were reported for a booking that was refused: it has no row to read. */
async function settleReported({ bookingId, attention, inbox }: BookingRun): Promise<void> {
  for (let next = inbox.nextReport; next; next = inbox.nextReport)
    inbox.removeReport(next, await verifyAndSettle(attention, bookingId, next));
}

/** Waits for a live booking's next payment, change or deadline and processes it. */
async function awaitNext(run: BookingRun, state: BookingRunState): Promise<BookingRunState> {
  const { bookingId, attention, inbox } = run;
  if (state.status === 'pending_payment') {
    const until = state.expiresAt!;
    attention.showStatus(
      `Not paid yet. Held until ${until}. The slot is released once the processor confirms ` +
        'that nothing was paid.',
    );
    await inbox.waitUntil(until, 'checkout hold ends', () => inbox.checkoutClosed);
    return inbox.isEmpty ? endHold(run) : processNext(run);
  }
  if (state.unsettledChange) {
    await followCharge(run, state.unsettledChange, Date.parse(state.endAt));
    if (inbox.isEmpty && Date.parse(state.endAt) > Date.now()) return readState(run);
  } else if (state.pendingChange) {
    await followLink(run, state.pendingChange, state.endAt);
    if (inbox.isEmpty && Date.parse(state.endAt) > Date.now()) return readState(run);
  } else {
    attention.showStatus(`Confirmed. Waiting for the booking to end at ${state.endAt}.`);
    await inbox.waitUntil(state.endAt, 'booking ends');
  }
  if (!inbox.isEmpty) return processNext(run);
  const completed = await attention.retryUntilDone('completing the booking', () =>
    completeBooking(bookingId),
  );
  if (completed.abandonedCheckout) await closeAbandoned(run, completed.abandonedCheckout);
  // By the clock of the worker that ran it, the time is not over yet.
  if (isLive(completed) && Date.parse(completed.endAt) <= Date.now())
    await inbox.waitUntil(new Date(Date.now() + CLOCK_PAUSE_MS).toISOString(), 'complete the booking again');
  return completed;
}
