import test from '../support/suite.js';
import { createMember } from '../api/member-calls.js';
import { killWorkers, replaceWorkers } from '../support/outages.js';
import { db, until, withFaults } from '../support/stack.js';
import { newBillingWorkspace, runSubscriptionInvoices } from '../support/subscriptions.js';
import { invoicesOf, newTierWorkspace, quantities, untilInvoiced } from '../support/tiers.js';

test('an upgrade is billed exactly once despite processor failures, lost responses and killed workers', async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const member = await createMember(api, { tier: 'basic' });
  const fail = [
    { method: 'POST', path: '/v1/invoices/create_preview', status: 500, times: 2 },
    { method: 'POST', path: '/v1/subscriptions/*', status: 500, times: 2, after_effect: true },
  ];
  await withFaults(workspace, { fail, latency_ms: 300 }, async () => {
    await api.patch(`/v1/members/${member.id}`, { tier: 'pro' });
    for (let kill = 0; kill < 2; kill++) {
      await until(async () => {
        const [change] = await db.query(`SELECT notified_at FROM tier_changes WHERE member_id = $1`, [
          member.id,
        ]);
        return change.notified_at;
      });
      await replaceWorkers();
    }
    const [invoice] = await untilInvoiced(workspace, 1, 120_000);
    t.is(invoice.net_minor, 3_000);
  });
  await until(async () => {
    const [change] = await db.query(`SELECT state, invoice_id FROM tier_changes WHERE member_id = $1`, [
      member.id,
    ]);
    return change.state === 'done' && change.invoice_id;
  });
  t.is((await invoicesOf(workspace)).length, 1);
  await until(async () => (await quantities(workspace)).pro === 1);
  t.deepEqual(await quantities(workspace), { basic: 0, plus: 0, pro: 1, enterprise: 1 });
});

test('a run of subscription invoices with killed workers creates each invoice exactly once', async (t) => {
  const house = await newBillingWorkspace();
  await db.query(
    `WITH people AS (
       INSERT INTO profiles (id, email, name)
       SELECT 'prof_' || substr(md5($1 || n), 1, 26), md5($1 || n) || '@example.com', 'Someone'
       FROM generate_series(1, 600) n RETURNING id
     )
     INSERT INTO members (id, workspace_id, profile_id, role, tier, status, joined_at, billing_anchor)
     SELECT 'mem_' || substr(id, 6), $1, id, 'member', 'pro', 'active', '2026-10-01T12:00Z', '2026-10-01' FROM people`,
    [house.id],
  );
  const running = runSubscriptionInvoices(house, '2026-10-01');
  await until(async () => {
    const [{ count }] = await db.query(`SELECT count(*)::int FROM invoices WHERE workspace_id = $1`, [
      house.id,
    ]);
    return count > 50;
    // The tests beside this one kill workers too, and a new one takes seconds to start.
  }, 90_000);
  killWorkers();
  await running;
  const [counted] = await db.query(
    `SELECT count(*)::int, count(DISTINCT member_id)::int AS payers, max(number)::int AS last,
            count(*) FILTER (WHERE status = 'open')::int AS open
     FROM invoices WHERE workspace_id = $1`,
    [house.id],
  );
  t.deepEqual(counted, { count: 600, payers: 600, last: 600, open: 600 });
});
