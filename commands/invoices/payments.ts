import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { refuse } from '../../domain/errors.js';
import { toManualMethod, type ManualMethod, type SentMethod } from '../../domain/payments/methods.js';
import { assertReceived } from '../../domain/payments/received.js';
import { whyNotPay, whyNotRecord, whyNotVoid } from '../../domain/invoices/invoice.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import type { Principal } from '../../domain/policies.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { bindKey, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit } from '../audit-log/audit.js';
import { findInvoiceCheckout } from '../../db/queries/payments/checkout.js';
import { markInvoicePaid, withdrawInvoice } from './lifecycle.js';
import { findLiveBooking, hasPayments } from '../../db/queries/invoices/invoice.js';
import { lockInvoice, visibleInvoice } from './invoices.js';
import { insertPayment } from '../payments/payments.js';

/**
 * Thrown if the invoice has a checkout that can still be paid. It must be closed before the invoice is paid
 * or voided.
 */
export class CheckoutStillOpen extends Error {
  override readonly name = 'CheckoutStillOpen';
}

async function assertNoCheckout(tx: Tx, invoiceId: string): Promise<void> {
  const checkout = await findInvoiceCheckout(tx, invoiceId);
  // A payment in progress cannot be stopped; it is refunded when it arrives.
  if (checkout && checkout.state !== 'processing') throw new CheckoutStillOpen();
}

/** A payment that was received without the processor, by default now. The amount is in minor units. */
export interface ReceivedByHand {
  amount_minor: number;
  method: SentMethod;
  paid_at?: Date;
  reference?: string | null;
}

/**
 * Records a payment like `markPaid`, once per key, and returns its id
 * (docs/rules/billing.md#manual-payments). Errors: 404 `invoice_not_found`; 409 `idempotency_conflict`; 422;
 * those of `markPaid`; `CheckoutStillOpen`.
 */
export const recordPayment = (
  db: DataSource,
  caller: Principal,
  invoiceId: string,
  { amount_minor, method: sent, paid_at = new Date(), reference }: ReceivedByHand,
  idempotency: IdempotencyKey | null,
): Promise<string> =>
  transaction(db, async (tx) => {
    const { workspace_id } = await visibleInvoice(tx, caller, invoiceId);
    assertReceived(paid_at, new Date());
    const id = newId('pay');
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    if (bound !== id) return bound;
    const method = toManualMethod(sent);
    const payment = { id, amount_minor, method, paid_at, reference: reference || null };
    await markPaid(tx, invoiceId, payment);
    const details = { payment_id: id, amount_minor, method, reference: payment.reference };
    await audit(tx, caller, { action: 'invoice.marked_paid', object: invoiceId, details });
    return id;
  });

/**
 * Records a payment that was received without the processor. The invoice is paid once its payments reach the
 * total. Errors: 409 `invoice_managed_by_booking`, `invoice_not_open`; 422 `amount_exceeds_outstanding`.
 */
export async function markPaid(
  tx: Tx,
  invoiceId: string,
  paid: { id: string; amount_minor: number; method: ManualMethod; paid_at: Date; reference: string | null },
): Promise<void> {
  const invoice = await lockInvoice(tx, invoiceId);
  refuse(whyNotPay(invoice, await findLiveBooking(tx, invoice)));
  const outstanding = outstandingMinor(invoice);
  refuse(whyNotRecord(paid.amount_minor, { outstanding_minor: outstanding, currency: invoice.currency }));
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
  if (amount_minor === outstanding) await markInvoicePaid(tx, invoiceId, new Date());
}

/**
 * Voids an invoice like `voidManually` (docs/rules/billing.md#voiding). Errors: 404 `invoice_not_found`;
 * those of `voidManually`; `CheckoutStillOpen`.
 */
export const voidInvoice = (
  db: DataSource,
  caller: Principal,
  id: string,
  { reason, audit_note }: { reason?: string | null; audit_note?: string | null },
): Promise<void> =>
  transaction(db, async (tx) => {
    await visibleInvoice(tx, caller, id);
    if (!(await voidManually(tx, id, caller))) return;
    const details = { reason: reason || null, audit_note: audit_note || null };
    await audit(tx, caller, { action: 'invoice.voided', object: id, details });
  });

/**
 * Voids an invoice that has no payments, or only refunded ones. Returns true, or false if it was already
 * void. Errors: 409 `invoice_managed_by_booking`, `invoice_not_mutable`, `invoice_not_open` while its booking
 * on account is live, `invoice_not_voidable`.
 */
async function voidManually(tx: Tx, invoiceId: string, by: Pick<Principal, 'key_id'>): Promise<boolean> {
  const invoice = await lockInvoice(tx, invoiceId);
  if (invoice.status === 'void') return false;
  const facts = {
    booking: await findLiveBooking(tx, invoice),
    hasPayments: await hasPayments(tx, invoiceId),
    byKey: by.key_id !== null,
  };
  refuse(whyNotVoid(invoice, facts));
  await assertNoCheckout(tx, invoiceId);
  await withdrawInvoice(tx, invoice, new Date());
  return true;
}
