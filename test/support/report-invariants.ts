import { DAY_MS } from '../../domain/durations.js';
import { moneyWithout } from './books.js';
import type { Finding } from './finding.js';
import { served } from './served.js';
import { db } from './stack.js';
import type { TestWorkspace } from './workspaces.js';

/** Days before and after now whose usage is compared. */
const DAYS = 180;

/** Sums by a key; sums of zero are left out. */
const nonZero = (sums: [key: string, ...amounts: number[]][]): Record<string, number[]> =>
  Object.fromEntries(
    sums
      .filter(([, ...amounts]) => amounts.some((amount) => amount !== 0))
      .map(([key, ...amounts]) => [key, amounts]),
  );

/** What open invoices still ask for, by currency: the lines of the ledger, not the report's own sums. */
const OUTSTANDING = `
  SELECT i.currency, sum(greatest(0, i.total_minor - coalesce((
    SELECT sum(p.amount_minor - greatest(p.excess_minor, p.refunded_minor)) FROM payments p
    WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed'), 0)))::bigint AS minor
  FROM invoices i LEFT JOIN bookings b ON b.id = i.booking_id
  WHERE i.workspace_id = $1 AND i.status IN ('open', 'authorised')
    AND b.status IS DISTINCT FROM 'pending_payment'
  GROUP BY 1`;

/** Net and tax of documents by month and currency, from their totals. */
const DOCUMENTS = `
  SELECT to_char(d.issued_at AT TIME ZONE w.time_zone, 'YYYY-MM') AS month, i.currency,
    sum(CASE d.kind WHEN 'credit_note' THEN -d.net_minor ELSE d.net_minor END)::bigint AS net_minor,
    sum(CASE d.kind WHEN 'credit_note' THEN -d.tax_minor ELSE d.tax_minor END)::bigint AS tax_minor
  FROM invoice_documents d JOIN invoices i ON i.id = d.invoice_id JOIN workspaces w ON w.id = i.workspace_id
  WHERE i.workspace_id = $1 GROUP BY 1, 2`;

/** The excess of a payment that was too late or above the total, not of one that had to be paid again. */
const EXCESS = `CASE WHEN p.refusal IS NOT NULL
  OR EXISTS (SELECT FROM payments x WHERE x.refund_of = p.id AND x.purpose IN ('excess', 'late'))
  THEN p.excess_minor ELSE 0 END`;

/** Money that was kept or returned, by month and currency. A refund that the bank has returned is neither. */
const KEPT = `
  SELECT to_char(money.at AT TIME ZONE w.time_zone, 'YYYY-MM') AS month, i.currency,
    sum(money.minor)::bigint AS minor
  FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
    CROSS JOIN LATERAL (${moneyWithout(EXCESS)}) money
  WHERE i.workspace_id = $1 AND EXISTS (SELECT FROM invoice_documents d WHERE d.invoice_id = i.id)
  GROUP BY 1, 2`;

/** Minutes of bookings that took place or will, and what was charged for those within the time, by room. */
const BOOKED = `
  SELECT b.room_id, round(sum(extract(epoch FROM least(b.end_at, $3) - greatest(b.start_at, $2))) / 60)::int
      AS minutes,
    sum(b.net_minor)::bigint AS net_minor, bool_and(b.start_at >= $2 AND b.end_at <= $3) AS whole
  FROM bookings b
  WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.status IN ('confirmed', 'completed')
    AND b.start_at < $3 AND b.end_at > $2 GROUP BY 1`;

/** Payouts whose entries do not add up. */
const PAYOUTS = `
  SELECT p.id FROM payouts p WHERE p.workspace_id = $1 AND p.entries_read_at IS NOT NULL AND p.amount_minor <>
    (SELECT coalesce(sum(e.net_minor), 0) FROM payout_entries e WHERE e.payout_id = p.id)`;

/** Compares the sums of the reports with those of the ledger. */
export async function* checkReports(
  { id, api }: TestWorkspace,
  database: typeof db = db,
): AsyncGenerator<Finding> {
  const { body: owed } = await served(() => api.get('/v1/reports/receivables'));
  const outstanding = await database.query(OUTSTANDING, [id]);
  yield {
    invariant: 'receivables are what open invoices still ask for',
    found: nonZero(owed.currencies.map(({ currency, total_minor }) => [currency, total_minor])),
    expected: nonZero(
      outstanding.map((row: { currency: string; minor: number }) => [row.currency, row.minor]),
    ),
  };
  yield {
    invariant: 'receivables are the sums of their payers and ages',
    found: owed.currencies.filter((of) => {
      const ages = [
        of.not_due_minor,
        of.days_1_to_30_minor,
        of.days_31_to_60_minor,
        of.days_61_to_90_minor,
        of.days_over_90_minor,
      ];
      const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
      return sum(ages) !== of.total_minor || sum(of.payers.map((p) => p.total_minor)) !== of.total_minor;
    }),
    expected: [],
  };
  yield* checkTax({ id, api }, database);
  yield* checkUsage({ id, api }, database);
  yield {
    invariant: 'what is in a payout adds up to its amount',
    found: await database.query(PAYOUTS, [id]),
    expected: [],
  };
}

type Place = Pick<TestWorkspace, 'id' | 'api'>;

/** Every month with documents or money. */
async function* checkTax({ id, api }: Place, database: typeof db): AsyncGenerator<Finding> {
  const documents: { month: string; currency: string; net_minor: number; tax_minor: number }[] =
    await database.query(DOCUMENTS, [id]);
  const kept: { month: string; currency: string; minor: number }[] = await database.query(KEPT, [id]);
  const months = [...new Set([...documents, ...kept].map(({ month }) => month))].sort();
  for (const month of months) {
    const { body } = await served(() => api.get(`/v1/reports/tax?month=${month}`));
    yield {
      invariant: `the tax of ${month} by document date is that of its documents`,
      found: nonZero(body.by_document_date.map((of) => [of.currency, of.net_minor, of.tax_minor])),
      expected: nonZero(
        documents.filter((of) => of.month === month).map((of) => [of.currency, of.net_minor, of.tax_minor]),
      ),
    };
    yield {
      invariant: `net and tax of ${month} by payment date are the money of the month`,
      found: nonZero(body.by_payment_date.map((of) => [of.currency, of.net_minor + of.tax_minor])),
      expected: nonZero(kept.filter((of) => of.month === month).map((of) => [of.currency, of.minor])),
    };
  }
}

async function* checkUsage({ id, api }: Place, database: typeof db): AsyncGenerator<Finding> {
  const [from, to] = [-DAYS, DAYS].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  const { body } = await served(() => api.get(`/v1/reports/usage?from=${from}&to=${to}`));
  const booked: { room_id: string; minutes: number; net_minor: number; whole: boolean }[] =
    await database.query(BOOKED, [id, from, to]);
  yield {
    invariant: 'the booked minutes of rooms are those of their bookings',
    found: nonZero(body.rooms.map(({ room, booked_minutes }) => [room.id, booked_minutes])),
    expected: nonZero(booked.map(({ room_id, minutes }) => [room_id, minutes])),
  };
  const wholeRooms = booked.filter(({ whole }) => whole);
  const isWhole = (roomId: string): boolean => wholeRooms.some(({ room_id }) => room_id === roomId);
  yield {
    invariant: 'the net of rooms is that of their bookings',
    found: nonZero(
      body.rooms
        .filter(({ room }) => isWhole(room.id))
        .map(({ room, net }) => [room.id, net.reduce((sum, { amount_minor }) => sum + amount_minor, 0)]),
    ),
    expected: nonZero(wholeRooms.map(({ room_id, net_minor }) => [room_id, net_minor])),
  };
  yield {
    invariant: 'paid time is booked, and booked time is open',
    found: body.rooms
      .flatMap(({ hours, ...room }) => [room, ...hours])
      .filter((of) => of.paid_minutes > of.booked_minutes || of.booked_minutes > of.open_minutes),
    expected: [],
  };
}
