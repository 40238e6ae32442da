import type { DataSource } from 'typeorm';
import type { Money } from '../../domain/money.js';
import { ApiError, refuse } from '../../domain/errors.js';
import {
  priceLines,
  sumTotals,
  whyNotAdjust,
  type InvoiceLine,
  type LineRequest,
} from '../../domain/invoices/invoice.js';
import type { Principal } from '../../domain/policies.js';
import { whyNotRefund } from '../../domain/payments/refund.js';
import { lostMinor } from '../../domain/bookings/refund-policy.js';
import { newId } from '../../db/ids.js';
import { Adjustment } from '../../db/entities/invoices.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { InvoiceRow } from '../../db/queries/invoices/invoice.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { bindKey, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit } from '../audit-log/audit.js';
import { insertInvoice, lockInvoice, visibleInvoice } from './invoices.js';
import { settleManualRefunds } from '../payments/record-refund.js';
import { createRefunds, lockRefundable } from '../payments/refunds.js';
import { followLedger } from './issue-documents.js';

/**
 * Adjusts a paid invoice like `adjustInvoice`, once per key. `refunds` are those that the processor has to
 * execute. Errors: 404 `invoice_not_found`; 409 `idempotency_conflict`; those of `adjustInvoice`; 422.
 */
export const adjustPaidInvoice = (
  db: DataSource,
  caller: Principal,
  invoice_id: string,
  { lines, reason }: { lines: LineRequest[]; reason: string },
  idempotency: IdempotencyKey | null,
): Promise<{ id: string; isNew: boolean; refunds: string[] }> =>
  transaction(db, async (tx) => {
    const { workspace_id, currency } = await visibleInvoice(tx, caller, invoice_id);
    const { tax_codes } = (await findWorkspace(tx, workspace_id))!;
    const priced = priceLines(lines, tax_codes, currency);
    const id = newId('adj');
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    if (bound !== id) return { id: bound, isNew: false, refunds: [] };
    const begun = await adjustInvoice(tx, { id, invoice_id, lines: priced, reason });
    const details = { adjustment_id: id, total_minor: sumTotals(priced).total_minor, reason };
    await audit(tx, caller, { action: 'invoice.adjusted', object: invoice_id, details });
    return { id, isNew: true, refunds: await settleManualRefunds(tx, begun) };
  });

/**
 * Adjusts a paid invoice (docs/rules/billing.md#adjustments): a positive total becomes a linked open invoice,
 * a negative one creates refunds. Returns the refunds' ids.
 * Errors: 409 `invoice_not_paid`, `invoice_not_mutable`; 422
 * `amount_exceeds_refundable`, or for a total of zero.
 */
export async function adjustInvoice(
  tx: Tx,
  adjustment: { id: string; invoice_id: string; lines: InvoiceLine[]; reason: string },
): Promise<string[]> {
  const { id, lines, reason } = adjustment;
  const invoice = await lockInvoice(tx, adjustment.invoice_id);
  const totals = sumTotals(lines);
  refuse(whyNotAdjust(invoice));
  if (totals.total_minor === 0)
    throw new ApiError('validation_failed', 'The total of the lines must not be zero.', { param: 'lines' });
  const kind = totals.total_minor > 0 ? 'debit' : 'credit';
  const debit_invoice_id = kind === 'debit' ? newId('inv') : null;
  if (debit_invoice_id) await insertDebit(tx, invoice, debit_invoice_id, { lines, reason });
  const { workspace_id, id: invoice_id } = invoice;
  await tx.insert(Adjustment, {
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
  await followLedger(tx, invoice_id);
  return refundCredit(tx, invoice_id, id, { amount_minor: -totals.total_minor, currency: invoice.currency });
}

function insertDebit(
  tx: Tx,
  invoice: InvoiceRow,
  id: string,
  adjustment: { lines: InvoiceLine[]; reason: string },
): Promise<void> {
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
    ...adjustment,
  });
}

async function refundCredit(
  tx: Tx,
  invoice_id: string,
  adjustment_id: string,
  { amount_minor: credit_minor, currency }: Money,
): Promise<string[]> {
  const refundable = await lockRefundable(tx, { invoice_id }, 'adjustment');
  const left = refundable.reduce((sum, payment) => sum + payment.refundable_minor, 0);
  const lost = lostMinor(refundable);
  refuse(whyNotRefund(credit_minor, { amount_minor: left + lost, currency }));
  const amount_minor = Math.max(0, credit_minor - lost);
  const refund = { amount_minor, purpose: 'adjustment', reason: 'other', adjustment_id } as const;
  return createRefunds(tx, refundable, refund);
}
