import { negated } from '../../domain/invoices/credited-tax.js';
import type { EventTypesFor } from '../../domain/events/types.js';
import { initialCollection } from '../../domain/invoices/collection.js';
import {
  accountingReference,
  sumTotals,
  type InvoiceKind,
  type InvoiceLine,
} from '../../domain/invoices/invoice.js';
import {
  presentInvoice,
  type InvoiceFacts,
  type PresentedInvoice,
} from '../../domain/invoices/invoice-presenter.js';
import { refusalError } from '../../domain/errors.js';
import type { Metadata } from '../../domain/metadata.js';
import { whyNotMoveMoney } from '../../domain/processor/refusals.js';
import { iso } from '../../domain/iso.js';
import { noSuchInvoice, visibleTo } from '../../domain/invoices/visibility.js';
import type { Principal } from '../../domain/policies.js';
import { execute, manyByIds, maybeOne } from '../../db/query.js';
import { insertMissing } from '../../db/insert.js';
import { Collection } from '../../db/entities/collections.js';
import type { Tx } from '../../db/transaction.js';
import { insertEvent, insertEvents } from '../events/events.js';
import { enqueueInvoiceMails } from '../mail/mails.js';
import { ChargedCards, findChargeableCard } from '../../db/queries/invoices/collection.js';
import { isId } from '../../db/ids.js';
import {
  findInvoice,
  findInvoiceById,
  listInvoicesById,
  type InvoiceRow,
} from '../../db/queries/invoices/invoice.js';
import { followLedger, issueDocuments } from './issue-documents.js';

const LOCK_INVOICES = {
  one: { name: 'lock_invoice', text: `SELECT FROM invoices WHERE id = $1 FOR NO KEY UPDATE` },
  list: {
    name: 'lock_invoices',
    text: `SELECT FROM invoices WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`,
  },
};

/** Locks invoices until the transaction ends. Every change of the amount due takes this lock first. */
export async function lockInvoiceRows(tx: Tx, ids: string[]): Promise<void> {
  await manyByIds(tx, LOCK_INVOICES, ids);
}

/** Locks an invoice like `lockInvoiceRows`. */
export const lockInvoiceRow = (tx: Tx, id: string): Promise<void> => lockInvoiceRows(tx, [id]);

/** Returns an invoice of the caller's workspace that they may see. Errors: 404 `invoice_not_found`. */
export async function visibleInvoice(tx: Tx, caller: Principal, id: string): Promise<InvoiceRow> {
  const isPossible = isId('inv', id);
  const invoice = isPossible ? await findInvoice(tx, caller.workspace_id, id, visibleTo(caller)) : null;
  if (!invoice) throw noSuchInvoice();
  return invoice;
}

/**
 * Locks an invoice like `lockInvoiceRow` and returns it. Errors: 404 `invoice_not_found` if a failover has
 * lost it.
 */
export async function lockInvoice(tx: Tx, id: string): Promise<InvoiceRow> {
  await lockInvoiceRow(tx, id);
  const invoice = await findInvoiceById(tx, id);
  if (!invoice) throw noSuchInvoice();
  return invoice;
}

/**
 * Stores an event with the current state of a locked invoice. `previous`: the old values of changed fields.
 */
export const recordInvoiceEvent = (
  tx: Tx,
  type: EventTypesFor<'invoice'>,
  id: string,
  previous?: Partial<PresentedInvoice>,
): Promise<void> => recordInvoiceEvents(tx, type, [id], previous);

/** Stores an event with the current state of each of several locked invoices. */
export async function recordInvoiceEvents(
  tx: Tx,
  type: EventTypesFor<'invoice'>,
  ids: string[],
  previous?: Partial<PresentedInvoice>,
): Promise<void> {
  const invoices = await listInvoicesById(tx, ids);
  const created_at = new Date();
  await insertEvents(
    tx,
    invoices.map((invoice) => ({
      type,
      workspace_id: invoice.workspace_id,
      object: presentInvoice(invoice),
      previous,
      created_at,
    })),
  );
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
  metadata?: Metadata;
  /** Why it adjusts another invoice. */
  reason?: string;
  period?: { start: string; end: string };
  created_at: Date;
  lines: InvoiceLine[];
}

/**
 * Stores invoices; stores nothing without a `counter`. `$1`: the workspace; `$2`, `$3`: the invoices and
 * their number; `$4`: their lines; `$5`: whether they get numbers even if others may have been assigned
 * elsewhere; `$6`: whether they are issued now, so that they get document numbers.
 */
const INSERT_INVOICES = {
  name: 'insert_invoices',
  text: `WITH counter AS (
      INSERT INTO invoice_counters AS c (workspace_id, last_number, last_document_number)
      SELECT $1, $3::int, CASE WHEN $6::boolean THEN $3::int ELSE 0 END
      WHERE $5::boolean OR recovering_since($1) IS NULL
      ON CONFLICT (workspace_id) DO UPDATE SET last_number = c.last_number + excluded.last_number,
        last_document_number = c.last_document_number + excluded.last_document_number
      RETURNING workspace_id, last_number - $3::int AS before,
        CASE WHEN $6::boolean THEN last_document_number - $3::int END AS issued_before
    ), numbers AS (
      SELECT c.before, c.issued_before, w.invoice_prefix || '-' AS prefix
      FROM counter c JOIN workspaces w ON w.id = c.workspace_id
    ), invoice AS (
      INSERT INTO invoices (
        id, workspace_id, kind, status, currency, net_minor, tax_minor, total_minor, due_at, company_id,
        member_id, booking_id, adjusts, reference, metadata, period_start, period_end, created_at, updated_at,
        number, document_ordinal, document_number, accounting_reference, parties)
      SELECT
        i.id, i.workspace_id, i.kind, i.status, i.currency, i.net_minor, i.tax_minor, i.total_minor, i.due_at,
        i.company_id, i.member_id, i.booking_id, i.adjusts, i.reference, i.metadata, i.period_start,
        i.period_end, i.created_at, i.updated_at, n.before + i.ordinality, n.issued_before + i.ordinality,
        n.prefix || n.issued_before + i.ordinality,
        'Holdfast #' || n.before + i.ordinality || coalesce(' — ' || i.reference, ''),
        CASE WHEN i.status <> 'draft' THEN invoice_parties($1, i.company_id) END
      FROM numbers n, jsonb_populate_recordset(NULL::invoices, $2::jsonb) WITH ORDINALITY AS i
    ), lines AS (
      INSERT INTO invoice_lines (
        invoice_id, position, description, quantity, unit_amount_minor, tax_code, tax_rate_bps, net_minor,
        tax_minor, account)
      SELECT
        l.invoice_id, l.position, l.description, l.quantity, l.unit_amount_minor, l.tax_code, l.tax_rate_bps,
        l.net_minor, l.tax_minor, l.account
      FROM jsonb_populate_recordset(NULL::invoice_lines, $4::jsonb) l WHERE EXISTS (SELECT FROM counter)
    )
    SELECT before, prefix || issued_before + 1 AS document_number FROM numbers`,
};

function toInvoiceRow(invoice: NewInvoice, status: 'open' | 'draft') {
  const { id, workspace_id, kind, currency, due_at, company_id, member_id, period, created_at } = invoice;
  return {
    id,
    workspace_id,
    kind,
    status,
    currency,
    ...sumTotals(invoice.lines),
    due_at,
    company_id,
    member_id,
    reference: invoice.reference ?? null,
    metadata: invoice.metadata ?? {},
    booking_id: invoice.booking_id ?? null,
    adjusts: invoice.adjusts ?? null,
    period_start: period?.start ?? null,
    period_end: period?.end ?? null,
    created_at,
    updated_at: created_at,
  };
}

/**
 * Stores invoices of a workspace under its next numbers, in order. Invoices that are issued now also get the
 * next document numbers. Numbers have no gaps, since the counter's row is locked until the transaction ends
 * (docs/rules/billing.md#numbers-and-references). Returns the number before the first one, and the first
 * document number. Errors: 503 while payments are paused, since the numbers may be taken, unless `always`.
 */
async function insertNumbered(
  tx: Tx,
  workspaceId: string,
  invoices: { row: ReturnType<typeof toInvoiceRow>; lines: InvoiceLine[] }[],
  { always, issued }: { always: boolean; issued: boolean },
): Promise<{ before: number; document_number: string | null }> {
  const lines = invoices.flatMap((invoice) =>
    invoice.lines.map((line, n) => ({ ...line, invoice_id: invoice.row.id, position: n + 1 })),
  );
  const rows = JSON.stringify(invoices.map(({ row }) => row));
  const params = [workspaceId, rows, invoices.length, JSON.stringify(lines), always, issued];
  const counter = await maybeOne<{ before: number; document_number: string | null }>(
    tx,
    INSERT_INVOICES,
    params,
  );
  if (!counter) throw refusalError(whyNotMoveMoney({ recovering_since: new Date() })!);
  return counter;
}

/**
 * Stores drafts of a workspace's subscription invoices under its next numbers. Errors: as `insertInvoice`.
 */
export async function insertDrafts(tx: Tx, workspaceId: string, drafts: NewInvoice[]): Promise<void> {
  const rows = drafts.map((draft) => ({ row: toInvoiceRow(draft, 'draft'), lines: draft.lines }));
  if (rows.length > 0) await insertNumbered(tx, workspaceId, rows, { always: false, issued: false });
}

/**
 * Stores an open invoice under the workspace's next number, with its event. Errors: 503 while payments are
 * paused, since the number may be taken, unless the invoice is for received money or for nothing.
 */
export async function insertInvoice(tx: Tx, invoice: NewInvoice): Promise<void> {
  const { lines, workspace_id, created_at, reason, on_account = false, is_received = false } = invoice;
  const isCollected = !is_received && (invoice.kind !== 'booking' || on_account);
  const row = toInvoiceRow(invoice, 'open');
  const numbers = {
    always: is_received || row.total_minor === 0,
    issued: isCollected && row.total_minor > 0,
  };
  const { before, document_number } = await insertNumbered(tx, workspace_id, [{ row, lines }], numbers);
  const number = before + 1;
  // Not read back, since every booking takes this path.
  const facts: InvoiceFacts = {
    ...row,
    number,
    document_number,
    lines,
    paid_minor: 0,
    accounting_id: null,
    accounting_reference: accountingReference(number, row.reference),
    accounting_error: null,
    sent_at: null,
    overdue_at: null,
    collection: isCollected ? await beginCollection(tx, row, created_at, reason) : null,
    paid_at: null,
    voided_at: null,
    cancelled_at: null,
  };
  await insertEvent(tx, { type: 'invoice.created', workspace_id, object: presentInvoice(facts), created_at });
}

type Collected = Pick<
  InvoiceRow,
  'id' | 'workspace_id' | 'company_id' | 'member_id' | 'currency' | 'total_minor' | 'due_at'
>;

/**
 * Begins to collect an opened invoice, and mails it to the payer (docs/rules/billing.md#collection). The
 * relay checks it at once, since the payer may be changing. Returns the collection as it is shown.
 */
async function beginCollection(
  tx: Tx,
  invoice: Collected,
  at: Date,
  reason: string | undefined,
): Promise<InvoiceFacts['collection']> {
  const card = await findChargeableCard(tx, invoice, invoice.total_minor);
  const beginning = initialCollection({ due_at: invoice.due_at, card: card?.payment_method_id ?? null }, at);
  await storeBeginnings(tx, [{ invoice, ...beginning, notify_at: at }], at, reason);
  return { status: beginning.status, next_at: iso(beginning.next_at), attempts: 0, mailed_at: null };
}

/**
 * Begins to collect opened invoices, and mails them. Their payers are locked, so the first step is known and
 * the collections are checked when it is due.
 */
export async function beginCollections(tx: Tx, invoices: Collected[], at: Date): Promise<void> {
  const cards = await ChargedCards.of(tx, invoices);
  const beginnings = invoices.map((invoice) => {
    const card = cards.for(invoice, invoice.total_minor)?.payment_method_id ?? null;
    const beginning = initialCollection({ due_at: invoice.due_at, card }, at);
    return { invoice, ...beginning, notify_at: beginning.next_at };
  });
  await storeBeginnings(tx, beginnings, at);
}

async function storeBeginnings(
  tx: Tx,
  beginnings: ({ invoice: Collected } & Pick<Collection, 'status' | 'next_at' | 'notify_at'>)[],
  started_at: Date,
  reason?: string,
): Promise<void> {
  const collections = beginnings.map(({ invoice: { id, workspace_id }, ...beginning }) => ({
    ...beginning,
    invoice_id: id,
    workspace_id,
    started_at,
  }));
  await insertMissing(tx, Collection, collections);
  const ids = beginnings.map(({ invoice }) => invoice.id);
  await issueDocuments(tx, ids, reason);
  const mails = beginnings.map(({ invoice: { id, workspace_id } }) => ({
    workspace_id,
    kind: 'invoice_opened' as const,
    invoice_id: id,
    about: id,
  }));
  await enqueueInvoiceMails(tx, mails);
}

/** Records that a mail server has accepted an invoice for its payer, and stores the event. */
export async function markInvoiceSent(tx: Tx, id: string): Promise<void> {
  await execute(tx, `UPDATE invoices SET sent_at = now() WHERE id = $1`, [id]);
  await recordInvoiceEvent(tx, 'invoice.sent', id);
}

/**
 * Adds what a change of a booking took off and added to its locked invoice, and to the totals. `payment_id`:
 * what was paid for it.
 */
export async function addChangedLines(
  tx: Tx,
  invoiceId: string,
  { change_id, payment_id }: { change_id: string; payment_id: string | null },
  { taken, added }: { taken: InvoiceLine[]; added: InvoiceLine[] },
): Promise<void> {
  const off = negated(taken).map((line) => ({ ...line, unit_amount_minor: -line.unit_amount_minor }));
  const lines = [...off, ...added];
  if (lines.length === 0) return;
  const { net_minor, tax_minor, total_minor } = sumTotals(lines);
  await execute(
    tx,
    `UPDATE invoices i SET net_minor = net_minor + $2, tax_minor = tax_minor + $3,
      total_minor = total_minor + $4,
            updated_at = now(), paid_at = coalesce((
              SELECT greatest(i.paid_at, moved_at(p)) FROM payments p WHERE p.id = $5
                AND i.paid_at IS NOT NULL), i.paid_at)
     WHERE id = $1`,
    [invoiceId, net_minor, tax_minor, total_minor, payment_id],
  );
  await execute(
    tx,
    `INSERT INTO invoice_lines (
       invoice_id, position, payment_id, change_id, description, quantity, unit_amount_minor, tax_code,
       tax_rate_bps,
       net_minor, tax_minor, account)
     SELECT
       $1, (SELECT max(position) FROM invoice_lines
         WHERE invoice_id = $1) + l.ordinality, $3, $4, l.description,
       l.quantity, l.unit_amount_minor, l.tax_code, l.tax_rate_bps, l.net_minor, l.tax_minor, l.account
     FROM jsonb_populate_recordset(NULL::invoice_lines, $2::jsonb) WITH ORDINALITY AS l`,
    [invoiceId, JSON.stringify(lines), payment_id, change_id],
  );
  await followLedger(tx, invoiceId);
}
