import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, BookingState } from '../activities/index.js';
import { TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import { closeRemainingCheckout, endHold, openBooking } from './booking-checkout.js';
import { BookingInbox, processNext, type BookingRun } from './booking-inbox.js';
import { chargeForChange } from './change-booking.js';
import { createBooking, searchAttributes, type BookingInput, type CreateOutcome } from './contract.js';

const { completeBooking, findBookingState, listChargingChanges } = proxyActivities<Activities>(TRANSACTION);

/**
 * One booking, from the reserved slot to the end of its time (docs/architecture.md#the-life-of-a-booking).
 *
 * The API has claimed the slot. The run opens the checkout and publishes the booking, which ends the client's wait.
 * Then it waits for a payment or the end of the hold, and finally for the end of the booking. Payments, changes and
 * cancellations are processed one at a time. A run that was lost starts again from the booking's row.
 */
export async function booking({ bookingId }: BookingInput): Promise<string> {
  const attention = new Attention();
  const run: BookingRun = { bookingId, attention, inbox: new BookingInbox(attention) };
  let created: CreateOutcome | undefined;
  setHandler(createBooking, async () => {
    await condition(() => created !== undefined);
    return created!;
  });

  const opening = await openBooking(bookingId);
  created = opening.outcome;
  if (!opening.state) {
    upsertSearchAttributes([{ key: searchAttributes.bookingStatus, value: 'refused' }]);
    await closeRemainingCheckout(run);
    await condition(allHandlersFinished);
    return created.kind;
  }
  let state = opening.revived ? await finishLostChanges(run) : opening.state;

  let wasPaid = false;
  while (isLive(state)) {
    if (state.status === 'confirmed') {
      wasPaid = true;
      showInSearch(state);
    }
    if (workflowInfo().continueAsNewSuggested && run.inbox.isEmpty) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof booking>({ bookingId });
    }
    state = await awaitNext(run, state);
  }
  showInSearch(state);
  if (state.status === 'cancelled' && !wasPaid) await closeRemainingCheckout(run);
  attention.showStatus(`Done: the booking is ${state.status}.`);
  // A payment that is reported meanwhile is late, not lost: it is settled before the run ends.
  do {
    while (!run.inbox.isEmpty) state = await processNext(run);
    await condition(allHandlersFinished);
  } while (!run.inbox.isEmpty);
  return state.status;
}

const isLive = ({ status }: BookingState): boolean => status === 'pending_payment' || status === 'confirmed';

function showInSearch({ status, roomId, startAt }: BookingState): void {
  upsertSearchAttributes([
    { key: searchAttributes.bookingStatus, value: status },
    { key: searchAttributes.room, value: roomId },
    { key: searchAttributes.slotStart, value: new Date(startAt) },
  ]);
}

/** Finishes the changes that a lost run was charging. */
async function finishLostChanges({ bookingId, attention }: BookingRun): Promise<BookingState> {
  const changes = await attention.retryUntilDone('reading the booking', () => listChargingChanges(bookingId));
  for (const changeId of changes) await chargeForChange(attention, changeId);
  return attention.retryUntilDone('reading the booking', () => findBookingState(bookingId));
}

/** Waits for a live booking's next payment, change or deadline and processes it. */
async function awaitNext(run: BookingRun, state: BookingState): Promise<BookingState> {
  const { bookingId, attention, inbox } = run;
  if (state.status === 'pending_payment') {
    const until = state.expiresAt!;
    attention.showStatus(
      `Waiting for the payment. The reservation hold expires at ${until}. The slot is released once the processor confirms that it was not paid.`,
    );
    await inbox.waitUntil(until, 'checkout hold ends', () => inbox.checkoutClosed);
    return inbox.isEmpty ? endHold(run) : processNext(run);
  }
  attention.showStatus(`Confirmed. Waiting for the booking to end at ${state.endAt}.`);
  await inbox.waitUntil(state.endAt, 'booking ends');
  if (!inbox.isEmpty) return processNext(run);
  return attention.retryUntilDone('completing the booking', () => completeBooking(bookingId));
}
