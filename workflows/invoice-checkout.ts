import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
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
 * The hosted checkout of one invoice, by the same care as a booking's (decisions.md, "Invoices and payments"): it is
 * opened, waits for a payment from any of the four layers, and is closed at the processor before it is over, be it
 * at its time or because the invoice is to be paid or voided otherwise.
 */
export async function invoiceCheckout({ checkoutId }: InvoiceCheckoutInput): Promise<string> {
  const attention = new Attention();
  const news = new Map<string, PaymentNotification>();
  let opened: CreateOutcome | undefined;
  let closing = false;
  let over = false;

  setHandler(openInvoiceCheckout, async () => {
    await condition(() => opened !== undefined);
    return opened!;
  });
  setHandler(closeInvoiceCheckout, async () => {
    closing = true;
    await condition(() => over);
  });
  setHandler(paymentConfirmed, (payment) => {
    news.set(payment.paymentIntentId, payment);
  });
  setHandler(checkoutClosed, () => {
    closing = true;
  });

  let until = 0;
  try {
    const session = await open(checkoutId);
    if (session) until = Date.parse(await recordInvoiceCheckout({ checkoutId, session }));
    opened = session ? { kind: 'published' } : { kind: 'refused', code: 'service_unavailable' };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const unusable =
      error.cause instanceof ApplicationFailure && error.cause.type === 'ProcessorAccountUnusable';
    await recordCheckout({ ownerId: checkoutId, state: 'abandoned' });
    opened = { kind: 'refused', code: unusable ? 'processor_unconfigured' : 'processor_error' };
  }

  let result = 'closed';
  while (!over) {
    const came = (): boolean => news.size > 0 || closing;
    if (until > Date.now() && !came()) {
      attention.waitFor(`Waiting for the payment until ${new Date(until).toISOString()}.`);
      await condition(came, until - Date.now(), { summary: 'checkout ends' });
    }
    const payment = news.values().next().value ?? (await close());
    if (!payment) break;
    news.delete(payment.paymentIntentId);
    const outcome = await settlePayment(attention, checkoutId, payment);
    if (outcome.kind !== 'unpaid') {
      result = outcome.kind;
      over = news.size === 0;
    } else if (closing && news.size === 0) break;
  }
  over = true;
  await condition(allHandlersFinished);
  return result;

  /** Closes the checkout at the processor; gives the payment if it turns out to be paid. */
  async function close(): Promise<PaymentNotification | null> {
    attention.waitFor('Closing the checkout at the processor.');
    const now = await attention.keepTrying('closing the checkout', () => closeCheckout(checkoutId));
    if (now.kind === 'paid') return { paymentIntentId: now.paymentIntentId, source: 'scheduler_self_heal' };
    // What is still being processed is followed by the hourly job, and goes back if the invoice is paid by then.
    if (now.kind !== 'open') {
      await attention.keepTrying('storing the end of the checkout', () =>
        recordCheckout({ ownerId: checkoutId, state: now.kind }),
      );
    }
    return news.values().next().value ?? null;
  }
}
