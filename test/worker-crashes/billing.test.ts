import test from 'ava';
import { createMember } from '../support/member-calls.js';
import { killWorkers, replaceWorkers, untilBlocked } from '../support/outages.js';
import { storeMembers } from '../support/rows.js';
import { sweep } from '../support/invariants.js';
import { newInvoice, newPayer, saveCard, SOFT_DECLINE, successfulCharges } from '../support/payers.js';
import { mailTo, processorLedger, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { proratedToday } from '../support/prorated.js';
import { until } from '../support/until.js';
import { newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { newBillingWorkspace, runSubscriptionInvoices } from '../support/subscriptions.js';
import { listInvoices, newTierWorkspace, quantities, untilInvoiced } from '../support/tiers.js';

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
    const [invoice] = await untilInvoiced(workspace, 1);
    t.is(invoice!.net_minor, proratedToday(3_000));
  });
  await until(async () => {
    const [change] = await db.query(`SELECT state, invoice_id FROM tier_changes WHERE member_id = $1`, [
      member.id,
    ]);
    return change.state === 'done' && change.invoice_id;
  });
  t.is((await listInvoices(workspace)).length, 1);
  await until(async () => (await quantities(workspace)).pro === 1);
  t.deepEqual(await quantities(workspace), { basic: 0, plus: 0, pro: 1, enterprise: 1 });
});

// Two pages of payers.
test('a run of subscription invoices with killed workers creates each invoice exactly once', async (t) => {
  const workspace = await newBillingWorkspace();
  const since = { joined_at: new Date('2026-10-01T12:00Z'), billing_anchor: '2026-10-01' };
  const payers = Array.from({ length: 210 }, () => ({
    workspace_id: workspace.id,
    email: uniqueEmail(),
    tier: 'pro' as const,
    ...since,
  }));
  await storeMembers(db, payers);
  const running = runSubscriptionInvoices(workspace, '2026-10-01');
  await until(async () => {
    const [{ count }] = await db.query(`SELECT count(*)::int FROM invoices WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    return count > 50;
  });
  killWorkers();
  await running;
  const [counted] = await db.query(
    `SELECT count(*)::int, count(DISTINCT member_id)::int AS payers, max(number)::int AS last,
            count(*) FILTER (WHERE status = 'open')::int AS open
     FROM invoices WHERE workspace_id = $1`,
    [workspace.id],
  );
  t.deepEqual(counted, { count: 210, payers: 210, last: 210, open: 210 });
});

test('a collection whose worker is killed between a charge and its mail charges once and mails once', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, SOFT_DECLINE);
  // The processor has done the requested work, and nothing here has recorded it.
  const fail = [{ method: 'POST', path: '/v1/payment_intents', status: 503, times: 100, after_effect: true }];
  const untilCharges = (count: number) =>
    until(async () => (await processorLedger(workspace)).charges.length === count);
  const holder = db.createQueryRunner();
  try {
    const { id } = await withFaults(workspace, { fail }, async () => {
      const invoice = await newInvoice(workspace, payer.id, 0);
      await untilCharges(1);
      // A refusal can be stored, but not the reminder about it.
      await holder.startTransaction();
      await holder.query(`SELECT FROM collections WHERE invoice_id = $1 FOR UPDATE`, [invoice.id]);
      killWorkers();
      return invoice;
    });
    await untilBlocked(holder, '%FROM collections WHERE invoice_id = ANY%');
    const stored = await db.query(`SELECT status, kind FROM payments WHERE invoice_id = $1`, [id]);
    t.deepEqual(stored, [{ status: 'failed', kind: 'charge' }]);
    killWorkers();
    await holder.rollbackTransaction();

    const declined = async () =>
      (await mailTo(payer.email)).filter(({ subject }) => /declined/.test(subject));
    await until(async () => (await declined()).length > 0);

    await withFaults(workspace, { fail, drop_webhooks: ['charge.succeeded'] }, async () => {
      await saveCard(workspace, payer.id, '4242424242424242');
      await untilCharges(2);
      killWorkers();
    });
    const { body: paid } = await until(async () => {
      const found = await workspace.api.get(`/v1/invoices/${id}`);
      return found.body.status === 'paid' && found;
    });
    t.like(paid, { outstanding_minor: 0, collection: { status: 'ended', attempts: 2 } });
    t.is((await successfulCharges(workspace)).length, 1);
    const payments = await db.query(`SELECT status FROM payments WHERE invoice_id = $1 ORDER BY created_at`, [
      id,
    ]);
    t.deepEqual(payments, [{ status: 'failed' }, { status: 'succeeded' }]);
    const events = await db.query(
      `SELECT type FROM events WHERE workspace_id = $1 AND type IN ('payment.failed', 'invoice.paid')`,
      [workspace.id],
    );
    t.is(events.length, 2);
    t.is((await declined()).length, 1);
    await sweep(t, workspace);
  } finally {
    await holder.release();
  }
});
