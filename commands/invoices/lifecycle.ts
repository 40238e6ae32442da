import { In } from 'typeorm';
import { INVOICE_TRANSITIONS } from '../../domain/states.js';
import { Invoice } from '../../db/entities/invoices.js';
import { affected, many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { movedAt } from '../../db/queries/payments/money-time.js';
import { partiesNow } from '../../db/queries/invoices/parties.js';
import { beginCollections, recordInvoiceEvent, recordInvoiceEvents } from './invoices.js';
import { NEXT_DOCUMENT_NUMBERS } from './numbers.js';
import { followLedger } from './issue-documents.js';

/** Amounts refunded before had to be paid again, so they do not count towards the total. */
const PAID_AGAIN = `paid_again AS (
    UPDATE payments SET excess_minor = greatest(excess_minor, refunded_minor)
    WHERE invoice_id IN (SELECT id FROM invoice) AND kind <> 'refund' AND refunded_minor > excess_minor
  )`;

/**
 * When the latest money came that counts towards the total: it may be recorded later. `$3`
 * for an invoice of nothing.
 */
const LATEST_MONEY = `coalesce((
    SELECT max(${movedAt('p')}) FROM payments p
    WHERE p.invoice_id = $1 AND p.kind <> 'refund' AND p.status <> 'failed'
      AND p.amount_minor > greatest(p.excess_minor, p.refunded_minor)), $3)`;

/**
 * An invoice that is paid is issued: with its document number in the same statement, since every
 * booking takes this path.
 */
const NUMBERED = `unnumbered AS (
    SELECT id, workspace_id, number FROM invoices
    WHERE id = $1 AND status = ANY ($4) AND document_number IS NULL AND total_minor > 0 FOR NO KEY UPDATE
  ), ${NEXT_DOCUMENT_NUMBERS}, `;
const WITH_NUMBER = `document_number = coalesce(document_number, (SELECT n.document_number FROM numbered n)),
         document_ordinal = coalesce(document_ordinal, (SELECT n.document_ordinal FROM numbered n)), `;

/**
 * Moves an invoice to another status, and sets a time of it. Returns false if its status does not allow it.
 */
async function transition(
  tx: Tx,
  invoiceId: string,
  trigger: Exclude<keyof typeof INVOICE_TRANSITIONS, 'open' | 'cancel'>,
  at: Date,
  time?: `paid_at = ${string}` | 'voided_at = $3',
): Promise<boolean> {
  const { from, to } = INVOICE_TRANSITIONS[trigger];
  const changed = await affected(
    tx,
    // Its collection is looked at again; no other invoice has a row there.
    {
      name: `${trigger}_invoice`,
      text: `WITH ${trigger === 'pay' ? NUMBERED : ''}invoice AS (
       UPDATE invoices
       SET status = $2, ${trigger === 'pay' ? WITH_NUMBER : ''}${time ? `${time}, ` : ''}updated_at = $3
       WHERE id = $1 AND status = ANY ($4) RETURNING id
     ), collection AS (
       UPDATE collections SET notify_at = now()
       WHERE invoice_id IN (SELECT id FROM invoice) AND status <> 'ended'
     )${trigger === 'pay' ? `, ${PAID_AGAIN}` : ''} SELECT FROM invoice`,
    },
    [invoiceId, to, at, from],
  );
  if (changed === 0) return false;
  await followLedger(tx, invoiceId);
  return true;
}

/**
 * Opens locked drafts for a job, which are then due: stores their events and mails them to their payers,
 * whose rows are locked too.
 */
export async function openDrafts(tx: Tx, ids: string[], job: string, at: Date): Promise<void> {
  const { from, to } = INVOICE_TRANSITIONS.open;
  const opened = await many<Invoice>(
    tx,
    `UPDATE invoices i
      SET status = $2, updated_at = $3, parties = ${partiesNow('i.workspace_id', 'i.company_id')},
        opened_by = $5
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

/** Marks a payable invoice as paid, on the day of its latest money; does nothing to any other. `at`: now. */
export async function markInvoicePaid(tx: Tx, invoiceId: string, at: Date): Promise<void> {
  if (!(await transition(tx, invoiceId, 'pay', at, `paid_at = ${LATEST_MONEY}`))) return;
  await recordInvoiceEvent(tx, 'invoice.paid', invoiceId);
}

/** Voids an invoice that is collected, and mails that to its payer. */
export async function withdrawInvoice(
  tx: Tx,
  { id, workspace_id }: { id: string; workspace_id: string },
  at: Date,
): Promise<void> {
  await voidInvoice(tx, id, at);
  await enqueueMail(tx, { workspace_id, kind: 'invoice_voided', invoice_id: id, about: id });
}

/** Voids an unpaid invoice; no money moves. Does nothing to one in a final status. */
export async function voidInvoice(tx: Tx, invoiceId: string, at: Date): Promise<void> {
  if (await transition(tx, invoiceId, 'void', at, 'voided_at = $3'))
    await recordInvoiceEvent(tx, 'invoice.voided', invoiceId);
}

/** Marks a paid invoice as refunded. */
export async function refundInvoice(tx: Tx, invoiceId: string): Promise<void> {
  if (await transition(tx, invoiceId, 'refund', new Date()))
    await recordInvoiceEvent(tx, 'invoice.refunded', invoiceId);
}

/** Marks a refunded invoice as paid again, after a refund has failed or more was paid. */
export async function unrefundInvoice(tx: Tx, invoiceId: string): Promise<void> {
  await transition(tx, invoiceId, 'unrefund', new Date());
}
