import { isDeepStrictEqual } from 'node:util';
import type { DocumentKind } from '../../domain/invoices/document.js';
import type { InvoiceLine } from '../../domain/invoices/invoice.js';
import { currencyExponent } from '../../domain/money.js';
import type { TaxCode } from '../../domain/rates/price.js';
import { accountingLedger } from './accounting.js';
import type { AccountingDocument } from './ledgers.js';
import { db } from './stack.js';

const SETTLE_WITHIN_MS = 60_000;
const PAUSE_MS = 500;

/** Net and tax by kind and tax type, and money by month; minor units. */
type Sums = Record<string, number[]>;

/** A settled invoice, and what the books must have for it. */
interface Settled {
  reference: string;
  currency: string;
  is_void: boolean;
  documents: { kind: DocumentKind; lines: InvoiceLine[] }[];
  /** Money received and returned, by month in the workspace's zone: `2026-11`. */
  money: { month: string; amount_minor: number }[];
}

/** An invoice that differs in the books. */
interface Difference {
  reference: string;
  books: Sums;
  ledger: Sums;
}

/**
 * SQL: the money of an invoice `i`, without the excess of its payments `p`, and what banks moved of it.
 * `excess`: an expression.
 */
export const moneyWithout = (excess: string): string => `
  SELECT p.amount_minor - ${excess} AS minor, moved_at(p) AS at FROM payments p
  WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed'
  UNION ALL
  SELECT greatest(0, so_far - amount_minor - excess) - greatest(0, so_far - excess), settled_at FROM (
    SELECT r.amount_minor, r.settled_at, ${excess} AS excess,
           sum(r.amount_minor) OVER (PARTITION BY r.refund_of ORDER BY r.created_at, r.id) AS so_far
    FROM payments r JOIN payments p ON p.id = r.refund_of
    WHERE r.invoice_id = i.id AND r.kind = 'refund' AND r.status = 'succeeded') refund
  UNION ALL
  SELECT least(kept, greatest(0, gone + amount_minor)) - least(kept, greatest(0, gone)), created_at FROM (
    SELECT m.amount_minor, m.created_at, p.amount_minor - ${excess} AS kept,
           -sum(m.amount_minor) OVER (PARTITION BY m.payment_id ORDER BY m.created_at, m.id) AS gone
    FROM dispute_movements m JOIN payments p ON p.id = m.payment_id WHERE p.invoice_id = i.id) movement`;

/** SQL: the money of an invoice `i` that the books have. */
const MONEY = moneyWithout('p.excess_minor');

/** A workspace's settled invoices that nobody has to check, with nothing in progress. */
const SETTLED = `
  SELECT i.accounting_reference AS reference, i.currency, i.status IN ('void', 'cancelled') AS is_void,
    (SELECT coalesce(json_agg(json_build_object('kind', d.kind, 'lines', d.lines)), '[]')
      FROM invoice_documents d
     WHERE d.invoice_id = i.id) AS documents,
    (SELECT coalesce(json_agg(json_build_object('month', to_char(at AT TIME ZONE w.time_zone, 'YYYY-MM'),
      'amount_minor', minor)), '[]')
     FROM (${MONEY}) money) AS money
  FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
  WHERE i.workspace_id = $1 AND i.status IN ('void', 'cancelled', 'paid', 'refunded')
    AND i.accounting_error IS NULL
    AND NOT EXISTS (SELECT FROM accounting_due due WHERE due.invoice_id = i.id)
    AND NOT EXISTS (SELECT FROM payments r WHERE r.invoice_id = i.id AND r.kind = 'refund'
      AND r.status = 'pending')`;

/** The updates that the books still lack, without those that wait for a person. */
const WAITING = `
  SELECT d.invoice_id, i.number FROM accounting_due d JOIN invoices i ON i.id = d.invoice_id
  WHERE d.workspace_id = $1 AND i.accounting_error IS NULL`;

function add(sums: Sums, key: string, amounts: number[]): void {
  const sum = amounts.map((amount, index) => amount + (sums[key]?.[index] ?? 0));
  if (sum.every((amount) => amount === 0)) delete sums[key];
  else sums[key] = sum;
}

/** An invoice's documents and money in the ledger. A void one has nothing in the books. */
function inLedger({ documents, money, is_void }: Settled, taxCodes: TaxCode[]): Sums {
  const sums: Sums = {};
  if (is_void) return sums;
  for (const { kind, lines } of documents)
    for (const { tax_code, net_minor, tax_minor } of lines) {
      const type = taxCodes.find(({ code }) => code === tax_code)?.accounting_tax_type;
      add(sums, `${kind === 'credit_note' ? 'credited' : 'charged'} ${type}`, [net_minor, tax_minor]);
    }
  for (const { month, amount_minor } of money) add(sums, `money ${month}`, [amount_minor]);
  return sums;
}

const toMonth = (wireDate: string): string =>
  new Date(Number(/\d+/.exec(wireDate)![0])).toISOString().slice(0, 7);

/**
 * What the books have for an invoice: voided documents do not count, but a void invoice has no credit note at
 * all.
 */
function inBooks(documents: AccountingDocument[], { currency, is_void }: Settled): Sums {
  const sums: Sums = {};
  const minor = (amount: number): number => Math.round(amount * 10 ** currencyExponent(currency));
  for (const { CreditNoteID, Status, LineItems, Payments } of documents) {
    const isCredit = CreditNoteID !== undefined;
    if ((Status === 'VOIDED' || Status === 'DELETED') && !(is_void && isCredit)) continue;
    for (const { TaxType, LineAmount, TaxAmount } of LineItems) {
      const key = `${isCredit ? 'credited' : 'charged'} ${TaxType}`;
      add(sums, key, [minor(LineAmount!), minor(TaxAmount)]);
    }
    for (const { Date: day, Amount } of Payments)
      add(sums, `money ${toMonth(day)}`, [minor(isCredit ? -Amount : Amount)]);
  }
  return sums;
}

/** The invoices that differ in the books from what was documented and received, found by their references. */
async function differences(workspaceId: string, tenant: string, database: typeof db): Promise<Difference[]> {
  const { invoices, credit_notes } = await accountingLedger({ tenant });
  const all = [...invoices, ...credit_notes].filter(({ Type }) =>
    Type.startsWith('ACCREC'),
  ) as AccountingDocument[];
  const [{ tax_codes }] = await database.query(`SELECT tax_codes FROM workspaces WHERE id = $1`, [
    workspaceId,
  ]);
  const settled: Settled[] = await database.query(SETTLED, [workspaceId]);
  return settled.flatMap((invoice) => {
    const { reference } = invoice;
    const books = inBooks(
      all.filter(({ Reference }) => Reference === reference),
      invoice,
    );
    const ledger = inLedger(invoice, tax_codes);
    return isDeepStrictEqual(books, ledger) ? [] : [{ reference, books, ledger }];
  });
}

/**
 * Compares the books of a workspace with its documents, once the books have settled: for each settled
 * invoice, net and tax charged and credited by tax type, and the months of its money. Returns the differences
 * and the missing updates; nothing without an accounting system that is written to.
 */
export async function compareBooks(
  workspaceId: string,
  database = db,
): Promise<{ waiting: object[]; different: Difference[] }> {
  const [connection] = await database.query(
    `SELECT tenant_id FROM accounting_connections WHERE workspace_id = $1 AND enabled AND status = 'active'`,
    [workspaceId],
  );
  if (!connection) return { waiting: [], different: [] };
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const waiting = await database.query(WAITING, [workspaceId]);
    const different = await differences(workspaceId, connection.tenant_id, database);
    if (waiting.length + different.length === 0 || Date.now() > deadline) return { waiting, different };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
