import { INVOICE_TRANSITIONS } from '../../domain/states.js';
import type { Tx } from '../transaction.js';

/** One line of a new invoice. Amounts in minor units; net and tax are already rounded. */
export interface NewInvoiceLine {
  description: string;
  quantity: number;
  unit_amount_minor: number;
  tax_code: string;
  tax_rate_bps: number;
  net_minor: number;
  tax_minor: number;
}

export interface NewInvoice {
  id: string;
  workspace_id: string;
  currency: string;
  due_at: Date;
  company_id: string | null;
  member_id: string | null;
  booking_id: string | null;
  created_at: Date;
  lines: NewInvoiceLine[];
}

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Stores an open invoice under the workspace's next number; numbers have no gaps (decisions.md, header). */
export async function insertOpenInvoice(tx: Tx, invoice: NewInvoice): Promise<void> {
  const net = sum(invoice.lines.map((line) => line.net_minor));
  const tax = sum(invoice.lines.map((line) => line.tax_minor));
  await tx.query(
    `WITH counter AS (
       INSERT INTO invoice_counters AS c (workspace_id, last_number) VALUES ($2, 1)
       ON CONFLICT (workspace_id) DO UPDATE SET last_number = c.last_number + 1
       RETURNING last_number AS number
     ), invoice AS (
       INSERT INTO invoices (id, workspace_id, number, status, currency, net_minor, tax_minor, total_minor, due_at,
                             company_id, member_id, booking_id, accounting_reference, created_at)
       SELECT $1, $2, number, 'open', $3, $4, $5, $4::bigint + $5::bigint, $6, $7, $8, $9,
              'Holdfast #' || number, $10
       FROM counter
     )
     INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount_minor, tax_code,
                                tax_rate_bps, net_minor, tax_minor)
     SELECT $1, position, description, quantity, unit_amount_minor, tax_code, tax_rate_bps, net_minor, tax_minor
     FROM ROWS FROM (jsonb_to_recordset($11::jsonb) AS (description text, quantity numeric,
            unit_amount_minor bigint, tax_code text, tax_rate_bps integer, net_minor bigint, tax_minor bigint))
          WITH ORDINALITY AS line (description, quantity, unit_amount_minor, tax_code, tax_rate_bps, net_minor,
                                   tax_minor, position)`,
    [
      invoice.id,
      invoice.workspace_id,
      invoice.currency,
      net,
      tax,
      invoice.due_at,
      invoice.company_id,
      invoice.member_id,
      invoice.booking_id,
      invoice.created_at,
      JSON.stringify(invoice.lines),
    ],
  );
}

/** Adds lines to an invoice whose money is there, and its totals with them. */
export async function addInvoiceLines(tx: Tx, invoiceId: string, lines: NewInvoiceLine[]): Promise<void> {
  const net = sum(lines.map((line) => line.net_minor));
  const tax = sum(lines.map((line) => line.tax_minor));
  await tx.query(
    `UPDATE invoices SET net_minor = net_minor + $2, tax_minor = tax_minor + $3,
            total_minor = total_minor + $2::bigint + $3::bigint
     WHERE id = $1`,
    [invoiceId, net, tax],
  );
  for (const line of lines) {
    await tx.query(
      `INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount_minor, tax_code,
                                  tax_rate_bps, net_minor, tax_minor)
       SELECT $1, max(position) + 1, $2, $3, $4, $5, $6, $7, $8 FROM invoice_lines WHERE invoice_id = $1`,
      [
        invoiceId,
        line.description,
        line.quantity,
        line.unit_amount_minor,
        line.tax_code,
        line.tax_rate_bps,
        line.net_minor,
        line.tax_minor,
      ],
    );
  }
}

/** Marks a payable invoice paid. Does nothing to one that is not payable (any more). */
export async function payInvoice(tx: Tx, invoiceId: string, at: Date): Promise<void> {
  await tx.query(`UPDATE invoices SET status = $2, paid_at = $3 WHERE id = $1 AND status = ANY ($4)`, [
    invoiceId,
    INVOICE_TRANSITIONS.pay.to,
    at,
    INVOICE_TRANSITIONS.pay.from,
  ]);
}

/** Voids an unpaid invoice; no money moves. Does nothing to one that is terminal. */
export async function voidInvoice(tx: Tx, invoiceId: string, at: Date): Promise<void> {
  await tx.query(`UPDATE invoices SET status = $2, voided_at = $3 WHERE id = $1 AND status = ANY ($4)`, [
    invoiceId,
    INVOICE_TRANSITIONS.void.to,
    at,
    INVOICE_TRANSITIONS.void.from,
  ]);
}
