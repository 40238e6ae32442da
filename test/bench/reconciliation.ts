import type { DataSource } from 'typeorm';
import { openDatabase } from '../../db/data-source.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { DAY_MS } from '../../domain/durations.js';
import { post } from './members.js';
import type { Report } from '../support/api-bodies.js';
import type { AccountingLedger } from '../support/ledgers.js';
import { storing } from '../support/rows.js';

const INVOICES = 5_000;
const NOTES = 500;
const BATCH = 500;
const RETRY_MS = 500;

export interface ReconciliationResults {
  invoices: number;
  notes: number;
  /** From the first request until the report is there. */
  seconds: number;
  /** Requests of the API, the first and those that ask again. */
  requests: number;
  /** Calls to the accounting system. */
  calls: number;
  differences: number;
}

/** The reconciliation of a workspace with 5,000 paid invoices and 500 credit notes, under the accounting system's limits. */
export async function measureReconciliation(dev: DevJson): Promise<ReconciliationResults> {
  const db = await openDatabase({ url: dev.databaseUrl, poolSize: 1 });
  try {
    const made = await post(`${dev.internalUrl}/internal/actions`, dev.internalToken, {
      action: 'create_workspace',
      name: 'Old house',
      owner_email: `old-${Date.now()}@example.com`,
      accounting: true,
    });
    const id: string = made.workspace_id;
    const [{ tenant_id: tenant }] = await db.query(
      `SELECT tenant_id FROM accounting_connections WHERE workspace_id = $1`,
      [id],
    );
    await store(db, id);
    await storeDocuments(db, id, `${dev.accountingUrl}/_sim/organisations/${tenant}/history`);
    const callsBefore = await countCalls(dev, tenant);
    const began = performance.now();
    const { report, requests } = await reconcile(dev.baseUrl, made.token);
    return {
      invoices: INVOICES,
      notes: NOTES,
      seconds: (performance.now() - began) / 1000,
      requests,
      calls: (await countCalls(dev, tenant)) - callsBefore,
      differences: report.differences.length,
    };
  } finally {
    await db.destroy();
  }
}

/** Asks until the report is there, as a client does. */
async function reconcile(baseUrl: string, token: string): Promise<{ report: Report; requests: number }> {
  const [from, to] = [new Date(Date.now() - 10 * DAY_MS), new Date()].map((at) => at.toISOString());
  let url = `${baseUrl}/v1/reconciliation?from=${from}&to=${to}`;
  for (let requests = 1; ; requests++) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const body = (await response.json()) as Report;
    if (response.status === 200 && body.differences) return { report: body, requests };
    if (response.status >= 300) throw new Error(`${url} returned ${response.status} ${JSON.stringify(body)}`);
    const address = response.headers.get('location');
    if (address) url = new URL(address, baseUrl).href;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function countCalls({ accountingUrl }: DevJson, tenant: string): Promise<number> {
  const ledger = await fetch(`${accountingUrl}/_sim/ledger?tenant=${tenant}`);
  return ((await ledger.json()) as AccountingLedger).requests.length;
}

const PAST = `past AS (
  SELECT lpad(n::text, 26, '0') AS id, n, now() - interval '2 days' - n * interval '1 minute' AS at
  FROM generate_series(1, $2::int) n)`;

/** Invoices that were paid by hand, some of them refunded, so that the processor has nothing to compare. */
async function store(db: DataSource, workspaceId: string): Promise<void> {
  const statements: [sql: string, rows: number][] = [
    [
      `INSERT INTO invoices (id, workspace_id, number, status, currency, net_minor, tax_minor, total_minor, due_at,
         document_number, document_ordinal, accounting_reference, created_at, paid_at)
       SELECT 'inv_' || id, $1, n, CASE WHEN n <= ${NOTES} THEN 'refunded' ELSE 'paid' END, 'GBP', 2500, 500, 3000, at,
         'HF-' || n, n, 'Holdfast #' || n, at, at FROM past`,
      INVOICES,
    ],
    [
      `INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount_minor, tax_code, tax_rate_bps,
         net_minor, tax_minor)
       SELECT 'inv_' || id, 1, 'Room', 1, 2500, 'STANDARD', 2000, 2500, 500 FROM past WHERE $1 <> ''`,
      INVOICES,
    ],
    [
      `INSERT INTO payments (id, workspace_id, invoice_id, kind, status, amount_minor, refunded_minor, currency, method, paid_at,
         settled_at, created_at)
       SELECT 'pay_' || id, $1, 'inv_' || id, 'manual', CASE WHEN n <= ${NOTES} THEN 'refunded' ELSE 'succeeded' END, 3000,
         CASE WHEN n <= ${NOTES} THEN 3000 ELSE 0 END, 'GBP', 'bank_transfer', at, at, at FROM past`,
      INVOICES,
    ],
    [
      `INSERT INTO payments (id, workspace_id, invoice_id, kind, refund_of, status, amount_minor, currency, method, paid_at,
         settled_at, created_at)
       SELECT 'pay_r' || substr(id, 2), $1, 'inv_' || id, 'refund', 'pay_' || id, 'succeeded', 3000, 'GBP', 'bank_transfer',
         at, at, at FROM past`,
      NOTES,
    ],
  ];
  for (const [sql, rows] of statements) await db.query(`WITH ${PAST} ${sql}`, [workspaceId, rows]);
  await db.query('ANALYZE invoices, payments, invoice_lines');
}

const storeDocumentRows = storing<'accounting_documents'>('accounting_documents', () => ({
  status: 'paid',
  total_minor: 3_000,
  outstanding_minor: 0,
  credited_minor: 0,
  attempts: 1,
}));

/** The documents of these invoices and refunds, in the accounting system and as we know them. */
async function storeDocuments(db: DataSource, workspaceId: string, url: string): Promise<void> {
  const rows: {
    source_id: string;
    invoice_id: string;
    kind: 'invoice' | 'credit_note';
    number: string;
    reference: string;
  }[] = await db.query(
    `SELECT i.id AS source_id, i.id AS invoice_id, 'invoice' AS kind, 'HF-' || i.number AS number,
              i.accounting_reference AS reference
       FROM invoices i WHERE i.workspace_id = $1
       UNION ALL
       SELECT p.id, p.invoice_id, 'credit_note', 'CN-' || i.number, i.accounting_reference
       FROM payments p JOIN invoices i ON i.id = p.invoice_id WHERE p.workspace_id = $1 AND p.kind = 'refund'`,
    [workspaceId],
  );
  for (let first = 0; first < rows.length; first += BATCH) {
    const batch = rows.slice(first, first + BATCH);
    const documents = batch.map(({ kind, number, reference }) => ({ kind, number, reference, net: 25 }));
    const { ids } = await post(url, '', { documents });
    await storeDocumentRows(
      db,
      batch.map((row, n) => ({ ...row, workspace_id: workspaceId, accounting_id: ids[n] })),
    );
  }
}
