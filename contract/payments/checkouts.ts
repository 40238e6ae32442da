import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ProcessorRefusalCode } from '../../domain/processor/refusals.js';
import type { ConfirmationSource } from '../../domain/states.js';
import { workflowIds } from '../names.js';
import { CHECKOUT_TASK, type Start } from '../run.js';

/** Why a checkout could not be opened. */
export type RefusalCode = ProcessorRefusalCode | 'service_unavailable';

/**
 * The outcome of opening a checkout. After `refused`, a booking's slot and idempotency key are free again.
 */
export type CreateOutcome = { kind: 'published' } | { kind: 'refused'; code: RefusalCode };

export interface InvoiceCheckoutInput {
  checkoutId: string;
}

/**
 * Waits until the checkout of an invoice is open. Sent with the start of its run,
 * under the update id `create`.
 */
export const openCheckoutUpdate = defineUpdate<CreateOutcome>('create');

/**
 * Closes the checkout of an invoice that is about to be paid or voided in another way.
 * Returns when it is closed.
 */
export const closeCheckoutUpdate = defineUpdate<void>('close');

/**
 * Has the run's checkout looked up at the processor, and its payment settled if there is one. Returns when
 * that is done, whatever the result, which is then in Postgres.
 */
export const lookAtCheckout = defineUpdate<void, [{ source: ConfirmationSource }]>('look-at-checkout');

/** The processor has closed the checkout, so no payment can arrive any more. */
export const checkoutClosed = defineSignal('checkout-closed');

export const checkoutStarts = (start: Start) => ({
  invoiceCheckout: (checkoutId: string) => ({
    ...start<InvoiceCheckoutInput>(
      workflowIds.invoiceCheckout(checkoutId),
      { checkoutId },
      'Takes the payment of an invoice on the hosted page',
      null,
    ),
    ...CHECKOUT_TASK,
  }),
});
