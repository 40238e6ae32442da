import type { Numbered } from '../../../domain/invoices/words.js';
import { dayIn, startOfDay, type Day } from '../../../domain/cycle.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { findZone } from '../workspaces/workspace.js';
import type { PayerId } from '../payments/card.js';
import type { Language } from '../../../domain/words/languages.js';

/** An invoice on a statement that is still to be paid. Days are in the workspace's time zone. */
export interface OpenInvoice extends Numbered {
  id: string;
  currency: string;
  invoiced_on: Day;
  due_on: Day;
  is_past_due: boolean;
  total_minor: number;
  paid_minor: number;
  pay_link_version: number;
}

/** A change of what a payer owes in the month of a statement. */
export interface StatementEntry extends Numbered {
  day: Day;
  /** `cancelled`: the invoice was voided before it was paid. */
  kind: 'payment' | 'refund' | 'cancelled';
  currency: string;
  amount_minor: number;
}

/**
 * What a payer owes now, and the payments and credits of a month (docs/rules/billing.md#monthly-statements).
 */
export interface Statement {
  open: OpenInvoice[];
  entries: StatementEntry[];
}

/** Open invoices by due date, whatever their month. */
const OPEN = `SELECT * FROM (
    SELECT i.id, i.document_number, i.reference, i.currency, i.created_at, i.total_minor,
      paid_minor(i) AS paid_minor,
           i.due_at, i.number, i.pay_link_version, w.time_zone
    FROM invoices i JOIN collections c ON c.invoice_id = i.id JOIN workspaces w ON w.id = i.workspace_id
      WHERE i.workspace_id = $1 AND (i.company_id = $2 OR (i.company_id IS NULL AND i.member_id = $3))
        AND i.status IN ('open', 'authorised')
  ) open WHERE paid_minor < total_minor ORDER BY due_at, number`;

/** Payments, refunds and cancelled invoices of the period `[$4, $5)`, by time. */
const ENTRIES = `WITH own AS (
    SELECT i.id, i.number, i.document_number, i.reference, i.status, i.total_minor, i.currency, i.voided_at
    FROM invoices i JOIN collections c ON c.invoice_id = i.id JOIN workspaces w ON w.id = i.workspace_id
      WHERE i.workspace_id = $1 AND (i.company_id = $2 OR (i.company_id IS NULL AND i.member_id = $3))
  ), entries AS (
    SELECT moved_at(p) AS at,
           CASE p.kind WHEN 'refund' THEN 'refund' ELSE 'payment' END AS kind, p.amount_minor, own.*
    FROM own JOIN payments p ON p.invoice_id = own.id AND p.status NOT IN ('failed', 'pending')
    UNION ALL
    SELECT voided_at, 'cancelled', total_minor, own.* FROM own WHERE status = 'void'
  )
  SELECT at, kind, number, document_number, reference, currency, amount_minor
  FROM entries WHERE at >= $4 AND at < $5
  ORDER BY at, number`;

type OpenRow = Omit<OpenInvoice, 'invoiced_on' | 'due_on' | 'is_past_due'> & {
  created_at: Date;
  due_at: Date;
  time_zone: string;
};

/** Lists the unpaid invoices of a payer that are or will be due, by due date. */
export async function listOpenInvoices(
  tx: Tx,
  workspaceId: string,
  { company_id, member_id }: PayerId,
): Promise<OpenInvoice[]> {
  const rows = await many<OpenRow>(tx, OPEN, [workspaceId, company_id, member_id]);
  return rows.map(({ created_at, due_at, time_zone, ...invoice }) => ({
    ...invoice,
    invoiced_on: dayIn(time_zone, created_at),
    due_on: dayIn(time_zone, due_at),
    is_past_due: dayIn(time_zone, due_at) < dayIn(time_zone, new Date()),
  }));
}

/** Returns the statement of a payer about a month. */
export async function findStatement(
  tx: Tx,
  workspaceId: string,
  payer: PayerId,
  month: { start: Day; end: Day },
): Promise<Statement> {
  const { company_id, member_id } = payer;
  const zone = await findZone(tx, workspaceId);
  const entries = await many<Omit<StatementEntry, 'day'> & { at: Date }>(tx, ENTRIES, [
    workspaceId,
    company_id,
    member_id,
    startOfDay(month.start, zone),
    startOfDay(month.end, zone),
  ]);
  return {
    open: await listOpenInvoices(tx, workspaceId, payer),
    entries: entries.map(({ at, ...entry }) => ({ ...entry, day: dayIn(zone, at) })),
  };
}

/**
 * A payer who may have a statement to be mailed: from `next_statement_on` on, by the clock of the workspace.
 */
export interface PlannedStatement {
  payer: string;
  workspace_id: string;
  time_zone: string;
  next_statement_on: Day;
}

/** A payer whose statement is due, and the day in their workspace's time zone. */
export interface DueStatement {
  payer: string;
  day: Day;
}

/**
 * Returns a page of the payers with a statement that is planned for a day or earlier, by id. Whether it is
 * due is decided separately for each workspace, so that one with an unknown time zone does not stop the
 * others.
 */
export function listPlannedStatements(
  tx: Tx,
  query: { workspaceId?: string; until: Day; after: string; limit: number },
): Promise<PlannedStatement[]> {
  return many<PlannedStatement>(
    tx,
    `SELECT p.payer, p.workspace_id, w.time_zone, p.next_statement_on::text
     FROM (SELECT workspace_id, id::text AS payer, next_statement_on FROM companies
       WHERE next_statement_on IS NOT NULL
       UNION ALL SELECT workspace_id, id, next_statement_on FROM members
         WHERE next_statement_on IS NOT NULL) p JOIN workspaces w ON w.id = p.workspace_id
     WHERE ($1::text IS NULL OR w.id = $1) AND p.payer COLLATE "C" > $3 AND p.next_statement_on <= $2::date
     ORDER BY payer COLLATE "C" LIMIT $4`,
    [query.workspaceId ?? null, query.until, query.after, query.limit],
  );
}

/** Who a statement is mailed to; null for a payer without an address, and for an erased one. */
export interface StatementRecipient {
  workspace_id: string;
  workspace_name: string;
  name: string;
  email: string;
  locale: Language;
  /** The last digits of the card to which due invoices are charged; null without autopay. */
  autopay_last4: string | null;
}

export function findStatementRecipient(
  tx: Tx,
  { company_id, member_id }: PayerId,
): Promise<StatementRecipient | null> {
  return maybeOne<StatementRecipient>(
    tx,
    `SELECT p.workspace_id, p.name, p.email, coalesce(p.locale, w.locale) AS locale, w.name AS workspace_name,
            (SELECT k.last4 FROM cards k WHERE (k.company_id = $1 OR k.member_id = $2) AND p.autopay
               AND k.account_id = w.processor_account_id AND w.processor_status = 'active') AS autopay_last4
     FROM (SELECT workspace_id, name, billing_email AS email, autopay, NULL AS locale FROM companies
       WHERE id = $1
           UNION ALL SELECT workspace_id, name, email, autopay, locale FROM members WHERE id = $2) p
     JOIN workspaces w ON w.id = p.workspace_id WHERE p.email IS NOT NULL`,
    [company_id, member_id],
  );
}
