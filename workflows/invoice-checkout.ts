import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import { ActivityFailure } from '@temporalio/common';
import { refusalCodeOf } from './checkout-refusal.js';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL, OUTSIDE_CALL_AWAITED, TRANSACTION, TRANSACTION_AWAITED } from './activity-options.js';
import { Attention } from './attention.js';
import {
  checkoutClosed,
  closeInvoiceCheckout,
  openInvoiceCheckout,
  paymentConfirmed,
  type CreateOutcome,
  type InvoiceCheckoutInput,
  type PaymentNotification,
} from './contract.js';
import { settlePayment } from './settle-payment.js';

const { openInvoiceCheckout: open } = proxyActivities<Activities>(OUTSIDE_CALL_AWAITED);
const { recordInvoiceCheckout } = proxyLocalActivities<Activities>(TRANSACTION_AWAITED);
const { closeCheckout } = proxyActivities<Activities>(OUTSIDE_CALL);
const { recordCheckout } = proxyActivities<Activities>(TRANSACTION);

/**
 * The hosted checkout of one invoice (docs/rules/billing.md#invoice-checkout). Opens it, waits for a payment
 * notification from any of the four confirmation layers, and closes it at the processor before the run ends, either when
 * it expires or because the invoice is about to be paid or voided in another way.
 */
export async function invoiceCheckout({ checkoutId }: InvoiceCheckoutInput): Promise<string> {
  const attention = new Attention();
  const pendingPayments = new Map<string, PaymentNotification>();
  let opened: CreateOutcome | undefined;
  let closing = false;
  let closed = false;

  setHandler(openInvoiceCheckout, async () => {
    await condition(() => opened !== undefined);
    return opened!;
  });
  setHandler(closeInvoiceCheckout, async () => {
    closing = true;
    await condition(() => closed);
  });
  setHandler(paymentConfirmed, (payment) => {
    pendingPayments.set(payment.paymentIntentId, payment);
  });
  setHandler(checkoutClosed, () => {
    closing = true;
  });

  const opening = await openCheckout(checkoutId);
  opened = opening.outcome;
  const { expiresAt } = opening;

  let result = 'closed';
  while (!closed) {
    const arrived = (): boolean => pendingPayments.size > 0 || closing;
    if (expiresAt > Date.now() && !arrived()) {
      attention.showStatus(`Waiting for the payment until ${new Date(expiresAt).toISOString()}.`);
      await condition(arrived, expiresAt - Date.now(), { summary: 'checkout expires' });
    }
    const payment = nextPayment() ?? (await close());
    if (!payment) break;
    pendingPayments.delete(payment.paymentIntentId);
    const outcome = await settlePayment(attention, checkoutId, payment);
    if (outcome.kind !== 'unpaid') {
      result = outcome.kind;
      closed = pendingPayments.size === 0;
    } else if (closing && pendingPayments.size === 0) break;
  }
  closed = true;
  await condition(allHandlersFinished);
  return result;

  function nextPayment(): PaymentNotification | undefined {
    return pendingPayments.values().next().value;
  }

  /** Closes the checkout at the processor. Returns the payment if it turns out to be paid. */
  async function close(): Promise<PaymentNotification | undefined> {
    attention.showStatus('Closing the checkout at the processor.');
    const current = await attention.retryUntilDone('closing the checkout', () => closeCheckout(checkoutId));
    if (current.kind === 'paid')
      return { paymentIntentId: current.paymentIntentId, source: 'scheduler_self_heal' };
    // A payment in progress is followed by self-heal, and refunded if the invoice is paid by then.
    if (current.kind !== 'open') {
      await attention.retryUntilDone('storing the end of the checkout', () =>
        recordCheckout({ ownerId: checkoutId, state: current.kind }),
      );
    }
    return nextPayment();
  }
}

/** Opens the checkout. `expiresAt` is in milliseconds since the epoch, 0 if it could not be opened. */
async function openCheckout(checkoutId: string): Promise<{ outcome: CreateOutcome; expiresAt: number }> {
  try {
    const session = await open(checkoutId);
    if (!session) return { outcome: { kind: 'refused', code: 'service_unavailable' }, expiresAt: 0 };
    const expiresAt = Date.parse(await recordInvoiceCheckout({ checkoutId, session }));
    return { outcome: { kind: 'published' }, expiresAt };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await recordCheckout({ ownerId: checkoutId, state: 'abandoned' });
    const code = refusalCodeOf(error);
    return { outcome: { kind: 'refused', code }, expiresAt: 0 };
  }
}
