import { allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow';
import { OUTSIDE_CALL_AWAITED } from './activity-options.js';
import { Attention } from './attention.js';
import { toRefusalCode } from './checkout-refusal.js';
import {
  closeAndSettle,
  PAYMENT,
  raiseUnpaid,
  recordEnd,
  resolveUnpaid,
  type Attempt,
} from './close-checkout.js';
import {
  checkoutClosed,
  closeCheckoutUpdate,
  lookAtCheckout,
  openCheckoutUpdate,
  type CreateOutcome,
  type InvoiceCheckoutInput,
} from '../contract/payments/checkouts.js';
import { paymentConfirmed, type PaymentReport } from '../contract/payments/payments.js';
import { firstInTask, proxyTransactions } from './in-task.js';
import { CHECKOUT_KEY, verifyAndSettle } from './verify-and-settle.js';

const open = firstInTask((activities) => activities.openInvoiceCheckout, OUTSIDE_CALL_AWAITED);
const { abandonInvoiceCheckout } = proxyTransactions();

/**
 * The hosted checkout of one invoice (docs/rules/billing.md#invoice-checkout). Opens it, waits for a payment
 * notification from any of the four confirmation layers, and closes it at the processor before the run ends,
 * either when it expires or because the invoice is about to be paid or voided in another way.
 */
export async function invoiceCheckout({ checkoutId }: InvoiceCheckoutInput): Promise<string> {
  const attention = new Attention();
  const reports = new Map<string, PaymentReport>();
  let opened: CreateOutcome | undefined;
  let closing = false;
  let closed = false;

  setHandler(openCheckoutUpdate, async () => {
    await condition(() => opened !== undefined);
    return opened!;
  });
  setHandler(closeCheckoutUpdate, async () => {
    closing = true;
    await condition(() => closed);
  });
  setHandler(paymentConfirmed, (payment) => {
    reports.set(payment.paymentIntentId, payment);
  });
  setHandler(lookAtCheckout, async ({ source }) => {
    if (!reports.has(CHECKOUT_KEY)) reports.set(CHECKOUT_KEY, { source });
    await condition(() => closed || !reports.has(CHECKOUT_KEY));
  });
  setHandler(checkoutClosed, () => {
    closing = true;
  });

  // A run that is started to close its checkout does not need to open it.
  const opening = closing ? REFUSED : await openCheckout(checkoutId);
  opened = opening.outcome;
  const { expiresAt } = opening;

  let result = 'closed';
  while (!closed) {
    const arrived = (): boolean => reports.size > 0 || closing;
    if (expiresAt > Date.now() && !arrived()) {
      attention.showStatus(`Waiting for the payment until ${new Date(expiresAt).toISOString()}.`);
      await condition(arrived, expiresAt - Date.now(), { summary: 'checkout expires' });
    }
    const reported = nextReport();
    const report = reported ?? (await close());
    if (!report) {
      resolveUnpaid(attention, PAYMENT);
      break;
    }
    // It may be reported again during the call to the processor.
    reports.delete(report.paymentIntentId ?? '');
    const { outcome, paymentIntentId } = await verifyAndSettle(attention, checkoutId, report);
    if (!report.paymentIntentId || outcome.kind !== 'unpaid') reports.delete(CHECKOUT_KEY);
    if (outcome.kind !== 'unpaid') {
      reports.delete(paymentIntentId!);
      attention.resolve(PAYMENT);
      result = outcome.kind;
      closed = reports.size === 0;
    } else if (!reported && closing && reports.size === 0) break;
    else if (!reported) {
      // The session is paid and its payment is not, or has another amount. Both are queried again.
      const again = Date.parse(raiseUnpaid(attention, PAYMENT));
      if (workflowInfo().continueAsNewSuggested) {
        await condition(() => allHandlersFinished() || arrived());
        if (!arrived()) await attention.continueAsNew<typeof invoiceCheckout>({ checkoutId });
      }
      await condition(arrived, again - Date.now(), { summary: 'look at the checkout again' });
    }
  }
  closed = true;
  await condition(allHandlersFinished);
  return result;

  function nextReport(): PaymentReport | undefined {
    return reports.values().next().value;
  }

  /** Closes the checkout at the processor. Returns the payment if it turns out to be paid. */
  async function close(): Promise<PaymentReport | undefined> {
    attention.showStatus('Closing the checkout at the processor.');
    const untilDone: Attempt = (ask) => attention.retryUntilDone('closing the checkout', ask);
    return closeAndSettle<PaymentReport | undefined>(checkoutId, untilDone, {
      paid: async (payment) => payment,
      // Self-heal follows a payment in progress. It is refunded if the invoice is paid by then.
      unpaid: async (state) => {
        await recordEnd(attention, checkoutId, state);
        return nextReport();
      },
    });
  }
}

interface Opening {
  outcome: CreateOutcome;
  /** Milliseconds since the epoch; 0 if the checkout could not be opened. */
  expiresAt: number;
}

const REFUSED: Opening = { outcome: { kind: 'refused', code: 'service_unavailable' }, expiresAt: 0 };

/**
 * Opens the checkout. A failure abandons it, unless a lost run has opened it, because a payer may be there.
 */
async function openCheckout(checkoutId: string): Promise<Opening> {
  try {
    const expiresAt = await open(checkoutId);
    return expiresAt ? { outcome: { kind: 'published' }, expiresAt: Date.parse(expiresAt) } : REFUSED;
  } catch (error) {
    const code = toRefusalCode(error);
    const expiresAt = await abandonInvoiceCheckout(checkoutId);
    if (expiresAt) return { outcome: { kind: 'published' }, expiresAt: Date.parse(expiresAt) };
    return { outcome: { kind: 'refused', code }, expiresAt: 0 };
  }
}
