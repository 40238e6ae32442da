import { accountingReference, totalsOf, type InvoiceLine } from '../../../domain/invoice.js';
import { presentInvoice, type InvoiceFacts, type InvoiceKind } from '../../../domain/presenters/invoice.js';
import type { InvoiceStatus } from '../../../domain/states.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { enqueueAccountingUpdate } from '../accounting/documents.js';
import { insertEvent } from '../events/events.js';

/** An invoice's row with its lines and what has been paid towards it. */
export type InvoiceRow = InvoiceFacts & { workspace_id: string; updated_at: Date };

/**
 * While an invoice is open, what was given back has to be paid again; once it is paid, a refund changes nothing of
 * that. What went back because it was paid over the total never counted.
 */
const PAID = `(SELECT coalesce(sum(p.amount_minor - greatest(p.excess_minor,
    CASE WHEN i.status IN ('open', 'authorised') THEN p.refunded_minor ELSE 0 END)), 0)::bigint
  FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed')`;

const WITH_LINES = `SELECT i.*, i.period_start::text, i.period_end::text, ${PAID} AS paid_minor,
    (SELECT json_agg(l ORDER BY l.position) FROM invoice_lines l WHERE l.invoice_id = i.id) AS lines
  FROM invoices i`;

/** An invoice of a workspace, or null. */
export async function findInvoice(tx: Tx, workspaceId: string, id: string): Promise<InvoiceRow | null> {
  const rows = await tx.query(`${WITH_LINES} WHERE i.id = $1 AND i.workspace_id = $2`, [id, workspaceId]);
  return rows[0] ?? null;
}

/** An invoice by id alone, for the run or the transaction that owns it. */
export async function findInvoiceById(tx: Tx, id: string): Promise<InvoiceRow | null> {
  const rows = await tx.query(`${WITH_LINES} WHERE i.id = $1`, [id]);
  return rows[0] ?? null;
}

/** An invoice, locked until the transaction ends: whoever changes what is due holds this first. */
export async function lockInvoice(tx: Tx, id: string): Promise<InvoiceRow> {
  await tx.query(`SELECT FROM invoices WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  return (await findInvoiceById(tx, id))!;
}

export interface InvoiceFilter {
  workspace_id: string;
  status?: InvoiceStatus;
  company_id?: string;
  member_id?: string;
  booking_id?: string;
  from?: Date;
  to?: Date;
  /** The last row of the page before. */
  after?: { created_at: string; id: string };
  limit: number;
}

/** A workspace's invoices, newest first; `from` and `to` are `[from, to)` on `created_at`. */
export async function listInvoices(tx: Tx, filter: InvoiceFilter): Promise<InvoiceRow[]> {
  return tx.query(
    `${WITH_LINES}
     WHERE i.workspace_id = $1 AND ($2::text IS NULL OR i.status = $2) AND ($3::uuid IS NULL OR i.company_id = $3)
       AND ($4::text IS NULL OR i.member_id = $4) AND ($5::text IS NULL OR i.booking_id = $5)
       AND ($6::timestamptz IS NULL OR i.created_at >= $6) AND ($7::timestamptz IS NULL OR i.created_at < $7)
       AND ($8::timestamptz IS NULL OR (i.created_at, i.id) < ($8, $9))
     ORDER BY i.created_at DESC, i.id DESC LIMIT $10`,
    [
      filter.workspace_id,
      filter.status ?? null,
      filter.company_id ?? null,
      filter.member_id ?? null,
      filter.booking_id ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );
}

/** Stores an event about an invoice, as it is now. The caller holds its lock. */
export async function recordInvoiceEvent(
  tx: Tx,
  type: 'invoice.paid' | 'invoice.voided' | 'invoice.refunded' | 'invoice.created',
  id: string,
): Promise<void> {
  const invoice = (await findInvoiceById(tx, id))!;
  const { workspace_id } = invoice;
  await insertEvent(tx, { type, workspace_id, object: presentInvoice(invoice), created_at: new Date() });
}

export interface NewInvoice {
  id: string;
  workspace_id: string;
  kind: InvoiceKind;
  currency: string;
  due_at: Date;
  company_id: string | null;
  member_id: string | null;
  booking_id?: string | null;
  adjusts?: string | null;
  reference?: string | null;
  period?: { start: string; end: string };
  created_at: Date;
  lines: InvoiceLine[];
}

const INSERT_INVOICE = {
  name: 'insert_invoice',
  text: `WITH counter AS (
      INSERT INTO invoice_counters AS c (workspace_id, last_number) VALUES ($2, 1)
      ON CONFLICT (workspace_id) DO UPDATE SET last_number = c.last_number + 1
      RETURNING last_number AS number
    ), invoice AS (
      INSERT INTO invoices (id, workspace_id, number, kind, status, currency, net_minor, tax_minor, total_minor,
                            due_at, company_id, member_id, booking_id, adjusts, reference, period_start, period_end,
                            created_at, updated_at, accounting_reference)
      SELECT $1, $2, number, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17,
             'Holdfast #' || number || coalesce(' — ' || $14::text, '')
      FROM counter
    ), lines AS (
      INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount_minor, tax_code,
                                 tax_rate_bps, net_minor, tax_minor)
      SELECT $1, position, description, quantity, unit_amount_minor, tax_code, tax_rate_bps, net_minor, tax_minor
      FROM ROWS FROM (jsonb_to_recordset($18::jsonb) AS (description text, quantity numeric,
             unit_amount_minor bigint, tax_code text, tax_rate_bps integer, net_minor bigint, tax_minor bigint))
           WITH ORDINALITY AS line (description, quantity, unit_amount_minor, tax_code, tax_rate_bps, net_minor,
                                    tax_minor, position)
    )
    SELECT number FROM counter`,
};

/**
 * Stores an open invoice under the workspace's next number; numbers have no gaps, since the counter's row is locked
 * until the transaction ends (decisions.md, header). A subscription invoice may begin as a draft.
 */
export async function insertInvoice(
  tx: Tx,
  invoice: NewInvoice,
  status: 'open' | 'draft' = 'open',
): Promise<void> {
  const { net_minor, tax_minor, total_minor } = totalsOf(invoice.lines);
  const { reference = null, booking_id = null, adjusts = null, period } = invoice;
  const [{ number }] = await many<any>(tx, INSERT_INVOICE, [
    invoice.id,
    invoice.workspace_id,
    invoice.kind,
    status,
    invoice.currency,
    net_minor,
    tax_minor,
    total_minor,
    invoice.due_at,
    invoice.company_id,
    invoice.member_id,
    booking_id,
    adjusts,
    reference,
    period?.start ?? null,
    period?.end ?? null,
    invoice.created_at,
    JSON.stringify(invoice.lines),
  ]);
  if (status === 'draft') return;
  // Told from what is known here: this is on the way of every booking.
  const facts: InvoiceFacts = {
    ...invoice,
    number,
    status,
    net_minor,
    tax_minor,
    total_minor,
    paid_minor: 0,
    reference,
    booking_id,
    adjusts,
    period_start: period?.start ?? null,
    period_end: period?.end ?? null,
    accounting_id: null,
    accounting_reference: accountingReference(number, reference),
    accounting_error: null,
    paid_at: null,
    voided_at: null,
    cancelled_at: null,
  };
  const { workspace_id, created_at } = invoice;
  await insertEvent(tx, { type: 'invoice.created', workspace_id, object: presentInvoice(facts), created_at });
}

/** Adds lines to a paid invoice, with its totals, that a payment of their own has paid. */
export async function addPaidLines(
  tx: Tx,
  invoiceId: string,
  paymentId: string,
  lines: InvoiceLine[],
): Promise<void> {
  const { net_minor, tax_minor, total_minor } = totalsOf(lines);
  await tx.query(
    `UPDATE invoices SET net_minor = net_minor + $2, tax_minor = tax_minor + $3, total_minor = total_minor + $4,
            updated_at = now()
     WHERE id = $1`,
    [invoiceId, net_minor, tax_minor, total_minor],
  );
  for (const line of lines) {
    await tx.query(
      `INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount_minor, tax_code,
                                  tax_rate_bps, net_minor, tax_minor, payment_id)
       SELECT $1, max(position) + 1, $2, $3, $4, $5, $6, $7, $8, $9 FROM invoice_lines WHERE invoice_id = $1`,
      [
        invoiceId,
        line.description,
        line.quantity,
        line.unit_amount_minor,
        line.tax_code,
        line.tax_rate_bps,
        line.net_minor,
        line.tax_minor,
        paymentId,
      ],
    );
  }
  await enqueueAccountingUpdate(tx, invoiceId);
}
