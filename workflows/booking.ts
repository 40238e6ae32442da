import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { Activities, BookingState } from '../activities/index.js';
import { OUTSIDE_CALL, OUTSIDE_CALL_AWAITED, TRANSACTION, TRANSACTION_AWAITED } from './activity-options.js';
import { Attention } from './attention.js';
import { cancel, change, chargeForChange } from './change-booking.js';
import {
  cancelBooking,
  changeBooking,
  checkoutClosed,
  createBooking,
  paymentConfirmed,
  searchAttributes,
  type BookingInput,
  type CreateOutcome,
  type PaymentNotification,
} from './contract.js';
import { settlePayment } from './settle-payment.js';

const { openCheckout } = proxyActivities<Activities>(OUTSIDE_CALL_AWAITED);
const { publishBooking, releaseReservation } = proxyLocalActivities<Activities>(TRANSACTION_AWAITED);
const { closeCheckout, sendOwedMails } = proxyActivities<Activities>(OUTSIDE_CALL);
const { completeBooking, expireBooking, findBookingState, listChargingChanges, recordCheckout } =
  proxyActivities<Activities>(TRANSACTION);

/**
 * One booking, from the held slot to the end of its time (spec.md, "States and transitions").
 *
 * The API has claimed the slot already; here the checkout is opened and the booking published, which answers the
 * client. Then the run waits for a payment or the end of the hold, and at last for the end of the booking's time.
 * Changes and cancellations are taken in between, one at a time, so that none of all these can cross another.
 * A run that was lost begins anew from the booking's row.
 */
export async function booking({ bookingId }: BookingInput): Promise<string> {
  const attention = new Attention();
  const news = new Map<string, PaymentNotification>();
  const settled = new Set<string>();
  const asked = new Map<string, () => Promise<void>>();
  let created: CreateOutcome | undefined;
  let checkoutGone = false;

  setHandler(createBooking, async () => {
    await condition(() => created !== undefined);
    return created!;
  });
  setHandler(paymentConfirmed, (payment) => {
    const { paymentIntentId } = payment;
    if (!settled.has(paymentIntentId) && !news.has(paymentIntentId)) news.set(paymentIntentId, payment);
  });
  setHandler(checkoutClosed, () => {
    checkoutGone = true;
  });
  const inTurn = async (changeId: string, work: () => Promise<void>): Promise<void> => {
    asked.set(changeId, work);
    await condition(() => !asked.has(changeId));
  };
  setHandler(changeBooking, ({ changeId }) => inTurn(changeId, () => change(attention, changeId)));
  setHandler(cancelBooking, ({ changeId }) => inTurn(changeId, () => cancel(attention, changeId)));

  let mailing = Promise.resolve();
  const mailPayer = (): void => {
    mailing = mailing.then(() => attention.keepTrying('sending mail', () => sendOwedMails(bookingId)));
  };

  const start = await open(bookingId);
  created = start.outcome;
  if (!start.state) {
    upsertSearchAttributes([{ key: searchAttributes.bookingStatus, value: 'refused' }]);
    await closeWhateverExists(attention, bookingId);
    await condition(allHandlersFinished);
    return created.kind;
  }
  let state: BookingState = start.state;
  if (start.revived) await goOnFromRow();

  let wasPaid = false;
  for (;;) {
    if (state.status !== 'pending_payment') {
      wasPaid ||= state.status === 'confirmed';
      upsertSearchAttributes([
        { key: searchAttributes.bookingStatus, value: state.status },
        { key: searchAttributes.room, value: state.roomId },
        { key: searchAttributes.slotStart, value: new Date(state.startAt) },
      ]);
      mailPayer();
    }
    if (state.status !== 'pending_payment' && state.status !== 'confirmed') break;
    if (workflowInfo().continueAsNewSuggested && news.size === 0 && asked.size === 0) {
      await mailing;
      await condition(allHandlersFinished);
      await continueAsNew<typeof booking>({ bookingId });
    }
    state = await next(state);
  }
  if (state.status === 'cancelled' && !wasPaid) await closeWhateverExists(attention, bookingId);
  attention.waitFor(`Over: the booking is ${state.status}. Sending what mail is owed.`);
  // Money that is reported while the last mail goes out is late, not lost: it is settled before the run may end.
  do {
    for (const payment of news.values()) state = await settle(payment);
    while (asked.size > 0) state = await takeTurn();
    await mailing;
    await condition(allHandlersFinished);
  } while (news.size > 0 || asked.size > 0);
  return state.status;

  /** What a lost run may have left undone. */
  async function goOnFromRow(): Promise<void> {
    mailPayer();
    const changes = await attention.keepTrying('reading the booking', () => listChargingChanges(bookingId));
    for (const changeId of changes) await chargeForChange(attention, changeId);
    state = await attention.keepTrying('reading the booking', () => findBookingState(bookingId));
  }

  /** Waits for whatever comes next in a live booking, and deals with it. */
  async function next(current: BookingState): Promise<BookingState> {
    const pending = current.status === 'pending_payment';
    const until = pending ? current.expiresAt! : current.endAt;
    attention.waitFor(
      pending
        ? `Waiting for the payment. The hold ends at ${until}; the processor is asked then before the slot is freed.`
        : `Confirmed. Waiting for the end of the booking's time at ${until}.`,
    );
    const summary = pending ? 'checkout hold ends' : 'booked time ends';
    const somethingCame = (): boolean => news.size > 0 || asked.size > 0 || (pending && checkoutGone);
    while (!somethingCame() && Date.parse(until) > Date.now()) {
      await condition(somethingCame, Date.parse(until) - Date.now(), { summary });
    }

    const payment = news.values().next().value;
    if (payment) return settle(payment);
    if (asked.size > 0) return takeTurn();
    if (pending) return endHold();
    const completed = await attention.keepTrying('completing the booking', () => completeBooking(bookingId));
    return completed;
  }

  async function settle(payment: PaymentNotification): Promise<BookingState> {
    attention.waitFor('Asking the processor about a payment.');
    const outcome = await settlePayment(attention, bookingId, payment);
    news.delete(payment.paymentIntentId);
    if (outcome.kind !== 'unpaid') settled.add(payment.paymentIntentId);
    return attention.keepTrying('reading the booking', () => findBookingState(bookingId));
  }

  /** Deals with the change or cancellation that was asked for first. */
  async function takeTurn(): Promise<BookingState> {
    const [changeId, work] = asked.entries().next().value!;
    await work();
    asked.delete(changeId);
    return attention.keepTrying('reading the booking', () => findBookingState(bookingId));
  }

  async function endHold(): Promise<BookingState> {
    attention.waitFor('The hold is over. Closing the checkout at the processor before the slot is freed.');
    checkoutGone = false;
    const checkout = await attention.keepTrying('closing the checkout', () => closeCheckout(bookingId));
    if (checkout.kind === 'paid') {
      return settle({ paymentIntentId: checkout.paymentIntentId, source: 'scheduler_self_heal' });
    }
    // A payment may have been reported while the processor was being asked: it is looked at before the slot goes.
    if (news.size > 0) return settle(news.values().next().value!);
    if (asked.size > 0) return takeTurn();
    return attention.keepTrying('expiring the booking', () =>
      expireBooking({ bookingId, checkout: checkout.kind === 'processing' ? 'processing' : checkout.kind }),
    );
  }
}

interface Start {
  outcome: CreateOutcome;
  state: BookingState | null;
  revived?: boolean;
}

/** Opens the checkout and publishes the booking; a failure undoes the reservation and says why. */
async function open(bookingId: string): Promise<Start> {
  try {
    const opened = await openCheckout(bookingId);
    if (opened.kind === 'gone')
      return { outcome: { kind: 'refused', code: 'service_unavailable' }, state: null };
    if (opened.kind === 'published')
      return { outcome: { kind: 'published' }, state: opened.state, revived: true };
    const state = await publishBooking({ bookingId, session: opened.session });
    if (state) return { outcome: { kind: 'published' }, state };
    return { outcome: { kind: 'refused', code: 'service_unavailable' }, state: null };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const unusable =
      error.cause instanceof ApplicationFailure && error.cause.type === 'ProcessorAccountUnusable';
    const code = unusable ? 'processor_unconfigured' : 'processor_error';
    await releaseReservation({ bookingId, code });
    return { outcome: { kind: 'refused', code }, state: null };
  }
}

/**
 * After a failed create or a cancellation: a session that exists, be its answer lost, must not stay payable. Runs on
 * after the client's answer.
 */
async function closeWhateverExists(attention: Attention, bookingId: string): Promise<void> {
  attention.waitFor('The slot is free. Closing whatever checkout session exists.');
  const checkout = await attention.keepTrying('closing an abandoned checkout', () =>
    closeCheckout(bookingId),
  );
  if (checkout.kind === 'paid') {
    const payment: PaymentNotification = {
      paymentIntentId: checkout.paymentIntentId,
      source: 'scheduler_self_heal',
    };
    await settlePayment(attention, bookingId, payment);
  } else if (checkout.kind !== 'open') {
    await attention.keepTrying('storing the end of a checkout', () =>
      recordCheckout({ ownerId: bookingId, state: checkout.kind }),
    );
  }
}
