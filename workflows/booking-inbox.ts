import { ApplicationFailure, condition, setHandler } from '@temporalio/workflow';
import type { BookingRunState, SettledReport } from '../activities/index.js';
import type { Attention } from './attention.js';
import { cancel, change, type PendingCharge } from './change-booking.js';
import {
  cancelUpdate,
  changeUpdate,
  type ChangeInput,
  rereadBooking,
  type TakePaymentInput,
  takePaymentUpdate,
  withdrawUpdate,
  type WithdrawInput,
} from '../contract/bookings.js';
import { checkoutClosed, lookAtCheckout } from '../contract/payments/checkouts.js';
import { paymentConfirmed, type PaymentReport } from '../contract/payments/payments.js';
import { takePayment } from './desk-payment.js';
import { proxyTransactions } from './in-task.js';
import { closeAbandoned, withdrawLink } from './pending-change.js';
import { reportKey, CHECKOUT_KEY, verifyAndSettle } from './verify-and-settle.js';

const { findBookingState } = proxyTransactions();

/** The parts of a booking's run that its modules share. */
export interface BookingRun {
  bookingId: string;
  attention: Attention;
  inbox: BookingInbox;
  charge: PendingCharge;
}

/** Processes a change. Returns the booking's new state; null if it must be read. */
type Process = (run: BookingRun, changeId: string) => Promise<BookingRunState | null>;

/** Used in place of a change's id if the booking only has to be read again. */
const REREAD = 'reread';

/**
 * Payments, changes, cancellations and payments at the desk that a booking's run has received and not
 * processed yet.
 */
export class BookingInbox {
  /** The processor has reported that the checkout is closed. */
  checkoutClosed = false;
  /**
   * False while the run is about to continue as new. Changes are then rejected, and their callers send them
   * to the next run.
   */
  acceptsChanges = true;
  /** True if the checkout was closed for a payment at the desk: the hold must go on. */
  private keepsHold = false;
  private readonly reports = new Map<string, PaymentReport>();
  private readonly settled = new Set<string>();
  private readonly changes = new Map<string, Process>();

  constructor() {
    setHandler(paymentConfirmed, (payment) => {
      this.report(payment);
    });
    setHandler(lookAtCheckout, async ({ source }) => {
      this.report({ source });
      await condition(() => !this.reports.has(CHECKOUT_KEY));
    });
    setHandler(checkoutClosed, () => {
      this.checkoutClosed = !this.keepsHold;
    });
    const validator: (input: ChangeInput) => void = () => {
      if (!this.acceptsChanges) throw ApplicationFailure.nonRetryable('The run continues as new.');
    };
    setHandler(changeUpdate, ({ changeId }) => this.enqueue(changeId, change), { validator });
    setHandler(cancelUpdate, ({ changeId }) => this.enqueue(changeId, cancel), { validator });
    setHandler(withdrawUpdate, (input) => this.enqueue(input.changeId, withdraw(input)), { validator });
    setHandler(takePaymentUpdate, (input) => this.enqueue(input.changeId, payAtDesk(input)), { validator });
  }

  get isEmpty(): boolean {
    return this.reports.size === 0 && this.changes.size === 0;
  }

  get nextReport(): PaymentReport | undefined {
    return this.reports.values().next().value;
  }

  /**
   * Removes a report that was processed. A settled payment is ignored from now on, however it is reported; an
   * unpaid one may be reported again.
   */
  removeReport(report: PaymentReport, { outcome, paymentIntentId }: SettledReport): void {
    this.reports.delete(reportKey(report));
    if (outcome.kind === 'unpaid' || !paymentIntentId) return;
    this.reports.delete(paymentIntentId);
    this.settled.add(paymentIntentId);
  }

  /** Removes waiting reports of the checkout, which is no longer being paid. */
  removeLooks(): void {
    this.reports.delete(CHECKOUT_KEY);
  }

  /**
   * From now on, closing the checkout does not end the hold: the service closes it itself, and the payment at
   * the desk may have to be retried.
   */
  ignoreClosedCheckout(): void {
    this.keepsHold = true;
    this.checkoutClosed = false;
  }

  /** Waits until something arrives, `or` returns true, or `time` (ISO 8601) is reached. */
  async waitUntil(time: string, timerSummary: string, or = () => false): Promise<void> {
    const arrived = (): boolean => !this.isEmpty || or();
    while (!arrived() && Date.parse(time) > Date.now())
      await condition(arrived, Date.parse(time) - Date.now(), { summary: timerSummary });
  }

  /** From now on, a `rereadBooking` is processed like a change. */
  acceptRereads(): void {
    setHandler(rereadBooking, () => {
      this.changes.set(REREAD, () => Promise.resolve(null));
    });
  }

  /** Returns the oldest pending change or cancellation. */
  get nextChange(): [changeId: string, process: Process] | undefined {
    return this.changes.entries().next().value;
  }

  /** Removes a change that was processed, which ends its update. */
  removeChange(changeId: string): void {
    this.changes.delete(changeId);
  }

  private report(report: PaymentReport): void {
    const key = reportKey(report);
    if (!this.settled.has(key) && !this.reports.has(key)) this.reports.set(key, report);
  }

  private async enqueue(changeId: string, process: Process): Promise<void> {
    this.changes.set(changeId, process);
    await condition(() => !this.changes.has(changeId));
  }
}

const withdraw =
  (input: WithdrawInput): Process =>
  ({ attention }) =>
    withdrawLink(attention, input);

const payAtDesk =
  (input: TakePaymentInput): Process =>
  (run) =>
    takePayment(run, input, (payment) => settle(run, payment));

/** Processes the oldest report, otherwise the oldest change. Returns the booking's new state. */
export async function processNext(run: BookingRun): Promise<BookingRunState> {
  const { nextReport, nextChange } = run.inbox;
  if (nextReport) return settle(run, nextReport);
  if (nextChange) {
    const [changeId, process] = nextChange;
    const state = await process(run, changeId);
    run.inbox.removeChange(changeId);
    if (state?.abandonedCheckout) await closeAbandoned(run, state.abandonedCheckout);
    if (state) return state;
  }
  return readState(run);
}

/** Settles a reported payment. Returns the booking's new state. */
export async function settle(run: BookingRun, report: PaymentReport): Promise<BookingRunState> {
  const { bookingId, attention, inbox } = run;
  attention.showStatus('Verifying a payment with the processor.');
  const settled = await verifyAndSettle(attention, bookingId, report);
  inbox.removeReport(report, settled);
  const state = settled.state ?? (await readState(run));
  if (state.status !== 'pending_payment') inbox.removeLooks();
  return state;
}

/** Reads the booking's current state. */
export const readState = ({ bookingId, attention }: BookingRun): Promise<BookingRunState> =>
  attention.retryUntilDone('reading the booking', () => findBookingState(bookingId));
