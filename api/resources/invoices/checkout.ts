import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { findCheckout, findInvoiceCheckout } from '../../../db/queries/payments/checkout.js';
import { insertInvoiceCheckout } from '../../../commands/payments/checkouts.js';
import { CheckoutStillOpen } from '../../../commands/invoices/payments.js';
import { findLiveBooking } from '../../../db/queries/invoices/invoice.js';
import { lockInvoice } from '../../../commands/invoices/invoices.js';
import { findPaymentAccount } from '../../../db/queries/workspaces/recovery.js';
import { transaction } from '../../../db/transaction.js';
import { sessionExpiry } from '../../../domain/payments/checkout-session.js';
import { refuse, type ApiError } from '../../../domain/errors.js';
import { whyNotPay } from '../../../domain/invoices/invoice.js';
import {
  assertChargeable,
  pageNotOpened,
  whyNotTakePaymentsNow,
} from '../../../domain/processor/refusals.js';
import { describeInvoice } from '../../../domain/invoices/document-number.js';
import { outstandingOf } from '../../../domain/invoices/invoice-presenter.js';
import { closeCheckoutUpdate, openCheckoutUpdate } from '../../../contract/payments/checkouts.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { serviceUnavailable } from '../../http/errors.js';
import { updateAndWait } from '../../http/runs.js';
import { invoiceOf } from './read.js';

export type CheckoutDependencies = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

const MAX_ATTEMPTS = 4;
const CHARGE_PAUSE_MS = 1_000;

/** `POST /v1/invoices/{id}/checkout` */
export function checkout(deps: CheckoutDependencies): Handler {
  return async (ctx) => {
    const invoice = await invoiceOf(ctx, deps);
    ctx.body = await openCheckout(deps, invoice.id);
    ctx.status = 200;
  };
}

/**
 * Opens the hosted page on which an invoice's outstanding amount can be paid, or returns the one that is
 * open (docs/rules/billing.md#invoice-checkout). Errors: 409 `invoice_managed_by_booking`,
 * `invoice_not_open`; 412 `processor_unconfigured`; 422 `amount_too_small`, `validation_failed` over the
 * maximum of one payment; 502 `processor_error`; 503.
 */
export async function openCheckout(
  deps: CheckoutDependencies,
  invoiceId: string,
): Promise<{ checkout_url: string; expires_at: string }> {
  const checkoutId = await transaction(deps.db, async (tx) => {
    const invoice = await lockInvoice(tx, invoiceId);
    refuse(whyNotPay(invoice, await findLiveBooking(tx, invoice)));
    const known = await findInvoiceCheckout(tx, invoiceId);
    if (known?.payment_method_id) throw chargeInProgress();
    if (known) return known.id;
    const account = await findPaymentAccount(tx, invoice.workspace_id);
    refuse(whyNotTakePaymentsNow(account));
    const amount_minor = outstandingOf(invoice);
    assertChargeable({ amount_minor, currency: invoice.currency });
    return insertInvoiceCheckout(tx, {
      invoice_id: invoiceId,
      workspace_id: invoice.workspace_id,
      account_id: account.processor_account_id!,
      currency: invoice.currency,
      amount_minor,
      description: describeInvoice(invoice),
      session_expires_at: sessionExpiry(Date.now()),
    });
  });
  const start = starts(deps.taskQueue).invoiceCheckout(checkoutId!);
  const outcome = await updateAndWait(
    deps.temporal,
    openCheckoutUpdate,
    WORKFLOWS.invoiceCheckout,
    start,
    'create',
  );
  const checkout = await findCheckout(deps.db.manager, checkoutId!);
  if (outcome.kind === 'published' && checkout?.url)
    return { checkout_url: checkout.url, expires_at: checkout.session_expires_at.toISOString() };
  if (outcome.kind === 'refused' && outcome.code !== 'service_unavailable')
    throw pageNotOpened(outcome.code, { amount: checkout! });
  throw serviceUnavailable('The checkout closed while it was being opened.');
}

/** The card on file is being charged. */
const chargeInProgress = (): ApiError =>
  serviceUnavailable('A payment of this invoice is in progress. Try again in a moment.');

/**
 * Does work that settles an invoice other than by its checkout. If the checkout can still be paid, it is
 * closed first, after the work has found nothing else to refuse. Another one may be opened in the meantime,
 * so the work checks again under the invoice's lock.
 */
export async function withClosedCheckout<T>(
  deps: CheckoutDependencies,
  invoiceId: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CheckoutStillOpen)) throw error;
      if (attempt === MAX_ATTEMPTS) throw serviceUnavailable('A payment of this invoice is in progress.');
      await closeCheckout(deps, invoiceId);
    }
  }
}

/**
 * Closes an invoice's checkout, if it has one. A payment that was received in the meantime is
 * settled first. A checkout without a run, whose start Temporal never accepted or whose run was
 * lost, gets one that closes it.
 */
async function closeCheckout(deps: CheckoutDependencies, invoiceId: string): Promise<void> {
  const checkout = await findInvoiceCheckout(deps.db.manager, invoiceId);
  if (!checkout) return;
  // A charge to the card on file ends within seconds.
  if (checkout.payment_method_id) return sleep(CHARGE_PAUSE_MS);
  try {
    const start = starts(deps.taskQueue).invoiceCheckout(checkout.id);
    await updateAndWait(deps.temporal, closeCheckoutUpdate, WORKFLOWS.invoiceCheckout, start);
  } catch (error) {
    // The run has completed in the meantime.
    if (!(error instanceof WorkflowNotFoundError) && !(error instanceof WorkflowUpdateFailedError))
      throw error;
  }
}
