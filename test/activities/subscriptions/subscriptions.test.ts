import { MockActivityEnvironment } from '@temporalio/testing';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import {
  createSubscriptionActivities,
  type InvoicedWorkspaces,
} from '../../../activities/subscriptions/subscriptions.js';
import type { Day } from '../../../domain/cycle.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { storeMembers } from '../../support/rows.js';
import test from 'ava';

const DAY = '2026-10-01';
const PAGE = 200;
const PRICES = { basic: 0, plus: 0, pro: 9_000, enterprise: 0 };
/** Per page: the same number with 200 payers as with one. */
const MOST_STATEMENTS = 30;

/** A workspace with payers whose ids are in order. */
async function newPayers(scratch: DataSource, count: number): Promise<string> {
  const { workspace_id } = await newPlace(scratch);
  await scratch.query(`UPDATE workspaces SET tier_prices = $2 WHERE id = $1`, [workspace_id, PRICES]);
  const payers = Array.from({ length: count }, (_, n) => ({
    id: `mem_${String(n + 1).padStart(26, '0')}`,
    workspace_id,
    email: `${n}@example.com`,
    tier: 'pro' as const,
    joined_at: new Date(DAY),
    billing_anchor: DAY,
  }));
  await storeMembers(scratch, payers);
  return workspace_id;
}

/** The statements that this process runs during `work`. */
async function countStatements(work: () => Promise<void>): Promise<number> {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    count++;
    return Reflect.apply(query, this, args);
  } as never;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return count;
}

/** Invoices a workspace as the job does. */
const invoice = (scratch: DataSource, workspaceId: string, day: Day): Promise<InvoicedWorkspaces> =>
  new MockActivityEnvironment().run(createSubscriptionActivities({ db: scratch }).invoiceWorkspaces, {
    days: [{ workspaceId, day }],
    job: 'the job',
  });

test.serial('all payers are invoiced if they fill more than one page', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const workspaceId = await newPayers(scratch, PAGE + 1);
    t.like(await invoice(scratch, workspaceId, DAY), { drafted: PAGE + 1, opened: PAGE + 1, failed: 0 });
    const due = `SELECT FROM members WHERE next_period_on IS NULL`;
    t.is((await scratch.query(due)).length, 0);
  });
});

test.serial(
  'the invoices of a page of payers are written together: drafts, lines, documents, mails and events',
  async (t) => {
    await withScratchDatabase(async (scratch) => {
      const workspaceId = await newPayers(scratch, PAGE - 1);
      const statements = await countStatements(async () => {
        const done = await invoice(scratch, workspaceId, DAY);
        t.deepEqual(done, { drafted: PAGE - 1, opened: PAGE - 1, failed: 0, left: [], finished: 1 });
      });
      t.true(statements <= MOST_STATEMENTS, `${statements} statements`);
      const [stored] = await scratch.query(
        `SELECT count(*)::int, min(i.number) AS first, max(i.number) AS last,
          count(DISTINCT i.member_id)::int AS payers,
              bool_and(i.status = 'open' AND i.opened_by = 'the job'
                AND i.total_minor = l.net_minor + l.tax_minor
                AND d.number = i.document_number AND d.total_minor = i.total_minor
                AND c.notify_at = c.next_at AND e.body -> 'data' -> 'object' ->> 'id' = i.id) AS complete
       FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id
       JOIN invoice_documents d ON d.source_id = i.id
       JOIN collections c ON c.invoice_id = i.id JOIN mails m ON m.about = i.id AND m.kind = 'invoice_opened'
       JOIN events e ON e.object_id = i.id AND e.type = 'invoice.created' AND e.sequence = 1`,
      );
      t.deepEqual(stored, { count: 199, first: 1, last: 199, payers: 199, complete: true });
    });
  },
);

test.serial('a payer whose invoice cannot be written does not affect the others on a page', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const workspaceId = await newPayers(scratch, 20);
    await invoice(scratch, workspaceId, DAY);
    // Two periods would be invoiced a second time, which the database refuses.
    const poison = [3, 17].map((n) => `mem_${String(n).padStart(26, '0')}`);
    await scratch.query(`UPDATE members SET next_period_on = NULL WHERE id = ANY ($1)`, [poison]);
    await scratch.query(`UPDATE members SET next_period_on = '2026-11-01' WHERE id <> ALL ($1)`, [poison]);
    const done = await invoice(scratch, workspaceId, '2026-11-01');
    t.deepEqual(done, { drafted: 18, opened: 18, failed: 2, left: poison, finished: 1 });
    const [numbers] = await scratch.query(`SELECT count(*)::int, max(number) AS last FROM invoices`);
    t.deepEqual(numbers, { count: 38, last: 38 }, 'numbers without gaps');
  });
});
