import { ApiError } from '../../../domain/errors.js';
import { totalsOf, type InvoiceLine } from '../../../domain/invoice.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';
import { enqueueAccountingUpdate } from '../accounting/documents.js';
import { insertInvoice, lockInvoice, type InvoiceRow } from './invoices.js';
import { beginRefunds, findRefundable } from './refunds.js';

/** A change of what a paid invoice comes to: a further invoice, or money given back. Amounts in minor units. */
export interface AdjustmentRow {
  id: string;
  workspace_id: string;
  invoice_id: string;
  kind: 'debit' | 'credit';
  net_minor: number;
  tax_minor: number;
  total_minor: number;
  lines: InvoiceLine[];
  reason: string;
  debit_invoice_id: string | null;
  /** The credit note in the books. */
  accounting_id: string | null;
  created_at: Date;
  /** The refunds of a credit, oldest first. */
  refund_ids: string[];
}

/** An adjustment of a workspace, or null. */
export async function findAdjustment(tx: Tx, workspaceId: string, id: string): Promise<AdjustmentRow | null> {
  const rows = await tx.query(
    `SELECT a.*, ARRAY(SELECT r.id FROM payments r WHERE r.adjustment_id = a.id ORDER BY r.created_at, r.id) AS refund_ids
     FROM adjustments a WHERE a.id = $1 AND a.workspace_id = $2`,
    [id, workspaceId],
  );
  return rows[0] ?? null;
}

/**
 * Adjusts a paid invoice (decisions.md, "Invoices and payments"): a positive total becomes a linked open invoice, a
 * negative one begins the refunds that give it back. Returns the refunds' ids.
 * Errors: 409 `invoice_not_paid`, `invoice_not_mutable`; 422 `amount_exceeds_refundable`, or where the sum is zero.
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
  const debitInvoiceId = kind === 'debit' ? newId('inv') : null;
  if (debitInvoiceId) await insertDebit(tx, invoice, debitInvoiceId, lines);
  await tx.query(
    `INSERT INTO adjustments (id, workspace_id, invoice_id, kind, net_minor, tax_minor, total_minor, lines, reason,
                              debit_invoice_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      invoice.workspace_id,
      invoice.id,
      kind,
      totals.net_minor,
      totals.tax_minor,
      totals.total_minor,
      JSON.stringify(lines),
      reason,
      debitInvoiceId,
    ],
  );
  if (kind === 'debit') return [];
  await enqueueAccountingUpdate(tx, invoice.id);
  return giveBack(tx, invoice, id, -totals.total_minor);
}

function assertAdjustable(invoice: InvoiceRow, totalMinor: number): void {
  if (invoice.kind === 'subscription')
    throw new ApiError('invoice_not_mutable', 'A subscription invoice is made by the service alone.');
  if (invoice.status !== 'paid')
    throw new ApiError('invoice_not_paid', 'Only a paid invoice is adjusted; void this one instead.');
  if (totalMinor !== 0) return;
  throw new ApiError('validation_failed', 'The lines come to nothing.', { param: 'lines' });
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

async function giveBack(
  tx: Tx,
  invoice: InvoiceRow,
  adjustmentId: string,
  amount: number,
): Promise<string[]> {
  const refundable = await findRefundable(tx, { invoice_id: invoice.id });
  const left = refundable.reduce((sum, payment) => sum + payment.left_minor, 0);
  if (amount > left) throw refundExceedsPayment(left);
  return beginRefunds(tx, refundable, {
    amount_minor: amount,
    reason: 'other',
    adjustment_id: adjustmentId,
  });
}

/** The 422 for giving back more than there is. */
export function refundExceedsPayment(leftMinor: number): ApiError {
  return new ApiError('amount_exceeds_refundable', `Only ${leftMinor} is left to be refunded.`, {
    param: 'amount_minor',
    details: { refundable_minor: leftMinor },
  });
}
