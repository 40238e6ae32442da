import { dayAfter, dayIn, startOfDay, type Day } from '../../../domain/cycle.js';
import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import {
  SIGNS,
  type AccountEntry,
  type Balance,
  type StatementContent,
} from '../../../domain/invoices/statement.js';
import { many, one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { PayerId } from '../payments/card.js';
import { partiesNow } from './parties.js';
import { movedAt } from '../payments/money-time.js';
import { listOpenInvoices } from './statement.js';

/**
 * What was issued to a payer, paid, refunded and cancelled, with its time: of all of their invoices, also
 * those that were paid at a checkout. What a bank takes for a dispute is refunded, and what it returns is
 * paid again. What is taken back, as a refund that fails after all, stays and is reversed on the day on
 * which that happens, so that each period begins with the balance at the end of the one before. Money of
 * an invoice that was never issued, such as what came too late for a hold, has the reference of its
 * booking in place of a number.
 */
const ALL_ENTRIES = `WITH own AS (
    SELECT i.id, coalesce(i.document_number, b.reference, i.accounting_reference) AS number, i.currency
    FROM invoices i LEFT JOIN bookings b ON b.id = i.booking_id
    WHERE i.workspace_id = $1 AND (i.company_id = $2 OR (i.company_id IS NULL AND i.member_id = $3))
  ), documents AS (
    SELECT d.issued_at AS at, d.kind, d.number, d.total_minor, own.currency, own.id
    FROM own JOIN invoice_documents d ON d.invoice_id = own.id
  ), refunds AS (
    SELECT CASE r.status
    WHEN 'succeeded' THEN r.settled_at ELSE coalesce(r.succeeded_at, d.issued_at) END AS at,
           CASE r.status WHEN 'failed' THEN r.settled_at END AS failed_at, own.number, r.amount_minor,
           own.currency, own.id
    FROM own JOIN payments r ON r.invoice_id = own.id AND r.kind = 'refund' AND r.status <> 'pending'
    LEFT JOIN invoice_documents d ON d.source_id = r.id
  ), entries AS (
    SELECT at, kind, number, total_minor AS amount_minor, currency, id AS invoice_id FROM documents
    UNION ALL
    SELECT at, 'refund', number, amount_minor, currency, id FROM refunds WHERE at IS NOT NULL
    UNION ALL
    SELECT failed_at, 'refund_failed', number, amount_minor, currency, id
    FROM refunds WHERE at IS NOT NULL AND failed_at IS NOT NULL
    UNION ALL
    SELECT ${movedAt('p')}, 'payment', own.number, p.amount_minor, own.currency, own.id
    FROM own JOIN payments p ON p.invoice_id = own.id AND p.kind <> 'refund'
      AND p.status NOT IN ('failed', 'pending')
    UNION ALL
    SELECT m.created_at, CASE WHEN m.amount_minor < 0 THEN 'refund' ELSE 'payment' END, own.number,
      abs(m.amount_minor),
           own.currency, own.id
    FROM own JOIN payments p ON p.invoice_id = own.id JOIN dispute_movements m ON m.payment_id = p.id
  )`;

/** The entries of the time `[$4, $5)`, by time. */
const ENTRIES = `${ALL_ENTRIES}
  SELECT at, kind, number, currency, amount_minor, invoice_id
  FROM entries WHERE at >= $4 AND at < $5
  ORDER BY at, kind = 'credit_note', kind IN ('refund', 'refund_failed'), number`;

/** What the entries before `$4` amount to, by currency. */
const OPENING = `${ALL_ENTRIES}
  SELECT currency, sum(amount_minor * ($5::jsonb ->> kind)::integer)::bigint AS amount_minor
  FROM entries WHERE at < $4 GROUP BY currency ORDER BY currency`;

/** What a statement says of a payer now, and the invoices that it lists. */
export interface Account extends Omit<StatementContent, 'from' | 'to'> {
  /** In the workspace's zone. */
  today: Day;
  invoice_ids: string[];
}

/**
 * The account of a payer: what is open, and the entries of the days `[from, to]`
 * (docs/rules/billing.md#statements-on-demand).
 */
export async function findAccount(
  tx: Tx,
  workspaceId: string,
  payer: PayerId,
  { from, to }: { from: Day; to: Day },
): Promise<Account> {
  const { company_id, member_id } = payer;
  const said = await one<Pick<Account, 'time_zone' | 'parties' | 'locale' | 'payment_instructions'>>(
    tx,
    `SELECT w.time_zone, w.payment_instructions, ${partiesNow('$1', '$2::uuid')} AS parties,
            coalesce((SELECT m.locale FROM members m WHERE m.id = $3), w.locale) AS locale
     FROM workspaces w WHERE w.id = $1`,
    [workspaceId, company_id, member_id],
  );
  const { time_zone } = said;
  const values = [workspaceId, company_id, member_id, startOfDay(from, time_zone)];
  const until = startOfDay(dayAfter(to), time_zone);
  const found = await many<Omit<AccountEntry, 'day'> & { at: Date; invoice_id: string }>(tx, ENTRIES, [
    ...values,
    until,
  ]);
  const open = await listOpenInvoices(tx, workspaceId, payer);
  return {
    ...said,
    today: dayIn(time_zone, new Date()),
    opening: await many<Balance>(tx, OPENING, [...values, JSON.stringify(SIGNS)]),
    entries: found.map(({ invoice_id: _invoice, at, ...entry }) => ({ day: dayIn(time_zone, at), ...entry })),
    open: open.map((invoice) => ({
      number: nameOfInvoice(invoice),
      currency: invoice.currency,
      invoiced_on: invoice.invoiced_on,
      due_on: invoice.due_on,
      is_past_due: invoice.is_past_due,
      total_minor: invoice.total_minor,
      paid_minor: invoice.paid_minor,
    })),
    invoice_ids: [...new Set([...open.map(({ id }) => id), ...found.map(({ invoice_id }) => invoice_id)])],
  };
}
