import type { EventsOf } from '../../domain/events.js';
import { beginningOf } from '../../domain/collection.js';
import { accountingReference, totalsOf, type InvoiceKind, type InvoiceLine } from '../../domain/invoice.js';
import { presentInvoice, type InvoiceFacts } from '../../domain/presenters/invoice.js';
import { refusalError } from '../../domain/errors.js';
import { whyMoneyStandsStill } from '../../domain/processor-refusals.js';
import { iso } from '../../domain/presenters/iso.js';
import { execute, maybeOne } from '../../db/query.js';
import { insertIfAbsent } from '../../db/insert.js';
import { columnParameters } from '../../db/column-parameters.js';
import { Collection } from '../../db/entities/collections.js';
import { Invoice, type InvoiceLine as StoredLine } from '../../db/entities/invoices.js';
import type { Tx } from '../../db/transaction.js';
import { insertEvent } from '../events/events.js';
import { enqueueMail } from '../mail/mails.js';
import { findChargeableCard } from '../../db/queries/billing/collection.js';
import { recoveringSince } from '../../db/queries/workspaces/recovery.js';
import { partiesNow } from '../../db/queries/billing/invoice-parties.js';
import { findInvoiceById, type InvoiceRow } from '../../db/queries/billing/invoice.js';
import { followLedger, issueDocuments } from './issue-documents.js';

const LOCK_INVOICE = { name: 'lock_invoice', text: `SELECT FROM invoices WHERE id = $1 FOR NO KEY UPDATE` };

/** Locks an invoice until the transaction ends. Every change of the amount due takes this lock first. */
export async function lockInvoiceRow(tx: Tx, id: string): Promise<void> {
  await execute(tx, LOCK_INVOICE, [id]);
}

/** Locks an invoice as `lockInvoiceRow` does, and reads it. */
export async function lockInvoice(tx: Tx, id: string): Promise<InvoiceRow> {
  await lockInvoiceRow(tx, id);
  return (await findInvoiceById(tx, id))!;
}

/** Stores an event with the current state of a locked invoice. */
export async function recordInvoiceEvent(tx: Tx, type: EventsOf<'invoice'>, id: string): Promise<void> {
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
  /** For the invoice of a booking: it is collected later. */
  on_account?: boolean;
  /** For an invoice of money that has been received: it is not collected. */
  is_received?: boolean;
  adjusts?: string | null;
  reference?: string | null;
  /** Why it adjusts another invoice. */
  reason?: string;
  period?: { start: string; end: string };
  created_at: Date;
  lines: InvoiceLine[];
}

const LINE_COLUMNS = [
  'description',
  'quantity',
  'unit_amount_minor',
  'tax_code',
  'tax_rate_bps',
  'net_minor',
  'tax_minor',
  'account',
] as const satisfies (keyof InvoiceLine & keyof StoredLine)[];

/** SQL that inserts lines, given as JSON, after a position of an invoice. */
const insertLines = (sql: { invoiceId: string; lines: string; after: string; paymentId: string }): string =>
  `INSERT INTO invoice_lines (invoice_id, position, payment_id, ${LINE_COLUMNS.join()})
   SELECT ${sql.invoiceId}, ${sql.after} + line.ordinality, ${sql.paymentId},
          ${LINE_COLUMNS.map((column) => `line.${column}`).join()}
   FROM jsonb_populate_recordset(NULL::invoice_lines, ${sql.lines}::jsonb) WITH ORDINALITY AS line`;

const INVOICE = columnParameters(
  Invoice,
  [
    'id',
    'workspace_id',
    'kind',
    'status',
    'currency',
    'net_minor',
    'tax_minor',
    'total_minor',
    'due_at',
    'company_id',
    'member_id',
    'booking_id',
    'adjusts',
    'reference',
    'period_start',
    'period_end',
    'created_at',
    'updated_at',
  ],
  2,
);

/** `$1`: the lines; the last parameter: whether it gets a number although others may have been given out. */
const INSERT_INVOICE = {
  name: 'insert_invoice',
  text: `WITH counter AS (
      INSERT INTO invoice_counters AS c (workspace_id, last_number)
      SELECT ${INVOICE.of('workspace_id')}, 1
      WHERE $${INVOICE.next} OR ${recoveringSince(INVOICE.of('workspace_id'))} IS NULL
      ON CONFLICT (workspace_id) DO UPDATE SET last_number = c.last_number + 1
      RETURNING last_number AS number
    ), invoice AS (
      INSERT INTO invoices (${INVOICE.columns}, number, document_number, accounting_reference, parties)
      SELECT ${INVOICE.parameters}, number,
             (SELECT invoice_prefix FROM workspaces WHERE id = ${INVOICE.of('workspace_id')}) || '-' || number,
             'Holdfast #' || number || coalesce(' — ' || ${INVOICE.of('reference')}::text, ''),
             CASE WHEN ${INVOICE.of('status')} <> 'draft' THEN ${partiesNow(INVOICE.of('workspace_id'), INVOICE.of('company_id'))} END
      FROM counter
    ), lines AS (
      ${insertLines({ invoiceId: INVOICE.of('id'), lines: '$1', after: '0', paymentId: 'NULL' })}
      WHERE EXISTS (SELECT FROM counter)
    )
    SELECT number FROM counter`,
};

/**
 * Stores an open invoice under the workspace's next number. Numbers have no gaps, since the counter's row is locked
 * until the transaction ends (docs/rules/billing.md#numbers-and-references). A subscription invoice can start as a
 * draft. Errors: 503 while money stands still, since the number may be taken, unless the invoice is of
 * money that has been received or of nothing.
 */
export async function insertInvoice(
  tx: Tx,
  invoice: NewInvoice,
  status: 'open' | 'draft' = 'open',
): Promise<void> {
  const { lines, period, reason, on_account = false, is_received = false, ...columns } = invoice;
  const isCollected = !is_received && (invoice.kind !== 'booking' || on_account);
  const row = {
    ...columns,
    ...totalsOf(lines),
    status,
    reference: invoice.reference ?? null,
    booking_id: invoice.booking_id ?? null,
    adjusts: invoice.adjusts ?? null,
    period_start: period?.start ?? null,
    period_end: period?.end ?? null,
    updated_at: invoice.created_at,
  };
  const numbered = await maybeOne<{ number: number }>(tx, INSERT_INVOICE, [
    JSON.stringify(lines),
    ...INVOICE.values(row),
    is_received || row.total_minor === 0,
  ]);
  if (!numbered) throw refusalError(whyMoneyStandsStill({ recovering_since: invoice.created_at })!);
  const { number } = numbered;
  if (status === 'draft') return;
  // Not read back, since every booking takes this path.
  const facts: InvoiceFacts = {
    ...row,
    number,
    lines,
    paid_minor: 0,
    accounting_id: null,
    accounting_reference: accountingReference(number, row.reference),
    accounting_error: null,
    sent_at: null,
    overdue_at: null,
    collection: isCollected ? await beginCollection(tx, row, invoice.created_at, reason) : null,
    paid_at: null,
    voided_at: null,
    cancelled_at: null,
  };
  const { workspace_id, created_at } = invoice;
  await insertEvent(tx, { type: 'invoice.created', workspace_id, object: presentInvoice(facts), created_at });
}

/**
 * Begins to collect an opened invoice, with its mail to the payer (docs/rules/billing.md#collection). Returns what it
 * shows.
 */
export async function beginCollection(
  tx: Tx,
  invoice: Pick<
    InvoiceRow,
    'id' | 'workspace_id' | 'company_id' | 'member_id' | 'currency' | 'total_minor' | 'due_at'
  >,
  at: Date,
  reason?: string,
): Promise<InvoiceFacts['collection']> {
  const { id, workspace_id, due_at, total_minor } = invoice;
  const card = await findChargeableCard(tx, invoice, total_minor);
  const beginning = beginningOf({ due_at, card: card?.payment_method_id ?? null }, at);
  await insertIfAbsent(tx, Collection, { ...beginning, invoice_id: id, workspace_id, started_at: at });
  await issueDocuments(tx, id, reason);
  await enqueueMail(tx, { workspace_id, kind: 'invoice_opened', invoice_id: id, about: id });
  return { status: beginning.status, next_at: iso(beginning.next_at), attempts: 0 };
}

/** Records that a mail server has accepted an invoice for its payer, and stores the event. */
export async function markInvoiceSent(tx: Tx, id: string): Promise<void> {
  await execute(tx, `UPDATE invoices SET sent_at = now() WHERE id = $1`, [id]);
  await recordInvoiceEvent(tx, 'invoice.sent', id);
}

/** Adds lines to a paid invoice, and to its totals, that a separate payment has paid. */
export async function addPaidLines(
  tx: Tx,
  invoiceId: string,
  paymentId: string,
  lines: InvoiceLine[],
): Promise<void> {
  const { net_minor, tax_minor, total_minor } = totalsOf(lines);
  await execute(
    tx,
    `UPDATE invoices SET net_minor = net_minor + $2, tax_minor = tax_minor + $3, total_minor = total_minor + $4,
            updated_at = now()
     WHERE id = $1`,
    [invoiceId, net_minor, tax_minor, total_minor],
  );
  const last = '(SELECT max(position) FROM invoice_lines WHERE invoice_id = $1)';
  await execute(tx, insertLines({ invoiceId: '$1', lines: '$2', after: last, paymentId: '$3' }), [
    invoiceId,
    JSON.stringify(lines),
    paymentId,
  ]);
  await followLedger(tx, invoiceId);
}
