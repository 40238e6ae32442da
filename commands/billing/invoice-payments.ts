import { formatMoney } from '../../domain/display.js';
import { ApiError } from '../../domain/errors.js';
import { outstandingOf } from '../../domain/presenters/invoice.js';
import { exists } from '../../db/query.js';
import { repository } from '../../db/tables.js';
import type { Tx } from '../../db/transaction.js';
import { findInvoiceCheckout } from '../../db/queries/billing/checkout.js';
import { payInvoice, withdrawInvoice } from './invoice-lifecycle.js';
import type { InvoiceRow } from '../../db/queries/billing/invoice.js';
import { lockInvoice } from './invoices.js';
import { insertPayment } from './payments.js';

/** The methods of payments without the processor (docs/rules/billing.md#manual-payments). */
export const MANUAL_METHODS = ['cash', 'bank_transfer', 'cheque', 'card_terminal', 'other'] as const;
export type ManualMethod = (typeof MANUAL_METHODS)[number];

/**
 * Throws if an invoice cannot be paid. Errors: 409 `invoice_managed_by_booking` while its booking is being paid,
 * `invoice_not_open`.
 */
export async function assertPayable(tx: Tx, invoice: InvoiceRow): Promise<void> {
  await assertNotManaged(tx, invoice);
  if (invoice.status === 'open' || invoice.status === 'authorised') return;
  throw new ApiError('invoice_not_open', `An invoice with status ${invoice.status} cannot be paid.`);
}

/** The invoice has a checkout that can still be paid. It must be closed before the invoice is paid or voided. */
export class CheckoutStillOpen extends Error {
  override readonly name = 'CheckoutStillOpen';
}

async function assertNoCheckout(tx: Tx, invoiceId: string): Promise<void> {
  const checkout = await findInvoiceCheckout(tx, invoiceId);
  // A payment in progress cannot be stopped: it is refunded when it arrives.
  if (checkout && checkout.state !== 'processing') throw new CheckoutStillOpen();
}

async function assertNotManaged(tx: Tx, invoice: InvoiceRow): Promise<void> {
  if (!invoice.booking_id) return;
  const { status } = await repository(tx, 'bookings').findOneByOrFail({ id: invoice.booking_id });
  if (status !== 'pending_payment') return;
  throw new ApiError(
    'invoice_managed_by_booking',
    'The booking of this invoice is waiting for payment. Pay or cancel the booking instead.',
  );
}

/**
 * Records a payment that was received without the processor. The invoice is paid once its payments reach the total.
 * Errors: 409 as `assertPayable`, 422 `amount_exceeds_outstanding`.
 */
export async function markPaid(
  tx: Tx,
  invoiceId: string,
  paid: { id: string; amount_minor: number; method: ManualMethod; paid_at: Date; reference: string | null },
): Promise<void> {
  const invoice = await lockInvoice(tx, invoiceId);
  await assertPayable(tx, invoice);
  const outstanding = outstandingOf(invoice);
  if (paid.amount_minor > outstanding) {
    throw new ApiError(
      'amount_exceeds_outstanding',
      `The amount must be at most ${formatMoney({ amount_minor: outstanding, currency: invoice.currency })}, the outstanding amount.`,
      {
        param: 'amount_minor',
        details: { outstanding_minor: outstanding },
      },
    );
  }
  await assertNoCheckout(tx, invoiceId);
  const { workspace_id, booking_id, currency } = invoice;
  const { id, amount_minor, method, paid_at, reference } = paid;
  await insertPayment(tx, {
    id,
    workspace_id,
    invoice_id: invoiceId,
    booking_id,
    kind: 'manual',
    received: { amount_minor, currency, method, paid_at },
    source: null,
    reference,
  });
  if (amount_minor === outstanding) await payInvoice(tx, invoiceId, new Date());
}

/**
 * Voids an invoice without payments. Returns true; false for one that is already void, which does not change.
 * Errors: 409 `invoice_managed_by_booking`, `invoice_not_mutable`, `invoice_not_voidable`.
 */
export async function voidManually(tx: Tx, invoiceId: string): Promise<boolean> {
  const invoice = await lockInvoice(tx, invoiceId);
  if (invoice.status === 'void') return false;
  await assertNotManaged(tx, invoice);
  if (invoice.kind === 'subscription')
    throw new ApiError(
      'invoice_not_mutable',
      'Subscription invoices are managed automatically and cannot be voided.',
    );
  const payable = invoice.status === 'open' || invoice.status === 'authorised';
  if (
    !payable ||
    (await exists(tx, `SELECT FROM payments WHERE invoice_id = $1 AND status <> 'failed' LIMIT 1`, [
      invoiceId,
    ]))
  ) {
    const message = payable
      ? 'An invoice with payments cannot be voided. Refund the payments instead.'
      : `An invoice with status ${invoice.status} cannot be voided.`;
    throw new ApiError('invoice_not_voidable', message);
  }
  await assertNoCheckout(tx, invoiceId);
  await withdrawInvoice(tx, invoice, new Date());
  return true;
}
