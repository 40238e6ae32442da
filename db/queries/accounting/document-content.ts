import type { TaxPart } from '../../../domain/accounting.js';
import type { InvoiceLine } from '../../../domain/invoice.js';
import type { TaxCode } from '../../../domain/price.js';
import { many, one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { findPayer, type Payer } from '../billing/payer.js';

type DocumentLine = TaxPart & { description: string; quantity: string; unit_amount_minor: number };

/** A document's content: amounts in minor units, days as `YYYY-MM-DD` in the workspace's time zone. */
export interface DocumentContent {
  workspace_id: string;
  invoice_id: string;
  reference: string;
  currency: string;
  date: string;
  due_date: string;
  total_minor: number;
  lines: DocumentLine[];
  tax_types: Record<string, string>;
  sales_account: string;
  payer: Payer;
}

/** SQL for what a document is about: `$1` is its invoice, `$2` its source: that, a payment or a dispute's movement. */
const OF_DOCUMENT = `FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
     JOIN accounting_connections c ON c.workspace_id = w.id
     LEFT JOIN payments p ON p.id = $2
     LEFT JOIN dispute_movements m ON m.id = $2
     WHERE i.id = $1`;

/**
 * The content of a document of the accounting system, except for the lines of a credit (`findCredit`) and of what a bank
 * returned after a dispute, which are shares of the invoice's.
 */
export async function findDocumentContent(
  tx: Tx,
  invoiceId: string,
  sourceId: string,
): Promise<DocumentContent> {
  const { tax_codes, ...head } = await one<
    Omit<DocumentContent, 'invoice_id' | 'total_minor' | 'lines' | 'tax_types' | 'payer'> & {
      tax_codes: TaxCode[];
    }
  >(
    tx,
    `SELECT i.workspace_id, i.accounting_reference AS reference, i.currency,
            (coalesce(p.paid_at, m.created_at, i.created_at) AT TIME ZONE w.time_zone)::date AS date,
            (greatest(i.due_at, i.created_at, m.created_at) AT TIME ZONE w.time_zone)::date AS due_date,
            w.tax_codes, c.sales_account
     ${OF_DOCUMENT}`,
    [invoiceId, sourceId],
  );
  const lines = await many<DocumentLine>(
    tx,
    `SELECT description, quantity, unit_amount_minor, tax_code, tax_rate_bps, net_minor, tax_minor
     FROM invoice_lines WHERE invoice_id = $1 AND payment_id IS NOT DISTINCT FROM nullif($2, $1) ORDER BY position`,
    [invoiceId, sourceId],
  );
  return {
    ...head,
    invoice_id: invoiceId,
    total_minor: lines.reduce((sum, line) => sum + line.net_minor + line.tax_minor, 0),
    lines,
    tax_types: Object.fromEntries(
      tax_codes.map(({ code, accounting_tax_type }) => [code, accounting_tax_type]),
    ),
    payer: await findPayer(tx, invoiceId),
  };
}

/**
 * A credit: an adjustment with its own lines, negated, or a refund or dispute without lines, whose shares must be
 * computed.
 */
export interface Credit {
  lines: DocumentLine[] | null;
  date: string;
  is_dispute: boolean;
}

/** The credit behind a source. */
export async function findCredit(tx: Tx, sourceId: string): Promise<Credit> {
  const { date, is_dispute, lines } = await one<Omit<Credit, 'lines'> & { lines: InvoiceLine[] | null }>(
    tx,
    `SELECT a.lines, false AS is_dispute, (a.created_at AT TIME ZONE w.time_zone)::date AS date
     FROM adjustments a JOIN workspaces w ON w.id = a.workspace_id WHERE a.id = $1
     UNION ALL
     SELECT NULL, false, (r.settled_at AT TIME ZONE w.time_zone)::date
     FROM payments r JOIN workspaces w ON w.id = r.workspace_id WHERE r.id = $1
     UNION ALL
     SELECT NULL, true, (m.created_at AT TIME ZONE w.time_zone)::date
     FROM dispute_movements m JOIN payments p ON p.id = m.payment_id JOIN workspaces w ON w.id = p.workspace_id
     WHERE m.id = $1`,
    [sourceId],
  );
  const negated = lines?.map((line) => ({
    ...line,
    quantity: String(line.quantity),
    unit_amount_minor: -line.unit_amount_minor,
    net_minor: -line.net_minor,
    tax_minor: -line.tax_minor,
  }));
  return { date, is_dispute, lines: negated ?? null };
}

/** The tax codes and amounts of all lines of an invoice. */
export function findTaxParts(tx: Tx, invoiceId: string): Promise<TaxPart[]> {
  return many<TaxPart>(
    tx,
    `SELECT tax_code, tax_rate_bps, net_minor, tax_minor FROM invoice_lines WHERE invoice_id = $1 ORDER BY position`,
    [invoiceId],
  );
}

/** How a document is paid in the accounting system. */
export interface PaymentTerms {
  currency: string;
  payment_account: string;
  /** The day in the workspace's zone on which it was paid: an invoice, a top-up, or a dispute's money. */
  paid_on: string;
}

/** How a document of an invoice is paid. */
export function findPaymentTerms(tx: Tx, invoiceId: string, sourceId: string): Promise<PaymentTerms> {
  return one<PaymentTerms>(
    tx,
    `SELECT i.currency, c.payment_account,
            (coalesce(p.paid_at, m.created_at, i.paid_at) AT TIME ZONE w.time_zone)::date AS paid_on
     ${OF_DOCUMENT}`,
    [invoiceId, sourceId],
  );
}
