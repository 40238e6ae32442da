import { In } from 'typeorm';
import { INVOICE_TRANSITIONS } from '../../domain/states.js';
import { Invoice } from '../../db/entities/invoices.js';
import { affected, many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { beginCollections, recordInvoiceEvent, recordInvoiceEvents } from './invoices.js';
import { followLedger } from './issue-documents.js';

/**
 * `$2`: the new status, `$3`: now, `$4`: the previous statuses. Its collection is checked again; invoices
 * without a collection have no row there.
 */
const MOVE_INVOICE = {
  name: 'move_invoice',
  text: `WITH invoice AS (
      UPDATE invoices SET status = $2, voided_at = CASE WHEN $2 = 'void' THEN $3
        ELSE voided_at END, updated_at = $3
      WHERE id = $1 AND status = ANY ($4) RETURNING id
    ), collection AS (
      UPDATE collections SET notify_at = now()
      WHERE invoice_id IN (SELECT id FROM invoice) AND status <> 'ended'
    )
    SELECT FROM invoice`,
};

/**
 * The same for an invoice that is paid; `$2`: now. It is issued with its document number in the same
 * statement, since every booking takes this path. Its day is that of the latest money that counts towards the
 * total, which may be recorded later; `$2` for an invoice with a total of zero. Amounts refunded before had
 * to be paid again, so they do not count towards the total.
 */
const PAY_INVOICE = {
  name: 'pay_invoice',
  text: `WITH unnumbered AS (
      SELECT i.workspace_id, w.invoice_prefix FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
      WHERE i.id = $1 AND i.status IN ('open', 'authorised') AND i.document_number IS NULL
        AND i.total_minor > 0
      FOR NO KEY UPDATE OF i
    ), numbered AS MATERIALIZED (
      SELECT invoice_prefix, next_document_ordinal(workspace_id) AS ordinal FROM unnumbered
    ), invoice AS (
      UPDATE invoices SET status = 'paid', updated_at = $2,
        document_ordinal = coalesce(document_ordinal, (SELECT ordinal FROM numbered)),
        document_number = coalesce(document_number, (SELECT invoice_prefix || '-' || ordinal FROM numbered)),
        paid_at = coalesce((
          SELECT max(moved_at(p)) FROM payments p
          WHERE p.invoice_id = $1 AND p.kind <> 'refund' AND p.status <> 'failed'
            AND p.amount_minor > greatest(p.excess_minor, p.refunded_minor)), $2)
      WHERE id = $1 AND status IN ('open', 'authorised') RETURNING id
    ), collection AS (
      UPDATE collections SET notify_at = now()
      WHERE invoice_id IN (SELECT id FROM invoice) AND status <> 'ended'
    ), paid_again AS (
      UPDATE payments SET excess_minor = greatest(excess_minor, refunded_minor)
      WHERE invoice_id IN (SELECT id FROM invoice) AND kind <> 'refund' AND refunded_minor > excess_minor
    )
    SELECT FROM invoice`,
};

/** Moves an invoice to another status. Returns false if its current status does not allow it. */
async function transition(
  tx: Tx,
  invoiceId: string,
  trigger: Exclude<keyof typeof INVOICE_TRANSITIONS, 'open' | 'cancel' | 'pay'>,
  at: Date,
): Promise<boolean> {
  const { from, to } = INVOICE_TRANSITIONS[trigger];
  if ((await affected(tx, MOVE_INVOICE, [invoiceId, to, at, from])) === 0) return false;
  await followLedger(tx, invoiceId);
  return true;
}

/**
 * Opens locked drafts for a job: they are due now, their events are stored, and they are mailed to their
 * payers, whose rows are also locked.
 */
export async function openDrafts(tx: Tx, ids: string[], job: string, at: Date): Promise<void> {
  const { from, to } = INVOICE_TRANSITIONS.open;
  const opened = await many<Invoice>(
    tx,
    `UPDATE invoices i SET status = $2, updated_at = $3, parties = invoice_parties(i.workspace_id,
      i.company_id), opened_by = $5
     WHERE id = ANY ($1) AND status = ANY ($4)
     RETURNING id, workspace_id, company_id, member_id, currency, total_minor, due_at`,
    [ids, to, at, from, job],
  );
  await beginCollections(tx, opened, at);
  await recordInvoiceEvents(
    tx,
    'invoice.created',
    opened.map(({ id }) => id),
  );
}

/** Cancels drafts. Stores no events, since their payers never saw them. */
export async function cancelDrafts(tx: Tx, ids: string[], at: Date): Promise<void> {
  const { from, to } = INVOICE_TRANSITIONS.cancel;
  const cancelled = { status: to, cancelled_at: at, updated_at: at };
  await tx.update(Invoice, { id: In(ids), status: In(from) }, cancelled);
}

/** Records that a bookkeeper has approved an open invoice. Returns false if it is not open. */
export function authoriseInvoice(tx: Tx, invoiceId: string): Promise<boolean> {
  return transition(tx, invoiceId, 'authorise', new Date());
}

/**
 * Marks a payable invoice as paid, on the day of its latest money. Does nothing in any other status. `at`:
 * now.
 */
export async function markInvoicePaid(tx: Tx, invoiceId: string, at: Date): Promise<void> {
  if ((await affected(tx, PAY_INVOICE, [invoiceId, at])) === 0) return;
  await followLedger(tx, invoiceId);
  await recordInvoiceEvent(tx, 'invoice.paid', invoiceId);
}

/** Voids an invoice that is being collected, and mails its payer about it. */
export async function withdrawInvoice(
  tx: Tx,
  { id, workspace_id }: { id: string; workspace_id: string },
  at: Date,
): Promise<void> {
  await voidInvoice(tx, id, at);
  await enqueueMail(tx, { workspace_id, kind: 'invoice_voided', invoice_id: id, about: id });
}

/** Voids an unpaid invoice; no money moves. Does nothing in a final status. */
export async function voidInvoice(tx: Tx, invoiceId: string, at: Date): Promise<void> {
  if (await transition(tx, invoiceId, 'void', at)) await recordInvoiceEvent(tx, 'invoice.voided', invoiceId);
}

/** Marks a paid invoice as refunded. */
export async function refundInvoice(tx: Tx, invoiceId: string): Promise<void> {
  if (await transition(tx, invoiceId, 'refund', new Date()))
    await recordInvoiceEvent(tx, 'invoice.refunded', invoiceId);
}

/** Marks a refunded invoice as paid again, after a refund has failed or more was paid. */
export async function unrefundInvoice(tx: Tx, invoiceId: string): Promise<void> {
  if (await transition(tx, invoiceId, 'unrefund', new Date()))
    await recordInvoiceEvent(tx, 'invoice.paid', invoiceId);
}
