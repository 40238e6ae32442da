import type { Day } from '../../../domain/cycle.js';
import { documentNumberOf } from '../../../domain/invoice-document.js';
import { SIGNS, type AccountEntry, type Balance, type StatementContent } from '../../../domain/statement.js';
import { many, one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { PayerId } from './card.js';
import { partiesNow } from './invoice-parties.js';
import { listOpenInvoices } from './statement.js';

/**
 * What was issued to a payer, paid, refunded and cancelled, with its day in the zone `$4`: of all of their invoices, also those
 * that were paid at a checkout. What a bank takes for a dispute is refunded, and what it returns is paid again.
 */
const ALL_ENTRIES = `WITH own AS (
    SELECT i.id, coalesce(i.document_number, 'HF-' || i.number) AS number, i.status, i.total_minor, i.currency, i.voided_at
    FROM invoices i
    WHERE i.workspace_id = $1 AND (i.company_id = $2 OR (i.company_id IS NULL AND i.member_id = $3))
  ), entries AS (
    SELECT d.issued_at AS at, d.kind, d.number, d.total_minor AS amount_minor, own.currency, own.id AS invoice_id
    FROM own JOIN invoice_documents d ON d.invoice_id = own.id
    WHERE d.kind = 'invoice' OR d.voided_at IS NULL
    UNION ALL
    SELECT own.voided_at, 'cancelled', own.number, own.total_minor, own.currency, own.id
    FROM own WHERE own.status = 'void' AND EXISTS (SELECT FROM invoice_documents d WHERE d.source_id = own.id)
    UNION ALL
    SELECT CASE p.kind WHEN 'refund' THEN p.settled_at ELSE p.paid_at END, CASE p.kind WHEN 'refund' THEN 'refund' ELSE 'payment' END,
           own.number, p.amount_minor, own.currency, own.id
    FROM own JOIN payments p ON p.invoice_id = own.id AND p.status NOT IN ('failed', 'pending')
    UNION ALL
    SELECT m.created_at, CASE WHEN m.amount_minor < 0 THEN 'refund' ELSE 'payment' END, own.number, abs(m.amount_minor),
           own.currency, own.id
    FROM own JOIN payments p ON p.invoice_id = own.id JOIN dispute_movements m ON m.payment_id = p.id
  ), dated AS (SELECT (at AT TIME ZONE $4)::date AS on_day, entries.* FROM entries)`;

/** The entries of the days `[$5, $6]`, by time. */
const ENTRIES = `${ALL_ENTRIES}
  SELECT on_day::text AS day, kind, number, currency, amount_minor, invoice_id
  FROM dated WHERE on_day BETWEEN $5::date AND $6::date
  ORDER BY at, kind = 'credit_note', kind = 'refund', number`;

/** What the entries before the day `$5` amount to, by currency. */
const OPENING = `${ALL_ENTRIES}
  SELECT currency, sum(amount_minor * ($6::jsonb ->> kind)::integer)::bigint AS amount_minor
  FROM dated WHERE on_day < $5::date GROUP BY currency ORDER BY currency`;

/** What a statement says of a payer now, and the invoices that it lists. */
export interface Account extends Omit<StatementContent, 'from' | 'to'> {
  /** In the workspace's zone. */
  today: Day;
  invoice_ids: string[];
}

/** The account of a payer: what is open, and the entries of the days `[from, to]` (docs/rules/billing.md#statements-on-demand). */
export async function findAccount(
  tx: Tx,
  workspaceId: string,
  payer: PayerId,
  { from, to }: { from: Day; to: Day },
): Promise<Account> {
  const { company_id, member_id } = payer;
  const { today, ...said } = await one<
    Pick<Account, 'time_zone' | 'parties' | 'locale' | 'payment_instructions' | 'today'>
  >(
    tx,
    `SELECT w.time_zone, w.payment_instructions, (now() AT TIME ZONE w.time_zone)::date::text AS today, ${partiesNow('$1', '$2::uuid')} AS parties,
            coalesce((SELECT m.locale FROM members m WHERE m.id = $3), w.locale) AS locale
     FROM workspaces w WHERE w.id = $1`,
    [workspaceId, company_id, member_id],
  );
  const values = [workspaceId, company_id, member_id, said.time_zone, from];
  const found = await many<AccountEntry & { invoice_id: string }>(tx, ENTRIES, [...values, to]);
  const open = await listOpenInvoices(tx, workspaceId, payer);
  return {
    ...said,
    today,
    opening: await many<Balance>(tx, OPENING, [...values, JSON.stringify(SIGNS)]),
    entries: found.map(({ invoice_id: _invoice, ...entry }) => entry),
    open: open.map((invoice) => ({
      number: documentNumberOf(invoice),
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
