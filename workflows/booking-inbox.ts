import { ApplicationFailure, condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities, BookingState } from '../activities/index.js';
import { TRANSACTION } from './activity-options.js';
import type { Attention } from './attention.js';
import { cancel, change, type PendingCharge } from './change-booking.js';
import {
  cancelBooking,
  changeBooking,
  type ChangeInput,
  checkoutClosed,
  paymentConfirmed,
  type PaymentNotification,
} from './contract.js';
import { settlePayment } from './settle-payment.js';

const { findBookingState } = proxyActivities<Activities>(TRANSACTION);

/** Shared by the parts of a booking's run. */
export interface BookingRun {
  bookingId: string;
  attention: Attention;
  inbox: BookingInbox;
  charge: PendingCharge;
}

type ChangeKind = 'change' | 'cancel';

/** Payments, changes and cancellations that a booking's run has received and not processed yet. */
export class BookingInbox {
  /** The processor has reported that the checkout is closed. */
  checkoutClosed = false;
  /** False while the run is about to continue as new. A change is then rejected, and its caller sends it to the next run. */
  acceptsChanges = true;
  private readonly payments = new Map<string, PaymentNotification>();
  private readonly settled = new Set<string>();
  private readonly changes = new Map<string, ChangeKind>();

  constructor() {
    setHandler(paymentConfirmed, (payment) => {
      const { paymentIntentId } = payment;
      if (!this.settled.has(paymentIntentId) && !this.payments.has(paymentIntentId))
        this.payments.set(paymentIntentId, payment);
    });
    setHandler(checkoutClosed, () => {
      this.checkoutClosed = true;
    });
    const validator: (input: ChangeInput) => void = () => {
      if (!this.acceptsChanges) throw ApplicationFailure.nonRetryable('The run continues as new.');
    };
    setHandler(changeBooking, ({ changeId }) => this.enqueue(changeId, 'change'), { validator });
    setHandler(cancelBooking, ({ changeId }) => this.enqueue(changeId, 'cancel'), { validator });
  }

  get isEmpty(): boolean {
    return this.payments.size === 0 && this.changes.size === 0;
  }

  get nextPayment(): PaymentNotification | undefined {
    return this.payments.values().next().value;
  }

  /** Removes a payment. A settled one is ignored from now on; an unpaid one may be reported again. */
  removePayment(paymentIntentId: string, settled: boolean): void {
    this.payments.delete(paymentIntentId);
    if (settled) this.settled.add(paymentIntentId);
  }

  /** Waits until something arrives, `or` returns true, or `time` (ISO 8601) is reached. */
  async waitUntil(time: string, timerSummary: string, or = () => false): Promise<void> {
    const arrived = (): boolean => !this.isEmpty || or();
    while (!arrived() && Date.parse(time) > Date.now())
      await condition(arrived, Date.parse(time) - Date.now(), { summary: timerSummary });
  }

  /** The oldest pending change or cancellation. */
  get nextChange(): [changeId: string, kind: ChangeKind] | undefined {
    return this.changes.entries().next().value;
  }

  /** Removes a change that was processed, which ends its update. */
  removeChange(changeId: string): void {
    this.changes.delete(changeId);
  }

  private async enqueue(changeId: string, kind: ChangeKind): Promise<void> {
    this.changes.set(changeId, kind);
    await condition(() => !this.changes.has(changeId));
  }
}

/** Processes the oldest payment, else the oldest change. Returns the booking's new state. */
export async function processNext(run: BookingRun): Promise<BookingState> {
  const { nextPayment, nextChange } = run.inbox;
  if (nextPayment) return settle(run, nextPayment);
  if (nextChange) {
    const [changeId, kind] = nextChange;
    await (kind === 'change' ? change(run, changeId) : cancel(run, changeId));
    run.inbox.removeChange(changeId);
  }
  return readState(run);
}

/** Settles a payment. Returns the booking's new state. */
export async function settle(run: BookingRun, payment: PaymentNotification): Promise<BookingState> {
  const { bookingId, attention, inbox } = run;
  attention.showStatus('Verifying a payment with the processor.');
  const outcome = await settlePayment(attention, bookingId, payment);
  inbox.removePayment(payment.paymentIntentId, outcome.kind !== 'unpaid');
  return readState(run);
}

/** The booking as it is now. */
export const readState = ({ bookingId, attention }: BookingRun): Promise<BookingState> =>
  attention.retryUntilDone('reading the booking', () => findBookingState(bookingId));
