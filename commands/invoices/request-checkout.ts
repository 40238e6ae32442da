import type { DataSource } from 'typeorm';
import { findLiveBooking } from '../../db/queries/invoices/invoice.js';
import { findInvoiceCheckout } from '../../db/queries/payments/checkout.js';
import { findPaymentAccount } from '../../db/queries/workspaces/recovery.js';
import { transaction } from '../../db/transaction.js';
import { refuse } from '../../domain/errors.js';
import { describeInvoice } from '../../domain/invoices/document-number.js';
import { whyNotPay } from '../../domain/invoices/invoice.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import { sessionExpiry } from '../../domain/payments/checkout-session.js';
import { assertChargeable, whyNotTakePaymentsNow } from '../../domain/processor/refusals.js';
import { insertInvoiceCheckout } from '../payments/checkouts.js';
import { lockInvoice } from './invoices.js';

/**
 * Stores a checkout of an invoice's outstanding amount before it is opened, or finds the one that it has
 * (docs/rules/billing.md#invoice-checkout). Returns its id; null while the card on file is being charged.
 * Errors: 409 `invoice_managed_by_booking`, `invoice_not_open`; 412 `processor_unconfigured`; 422
 * `amount_too_small`, `validation_failed` over the maximum of one payment.
 */
export const requestCheckout = (db: DataSource, invoice_id: string): Promise<string | null> =>
  transaction(db, async (tx) => {
    const invoice = await lockInvoice(tx, invoice_id);
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
  });
