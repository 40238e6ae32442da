import { ApiError } from '../../../domain/errors.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import type { ConfirmationSource } from '../../../domain/states.js';
import type { PaymentRefusal } from '../../../domain/late-payment.js';
import type { Checkout } from '../../rows.js';
import type { Tx } from '../../transaction.js';
import { findSettlement, type Settlement } from '../bookings/booking-lifecycle.js';
import { findInvoiceCheckout, setCheckoutState } from './checkouts.js';
import { payInvoice, voidInvoice } from './invoice-lifecycle.js';
import { lockInvoice, type InvoiceRow } from './invoices.js';
import { insertPayment, setRefusal, type ReceivedPayment } from './payments.js';
import { beginRefund } from './refunds.js';

/** How money can be taken without the processor (decisions.md, "Invoices and payments"). */
export const MANUAL_METHODS = ['cash', 'bank_transfer', 'cheque', 'card_terminal', 'other'] as const;
export type ManualMethod = (typeof MANUAL_METHODS)[number];

/**
 * Refuses an invoice that can't be paid (any more). Errors: 409 `invoice_managed_by_booking` while its booking is
 * being paid, `invoice_not_open`.
 */
export async function assertPayable(tx: Tx, invoice: InvoiceRow): Promise<void> {
  await assertNotManaged(tx, invoice);
  if (invoice.status === 'open' || invoice.status === 'authorised') return;
  throw new ApiError('invoice_not_open', `An invoice that is ${invoice.status} cannot be paid.`);
}

/** An invoice has a checkout that can still be paid: it has to be closed before the invoice is settled otherwise. */
export class CheckoutStillOpen extends Error {
  override readonly name = 'CheckoutStillOpen';
}

async function assertNoCheckout(tx: Tx, invoiceId: string): Promise<void> {
  const checkout = await findInvoiceCheckout(tx, invoiceId);
  // Money that is on its way can't be called off: what comes of it goes back.
  if (checkout && checkout.state !== 'processing') throw new CheckoutStillOpen();
}

async function assertNotManaged(tx: Tx, invoice: InvoiceRow): Promise<void> {
  if (!invoice.booking_id) return;
  const [booking] = await tx.query(`SELECT status FROM bookings WHERE id = $1`, [invoice.booking_id]);
  if (booking.status !== 'pending_payment') return;
  throw new ApiError('invoice_managed_by_booking', 'This invoice follows its booking, which is being paid.');
}

/**
 * Records money that was taken without the processor. The invoice is paid when the sum reaches its total.
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
    throw new ApiError('amount_exceeds_outstanding', `Only ${outstanding} is outstanding.`, {
      param: 'amount_minor',
      details: { outstanding_minor: outstanding },
    });
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
    money: { amount_minor, currency, method, paid_at },
    source: null,
    reference,
  });
  if (amount_minor === outstanding) await payInvoice(tx, invoiceId, new Date());
}

/**
 * Voids an invoice that nobody has paid anything of; voiding again is done already. Returns whether it was voided now.
 * Errors: 409 `invoice_managed_by_booking`, `invoice_not_mutable`, `invoice_not_voidable`.
 */
export async function voidByHand(tx: Tx, invoiceId: string): Promise<boolean> {
  const invoice = await lockInvoice(tx, invoiceId);
  if (invoice.status === 'void') return false;
  await assertNotManaged(tx, invoice);
  if (invoice.kind === 'subscription')
    throw new ApiError('invoice_not_mutable', 'A subscription invoice is made by the service alone.');
  const payable = invoice.status === 'open' || invoice.status === 'authorised';
  const payments: unknown[] = await tx.query(`SELECT FROM payments WHERE invoice_id = $1 LIMIT 1`, [
    invoiceId,
  ]);
  if (!payable || payments.length > 0) {
    const message = payable
      ? 'The invoice has payments. Refund them, or have it paid and refunded.'
      : `An invoice that is ${invoice.status} cannot be voided.`;
    throw new ApiError('invoice_not_voidable', message);
  }
  await assertNoCheckout(tx, invoiceId);
  await voidInvoice(tx, invoiceId, new Date());
  return true;
}

/**
 * Settles money from an invoice's checkout by the same care as a booking's: what is due is taken, what is over goes
 * back at once, and all of it where the invoice can't be paid any more. Safe to run any number of times.
 */
export async function settleInvoiceMoney(
  tx: Tx,
  checkout: Checkout,
  money: ReceivedPayment,
  source: ConfirmationSource,
): Promise<Settlement> {
  const invoice = await lockInvoice(tx, checkout.invoice_id!);
  const settled = await findSettlement(tx, money.payment_intent_id);
  if (settled) return settled;
  const outstanding = outstandingOf(invoice);
  const excess_minor = Math.max(0, money.amount_minor - outstanding);
  const { workspace_id, booking_id, id: invoice_id } = invoice;
  const payment_id = await insertPayment(tx, {
    workspace_id,
    invoice_id,
    booking_id,
    kind: 'charge',
    money,
    source,
    excess_minor,
  });
  await setCheckoutState(tx, checkout.owner_id, 'paid');
  if (outstanding > 0 && money.amount_minor >= outstanding) await payInvoice(tx, invoice_id, new Date());
  const excess_refund_id =
    excess_minor > 0
      ? await beginRefund(tx, payment_id, { amount_minor: excess_minor, reason: 'duplicate' })
      : undefined;
  if (outstanding > 0) return { kind: 'confirmed', already: false, payment_id, excess_refund_id };
  const refusal: PaymentRefusal = {
    code: 'payment_too_late',
    booking_id: null,
    conflicting_booking_id: null,
    refund_id: excess_refund_id!,
  };
  await setRefusal(tx, payment_id, refusal);
  return { kind: 'refused', refusal };
}
