import type { PaymentRefusal } from '../../domain/payments/late-payment.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import type { ConfirmationSource } from '../../domain/states.js';
import type { Checkout } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { setCheckoutState } from '../payments/checkouts.js';
import { markInvoicePaid } from './lifecycle.js';
import { lockInvoice } from './invoices.js';
import { insertPayment, releaseIntent, setRefusal, type ReceivedPayment } from '../payments/payments.js';
import { reserveRefund } from '../payments/refunds.js';
import { findSettlement, type Settlement } from '../../db/queries/payments/settlement.js';

/**
 * Settles a payment that the processor received for an invoice (docs/rules/billing.md#invoice-checkout).
 * Refunds the part above the amount due, or all of it if the invoice can no longer be paid. Idempotent:
 * repeated calls return the first outcome.
 */
export async function settleInvoicePayment(
  tx: Tx,
  checkout: Checkout,
  received: ReceivedPayment,
  source: ConfirmationSource | null,
): Promise<Settlement> {
  const invoice = await lockInvoice(tx, checkout.invoice_id!);
  const settled = await findSettlement(tx, received.payment_intent_id);
  if (settled) {
    // Stored without its checkout, like a payment that was found, so that the checkout is not checked again.
    await setCheckoutState(tx, checkout.owner_id, 'paid');
    return settled;
  }
  const outstanding = outstandingMinor(invoice);
  const excess_minor = Math.max(0, received.amount_minor - outstanding);
  const { workspace_id, booking_id, id: invoice_id } = invoice;
  await releaseIntent(tx, invoice_id, received.payment_intent_id);
  const payment_id = await insertPayment(tx, {
    workspace_id,
    invoice_id,
    booking_id,
    kind: 'charge',
    received,
    source,
    checkout: checkout.owner_id,
    excess_minor,
  });
  if (outstanding > 0 && received.amount_minor >= outstanding)
    await markInvoicePaid(tx, invoice_id, new Date());
  const excess_refund_id =
    excess_minor > 0
      ? await reserveRefund(tx, payment_id, {
          amount_minor: excess_minor,
          purpose: outstanding > 0 ? 'excess' : 'late',
          reason: 'duplicate',
        })
      : undefined;
  if (outstanding > 0) {
    await enqueueMail(tx, { workspace_id, kind: 'invoice_paid', invoice_id, about: payment_id });
    return { kind: 'confirmed', already: false, payment_id, excess_refund_id };
  }
  return refuse(tx, payment_id, excess_refund_id!);
}

/**
 * Settles a payment of an invoice that is lost, for example after a backup was restored: it is refunded in
 * full.
 */
export async function settleLostInvoicePayment(
  tx: Tx,
  workspace_id: string,
  received: ReceivedPayment,
  source: ConfirmationSource | null,
): Promise<Settlement> {
  const payment = { workspace_id, invoice_id: null, booking_id: null, kind: 'charge', received } as const;
  const payment_id = await insertPayment(tx, { ...payment, source });
  const { amount_minor } = received;
  const refund = { amount_minor, purpose: 'late', reason: 'other' } as const;
  return refuse(tx, payment_id, await reserveRefund(tx, payment_id, refund));
}

async function refuse(tx: Tx, paymentId: string, refund_id: string): Promise<Settlement> {
  const refusal: PaymentRefusal = {
    code: 'payment_too_late',
    booking_id: null,
    conflicting_booking_id: null,
    refund_id,
  };
  await setRefusal(tx, paymentId, refusal);
  return { kind: 'refused', refusal };
}
