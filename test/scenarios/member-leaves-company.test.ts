import test from 'ava';
import { periodContaining } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import { today } from '../support/days.js';
import { sweep } from '../support/invariants.js';
import { db } from '../support/stack.js';
import type { TestWorkspace } from '../support/workspaces.js';
import { newBillingWorkspace, runSubscriptionInvoices } from '../support/subscriptions.js';
import { listInvoices, memberSince, newCompany } from './subscription-calls.js';

/** The months of a member's own invoices and of a company's, by their first day. */
async function invoicedMonths(workspace: TestWorkspace, id: string, company_id: string) {
  const all = await listInvoices(workspace);
  const starts = (own: typeof all) => own.map(({ period_start }) => period_start).toSorted();
  return {
    own: starts(all.filter(({ member_id }) => member_id === id)),
    company: starts(
      all.filter(
        (each) =>
          each.company_id === company_id && each.lines.some(({ description }) => description.includes(id)),
      ),
    ),
  };
}

/** Today, and the company's month. */
async function now() {
  const day = await today();
  return { day, ofCompany: periodContaining('2026-01-05', day) };
}

for (const job of ['on time', 'late'])
  test(`the company pays for the month in which a member leaves it, with the job ${job}`, async (t) => {
    const { day, ofCompany } = await now();
    const workspace = await newBillingWorkspace({ processor_account_id: null });
    const company_id = await newCompany(workspace);
    const id = await memberSince(workspace, ofCompany.start, { company_id });
    if (job === 'on time') await runSubscriptionInvoices(workspace, day);
    t.is((await workspace.api.patch(`/v1/members/${id}`, { company_id: null })).status, 200);
    await runSubscriptionInvoices(workspace, day);
    await runSubscriptionInvoices(workspace, ofCompany.end);
    t.deepEqual(await invoicedMonths(workspace, id, company_id), {
      own: [ofCompany.end],
      company: [ofCompany.start],
    });
    await sweep(t, workspace);
  });

test('a member’s own months continue after the company’s, or after those they paid for themselves', async (t) => {
  const { day, ofCompany } = await now();
  const workspace = await newBillingWorkspace({ processor_account_id: null });
  const company_id = await newCompany(workspace);
  await memberSince(workspace, ofCompany.start, { company_id });
  const early = periodContaining(
    '2026-01-20',
    new Date(Date.parse(ofCompany.start) - 40 * DAY_MS).toISOString(),
  );
  const before = await memberSince(workspace, early.start);
  await runSubscriptionInvoices(workspace, early.start);
  const move = async (id: string, to: string | null) =>
    t.is((await workspace.api.patch(`/v1/members/${id}`, { company_id: to })).status, 200);
  // They joined the company before its month.
  await db.query(`UPDATE members SET company_id = $2 WHERE id = $1`, [before, company_id]);
  await runSubscriptionInvoices(workspace, day);
  // Joins after the company's month has begun, in their own month.
  const own = periodContaining('2026-01-10', day);
  const within = await memberSince(workspace, own.start);
  await runSubscriptionInvoices(workspace, day);
  await move(within, company_id);
  await move(before, null);
  await move(within, null);
  const [last] = [ofCompany.end, own.end].toSorted().toReversed();
  await runSubscriptionInvoices(workspace, last!);
  t.deepEqual(await invoicedMonths(workspace, before, company_id), {
    own: [early.start, ofCompany.end],
    company: [ofCompany.start],
  });
  t.deepEqual(await invoicedMonths(workspace, within, company_id), {
    own: [own.start, own.end],
    company: [],
  });
});
