import type { InvoiceLine } from './invoice.js';
import { presentLine } from './invoice-presenter.js';

/** The input of `presentAdjustment`. Amounts in minor units. */
export interface AdjustmentFacts {
  id: string;
  kind: 'debit' | 'credit';
  total_minor: number;
  lines: InvoiceLine[];
  reason: string;
  debit_invoice_id: string | null;
  /** The credit note in the accounting system. */
  accounting_id: string | null;
  /** The refunds of a credit, oldest first. */
  refund_ids: string[];
  created_at: Date;
}

/** An adjustment as the API returns it (docs/rules/billing.md#adjustments). */
export function presentAdjustment(adjustment: AdjustmentFacts) {
  const { id, kind, total_minor, lines, reason, debit_invoice_id, accounting_id, refund_ids } = adjustment;
  return {
    id,
    kind,
    total_minor,
    lines: lines.map(presentLine),
    reason,
    ...(kind === 'debit' ? { invoice_id: debit_invoice_id! } : { credit_note_id: accounting_id }),
    refund_id: refund_ids[0] ?? null,
    refund_ids,
    created_at: adjustment.created_at.toISOString(),
  };
}
