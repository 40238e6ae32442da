import {
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { findCheckout, findInvoiceCheckout } from '../../db/repositories/billing/checkout-queries.js';
import { insertInvoiceCheckout } from '../../db/repositories/billing/checkouts.js';
import { assertPayable, CheckoutStillOpen } from '../../db/repositories/billing/invoice-payments.js';
import { lockInvoice } from '../../db/repositories/billing/invoices.js';
import { findWorkspace } from '../../db/repositories/workspaces/workspace-queries.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { MAX_AMOUNT_MINOR } from '../../domain/money.js';
import { outstandingOf } from '../../domain/presenters/invoice.js';
import {
  closeInvoiceCheckout,
  openInvoiceCheckout,
  WORKFLOWS,
  workflowIds,
} from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';
import { serviceUnavailable } from '../http/errors.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

const ANSWER_WITHIN_MS = 14_000;
const TRIES = 4;
/** The processor ends a session after a day at the latest; a margin keeps clocks from refusing it. */
const SESSION_MS = 86_400_000 - 300_000;

/**
 * `POST /v1/invoices/{id}/checkout`: the hosted page on which an invoice's outstanding amount can be paid; the same
 * one while it is open. Errors: 409 as `assertPayable`; 412; 422 where the amount is more than one payment can be;
 * 502 `processor_error`; 503.
 */
export async function openCheckout(
  deps: Deps,
  invoiceId: string,
): Promise<{ checkout_url: string; expires_at: string }> {
  const checkoutId = await transaction(deps.db, async (tx) => {
    const invoice = await lockInvoice(tx, invoiceId);
    await assertPayable(tx, invoice);
    const known = await findInvoiceCheckout(tx, invoiceId);
    if (known) return known.id;
    const workspace = (await findWorkspace(tx, invoice.workspace_id))!;
    if (!workspace.processor_account_id || workspace.processor_status !== 'active') throw unconfigured();
    const amount_minor = outstandingOf(invoice);
    if (amount_minor > MAX_AMOUNT_MINOR)
      throw new ApiError('validation_failed', 'The amount is more than one payment can be.');
    return insertInvoiceCheckout(tx, {
      invoice_id: invoiceId,
      workspace_id: invoice.workspace_id,
      account_id: workspace.processor_account_id,
      currency: invoice.currency,
      amount_minor,
      description: `Invoice ${invoice.accounting_reference}`,
      session_expires_at: new Date(Date.now() + SESSION_MS),
    });
  });
  const outcome = await deps.temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    deps.temporal.workflow.executeUpdateWithStart(openInvoiceCheckout, {
      updateId: 'create',
      startWorkflowOperation: new WithStartWorkflowOperation(
        WORKFLOWS.invoiceCheckout,
        starts(deps.taskQueue).invoiceCheckout(checkoutId!),
      ),
    }),
  );
  const checkout = await findCheckout(deps.db.manager, checkoutId!);
  if (outcome.kind === 'published' && checkout?.url)
    return { checkout_url: checkout.url, expires_at: checkout.session_expires_at.toISOString() };
  if (outcome.kind === 'refused' && outcome.code === 'processor_unconfigured') throw unconfigured();
  if (outcome.kind === 'refused' && outcome.code === 'processor_error')
    throw new ApiError('processor_error', 'The payment processor did not open a checkout.');
  throw serviceUnavailable('The checkout has just ended.');
}

function unconfigured(): ApiError {
  return new ApiError(
    'processor_unconfigured',
    'The workspace has not completed onboarding to the processor.',
  );
}

/**
 * Settles an invoice otherwise than by its checkout. Where that can still be paid it is closed first, once the work has
 * refused nothing else; another may be opened meanwhile, so the work looks again under the invoice's lock.
 */
export async function withoutCheckout<T>(deps: Deps, invoiceId: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CheckoutStillOpen)) throw error;
      if (tries === TRIES) throw serviceUnavailable('The invoice is being paid at this moment.');
      await closeCheckout(deps, invoiceId);
    }
  }
}

/**
 * Closes the checkout of an invoice that is about to be paid or voided otherwise, if it has one. Money that came in
 * the meantime is settled first (decisions.md, "Invoices and payments").
 */
async function closeCheckout(deps: Deps, invoiceId: string): Promise<void> {
  const checkout = await findInvoiceCheckout(deps.db.manager, invoiceId);
  if (!checkout) return;
  try {
    await deps.temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      deps.temporal.workflow
        .getHandle(workflowIds.invoiceCheckout(checkout.id))
        .executeUpdate(closeInvoiceCheckout),
    );
  } catch (error) {
    // Over meanwhile, by itself.
    if (!(error instanceof WorkflowNotFoundError) && !(error instanceof WorkflowUpdateFailedError))
      throw error;
  }
}
