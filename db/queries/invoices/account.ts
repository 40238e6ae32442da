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
import { listOpenInvoices } from './statement.js';

/** The entries of the period `[$4, $5)`, by time. */
const ENTRIES = `SELECT at, kind, number, currency, amount_minor, invoice_id
  FROM account_entries($1, $2, $3) WHERE at >= $4 AND at < $5
  ORDER BY at, kind = 'credit_note', kind IN ('refund', 'refund_failed'), number`;

/** The sum of the entries before `$4`, by currency. */
const OPENING = `SELECT currency, sum(amount_minor * ($5::jsonb ->> kind)::integer)::bigint AS amount_minor
  FROM account_entries($1, $2, $3) WHERE at < $4 GROUP BY currency ORDER BY currency`;

/** What a statement shows about a payer now, and the invoices that it lists. */
export interface Account extends Omit<StatementContent, 'from' | 'to'> {
  /** In the workspace's time zone. */
  today: Day;
  invoice_ids: string[];
}

/**
 * Returns the account of a payer: what is open, and the entries of the days `[from, to]`
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
    `SELECT w.time_zone, w.payment_instructions, invoice_parties($1, $2) AS parties,
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
