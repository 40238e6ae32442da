import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { findCheckout, findInvoiceCheckout } from '../../../db/queries/payments/checkout.js';
import type { Checkout } from '../../../db/entities/payments.js';
import type { IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { CheckoutStillOpen } from '../../../commands/invoices/payments.js';
import { requestCheckout } from '../../../commands/invoices/request-checkout.js';
import type { ApiError } from '../../../domain/errors.js';
import { pageNotOpened } from '../../../domain/processor/refusals.js';
import { closeCheckoutUpdate, openCheckoutUpdate } from '../../../contract/payments/checkouts.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import { serviceUnavailable } from '../../http/errors.js';
import { updateAndWait } from '../../http/runs.js';

type CheckoutDependencies = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

const MAX_ATTEMPTS = 4;
const CHARGE_PAUSE_MS = 1_000;

/**
 * Opens the hosted page on which an invoice's outstanding amount can be paid, or returns the one that is
 * open, and to a repeat with the same key the first one (docs/rules/billing.md#invoice-checkout). Errors: 409
 * `invoice_managed_by_booking`, `invoice_not_open`, `idempotency_conflict`; 412 `processor_unconfigured`; 422
 * `amount_too_small`, `validation_failed` over the maximum of one payment; 502 `processor_error`; 503.
 */
export async function openCheckout(
  deps: CheckoutDependencies,
  invoiceId: string,
  idempotency: IdempotencyKey | null,
): Promise<{ checkout_url: string; expires_at: string }> {
  const checkoutId = await requestCheckout(deps.db, invoiceId, idempotency);
  if (!checkoutId) throw chargeInProgress();
  const known = idempotency && (await findCheckout(deps.db.manager, checkoutId));
  // The page of the first request, which may have been paid or closed since.
  if (known?.url) return presentPage(known);
  const start = starts(deps.taskQueue).invoiceCheckout(checkoutId);
  const outcome = await updateAndWait(
    deps.temporal,
    openCheckoutUpdate,
    WORKFLOWS.invoiceCheckout,
    start,
    'create',
  );
  const checkout = await findCheckout(deps.db.manager, checkoutId);
  if (outcome.kind === 'published' && checkout?.url) return presentPage(checkout);
  if (outcome.kind === 'refused' && outcome.code !== 'service_unavailable')
    throw pageNotOpened(outcome.code, { amount: checkout! });
  throw serviceUnavailable('The checkout closed while it was being opened.');
}

const presentPage = ({ url, session_expires_at }: Pick<Checkout, 'url' | 'session_expires_at'>) => ({
  checkout_url: url!,
  expires_at: session_expires_at.toISOString(),
});

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
