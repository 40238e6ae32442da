import type { Metadata } from '../metadata.js';
import { isPayable, type InvoiceKind, type InvoiceLine } from './invoice.js';
import type { InvoiceStatus } from '../states.js';
import type { CollectionStatus } from './collection.js';
import { iso } from '../iso.js';

/** The input of `presentInvoice`: the row, its lines and the amount paid. Amounts in minor units. */
export interface InvoiceFacts {
  id: string;
  kind: InvoiceKind;
  number: number;
  /** Null until it is issued, or sent to the accounting system before that. */
  document_number: string | null;
  status: InvoiceStatus;
  currency: string;
  net_minor: number;
  tax_minor: number;
  total_minor: number;
  paid_minor: number;
  due_at: Date;
  company_id: string | null;
  member_id: string | null;
  booking_id: string | null;
  adjusts: string | null;
  period_start: string | null;
  period_end: string | null;
  reference: string | null;
  metadata: Metadata;
  accounting_id: string | null;
  accounting_reference: string;
  accounting_error: string | null;
  lines: InvoiceLine[];
  created_at: Date;
  sent_at: Date | null;
  overdue_at: Date | null;
  /** Null for an invoice that is paid together with its booking, and for a draft. */
  collection: {
    status: CollectionStatus;
    next_at: string | null;
    attempts: number;
    mailed_at: string | null;
  } | null;
  paid_at: Date | null;
  voided_at: Date | null;
  cancelled_at: Date | null;
}

/** An invoice line as the API returns it. */
export function presentLine(line: InvoiceLine) {
  return {
    description: line.description,
    quantity: Number(line.quantity),
    unit_amount_minor: line.unit_amount_minor,
    tax_code: line.tax_code,
    net_minor: line.net_minor,
    tax_minor: line.tax_minor,
  };
}

/** Returns the outstanding amount in minor units; 0 for an invoice that cannot be paid. */
export function outstandingMinor(
  invoice: Pick<InvoiceFacts, 'status' | 'total_minor' | 'paid_minor'>,
): number {
  return isPayable(invoice) ? Math.max(0, invoice.total_minor - invoice.paid_minor) : 0;
}

/** A collection as the API returns it. It ends with the invoice, even if that is not stored yet. */
function presentCollection(
  invoice: Pick<InvoiceFacts, 'status'>,
  collection: NonNullable<InvoiceFacts['collection']>,
) {
  const { attempts, next_at } = collection;
  if (!isPayable(invoice)) return { status: 'ended' as const, next_at: null, attempts };
  return { status: collection.status, next_at: next_at && new Date(next_at).toISOString(), attempts };
}

/**
 * An invoice as the API returns it and events contain it (docs/rules/billing.md#invoices). Amounts in minor
 * units.
 */
export function presentInvoice(invoice: InvoiceFacts) {
  return {
    id: invoice.id,
    kind: invoice.kind,
    number: invoice.number,
    document_number: invoice.document_number,
    status: invoice.status,
    currency: invoice.currency,
    net_minor: invoice.net_minor,
    tax_minor: invoice.tax_minor,
    total_minor: invoice.total_minor,
    paid_minor: invoice.paid_minor,
    outstanding_minor: outstandingMinor(invoice),
    due_at: invoice.due_at.toISOString(),
    company_id: invoice.company_id,
    member_id: invoice.member_id,
    booking_id: invoice.booking_id,
    adjusts: invoice.adjusts,
    period_start: invoice.period_start,
    period_end: invoice.period_end,
    reference: invoice.reference,
    metadata: invoice.metadata,
    accounting_id: invoice.accounting_id,
    accounting_reference: invoice.accounting_reference,
    accounting_error: invoice.accounting_error,
    lines: invoice.lines.map(presentLine),
    created_at: invoice.created_at.toISOString(),
    sent_at: iso(invoice.sent_at),
    overdue_at: iso(invoice.overdue_at),
    collection: invoice.collection && presentCollection(invoice, invoice.collection),
    paid_at: iso(invoice.paid_at),
    voided_at: iso(invoice.voided_at),
    cancelled_at: iso(invoice.cancelled_at),
  };
}

export type PresentedInvoice = ReturnType<typeof presentInvoice>;
