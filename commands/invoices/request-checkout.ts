import type { DataSource } from 'typeorm';
import { findLiveBooking, type InvoiceRow } from '../../db/queries/invoices/invoice.js';
import { findCheckout, findInvoiceCheckout } from '../../db/queries/payments/checkout.js';
import { findPaymentAccount } from '../../db/queries/workspaces/recovery.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { refuse } from '../../domain/errors.js';
import { UNFINISHED_CHECKOUT_STATES } from '../../domain/states.js';
import { describeInvoice } from '../../domain/invoices/document-number.js';
import { whyNotPay } from '../../domain/invoices/invoice.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import { sessionExpiry } from '../../domain/payments/checkout-session.js';
import { assertChargeable, whyNotTakePaymentsNow } from '../../domain/processor/refusals.js';
import { boundBefore, findBound, type IdempotencyKey } from '../api-keys/idempotency.js';
import { insertInvoiceCheckout } from '../payments/checkouts.js';
import { lockInvoice } from './invoices.js';

/**
 * Stores a checkout for an invoice's outstanding amount before it is opened, or finds the existing one
 * (docs/rules/billing.md#invoice-checkout). Returns its id; for a repeat with the same key, the id of the
 * first checkout; null while the card on file is being charged. Errors: 409 `invoice_managed_by_booking`,
 * `invoice_not_open`, `idempotency_conflict`; 412 `processor_unconfigured`; 422 `amount_too_small`,
 * `validation_failed` above the maximum of one payment.
 */
export const requestCheckout = (
  db: DataSource,
  invoice_id: string,
  idempotency: IdempotencyKey | null,
): Promise<string | null> =>
  transaction(db, async (tx) => {
    const invoice = await lockInvoice(tx, invoice_id);
    const before = await findBound(tx, invoice.workspace_id, idempotency, wasNotOpened);
    if (before) return before;
    const id = await openableCheckout(tx, invoice);
    if (id) await boundBefore(tx, invoice.workspace_id, idempotency, id, wasNotOpened);
    return id;
  });

/** Returns whether a checkout never had a page and will not get one. */
async function wasNotOpened(tx: Tx, id: string): Promise<boolean> {
  const checkout = await findCheckout(tx, id);
  return (
    !checkout || (!checkout.url && !UNFINISHED_CHECKOUT_STATES.some((state) => state === checkout.state))
  );
}

/** Returns the checkout of an invoice, or a new one; null while the card on file is being charged. */
async function openableCheckout(tx: Tx, invoice: InvoiceRow): Promise<string | null> {
  const { id: invoice_id } = invoice;
  refuse(whyNotPay(invoice, await findLiveBooking(tx, invoice)));
  const known = await findInvoiceCheckout(tx, invoice_id);
  if (known) return known.payment_method_id ? null : known.id;
  const { workspace_id, currency } = invoice;
  const account = await findPaymentAccount(tx, workspace_id);
  refuse(whyNotTakePaymentsNow(account));
  const amount_minor = outstandingMinor(invoice);
  assertChargeable({ amount_minor, currency });
  return insertInvoiceCheckout(tx, {
    invoice_id,
    workspace_id,
    account_id: account.processor_account_id!,
    currency,
    amount_minor,
    description: describeInvoice(invoice),
    session_expires_at: sessionExpiry(Date.now()),
  });
}
