import { formatMoney } from '../../domain/display.js';
import type { Money } from '../../domain/money.js';
import { ApiError } from '../../domain/errors.js';
import { totalsOf, type InvoiceLine } from '../../domain/invoice.js';
import { newId } from '../../db/ids.js';
import { insert } from '../../db/tables.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueAccountingUpdate } from '../accounting/pending-updates.js';
import type { InvoiceRow } from '../../db/queries/billing/invoice.js';
import { insertInvoice, lockInvoice } from './invoices.js';
import { createRefunds, lockRefundable } from './refunds.js';

/**
 * Adjusts a paid invoice (docs/rules/billing.md#adjustments): a positive total becomes a linked open invoice, a
 * negative one creates refunds. Returns the refunds' ids.
 * Errors: 409 `invoice_not_paid`, `invoice_not_mutable`; 422 `amount_exceeds_refundable`, or for a total of zero.
 */
export async function adjustInvoice(
  tx: Tx,
  adjustment: { id: string; invoice_id: string; lines: InvoiceLine[]; reason: string },
): Promise<string[]> {
  const { id, lines, reason } = adjustment;
  const invoice = await lockInvoice(tx, adjustment.invoice_id);
  const totals = totalsOf(lines);
  assertAdjustable(invoice, totals.total_minor);
  const kind = totals.total_minor > 0 ? 'debit' : 'credit';
  const debit_invoice_id = kind === 'debit' ? newId('inv') : null;
  if (debit_invoice_id) await insertDebit(tx, invoice, debit_invoice_id, lines);
  const { workspace_id, id: invoice_id } = invoice;
  await insert(tx, 'adjustments', {
    ...totals,
    id,
    workspace_id,
    invoice_id,
    kind,
    lines,
    reason,
    debit_invoice_id,
  });
  if (kind === 'debit') return [];
  await enqueueAccountingUpdate(tx, invoice_id);
  return refundCredit(tx, invoice_id, id, { amount_minor: -totals.total_minor, currency: invoice.currency });
}

function assertAdjustable(invoice: InvoiceRow, totalMinor: number): void {
  if (invoice.kind === 'subscription')
    throw new ApiError(
      'invoice_not_mutable',
      'Subscription invoices are managed automatically and cannot be adjusted.',
    );
  if (invoice.status !== 'paid')
    throw new ApiError(
      'invoice_not_paid',
      'Only a paid invoice can be adjusted. Void this invoice and create a new one instead.',
    );
  if (totalMinor !== 0) return;
  throw new ApiError('validation_failed', 'The total of the lines must not be zero.', { param: 'lines' });
}

function insertDebit(tx: Tx, invoice: InvoiceRow, id: string, lines: InvoiceLine[]): Promise<void> {
  const { workspace_id, currency, company_id, member_id } = invoice;
  const now = new Date();
  return insertInvoice(tx, {
    id,
    workspace_id,
    kind: 'adjustment',
    currency,
    due_at: now,
    company_id,
    member_id,
    adjusts: invoice.id,
    created_at: now,
    lines,
  });
}

async function refundCredit(
  tx: Tx,
  invoice_id: string,
  adjustment_id: string,
  { amount_minor, currency }: Money,
): Promise<string[]> {
  const refundable = await lockRefundable(tx, { invoice_id });
  const left = refundable.reduce((sum, payment) => sum + payment.refundable_minor, 0);
  if (amount_minor > left) throw refundExceedsPayment({ amount_minor: left, currency });
  return createRefunds(tx, refundable, { amount_minor, reason: 'other', adjustment_id });
}

/** The 422 for a refund that exceeds this refundable amount. */
export function refundExceedsPayment({ amount_minor, currency }: Money): ApiError {
  return new ApiError(
    'amount_exceeds_refundable',
    amount_minor === 0
      ? 'Nothing can be refunded: everything has been refunded already, or the payment is disputed.'
      : `The amount must be at most ${formatMoney({ amount_minor, currency })}, which is what can still be refunded.`,
    {
      param: 'amount_minor',
      details: { refundable_minor: amount_minor },
    },
  );
}
