import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../../domain/durations.js';
import test, { type ExecutionContext } from 'ava';
import { createMember } from '../support/member-calls.js';
import { readableRuns } from '../support/histories.js';
import { openReceiver } from '../support/receiver.js';
import {
  listInvoices,
  newTierWorkspace,
  quantities,
  stripe,
  tierSubscription,
  untilInvoiced,
} from '../support/tiers.js';
import { processorLedger } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { proratedToday } from '../support/prorated.js';
import { until } from '../support/until.js';
import type { TestWorkspace } from '../support/workspaces.js';
import { temporal } from '../support/temporal.js';
import type { Member } from '../support/api-bodies.js';
import { isoDay, runJob } from '../support/tier-calls.js';

/**
 * Asserts that an amount is a monthly difference for the rest of a month that begins today, apart from
 * rounding.
 */
const isAbout = (t: ExecutionContext, net_minor: number, monthly_minor: number): boolean =>
  t.true(Math.abs(net_minor - proratedToday(monthly_minor)) <= 2, `${net_minor} of ${monthly_minor}`);

/** The requests to the processor on a workspace's account, without GETs. */
const listWrites = async (workspace: TestWorkspace) => (await processorLedger(workspace)).requests;

test('an upgrade sends its event first, is then prorated by the subscription, and is invoiced immediately and once', async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const member = await createMember(api, { tier: 'basic' });
  // The receiver is slow, and the requests to the processor must wait for it.
  const receiver = await openReceiver((request, response) => {
    if (request.event.type !== 'member.tier_changed') return 200;
    setTimeout(() => response.writeHead(200).end(), 1_500);
  });
  await api.put('/v1/webhook-endpoint', { url: receiver.url, event_types: ['member.tier_changed'] });
  const before = (await listWrites(workspace)).length;
  const { body } = await api.patch(`/v1/members/${member.id}`, { tier: 'pro' });
  t.is(body.tier, 'pro');

  const [invoice] = await untilInvoiced(workspace);
  // The month has just started: 40.00 - 10.00 = 30.00, and 20 % tax.
  t.like(invoice, {
    status: 'open',
    member_id: member.id,
    company_id: null,
    net_minor: proratedToday(3_000),
    total_minor: proratedToday(3_000) * 1.2,
  });
  t.is(invoice!.lines.length, 1);
  t.regex(
    invoice!.lines[0]!.description,
    /^Membership upgrade from Basic to Pro, \d+ \w+ – \d+ \w+ \d{4} \(mem_\w+\)$/,
  );
  t.false(invoice!.lines[0]!.description.includes(member.email));
  await until(async () => (await quantities(workspace)).pro === 1);
  t.deepEqual(await quantities(workspace), { basic: 0, plus: 0, pro: 1, enterprise: 1 });
  const subscription = await tierSubscription(workspace);
  t.is(subscription.pause_collection?.behavior, 'void', 'it collects nothing');
  t.is(subscription.billing_mode.type, 'classic');

  const notified = receiver.received.filter(({ event }) => event.type === 'member.tier_changed');
  t.is(new Set(notified.map(({ event }) => event.id)).size, 1);
  t.like(notified[0]!.event.data, { object: { id: member.id, tier: 'pro' }, previous: { tier: 'basic' } });
  const asked = (await listWrites(workspace)).slice(before);
  t.true(asked.length > 0);
  const answered = notified[0]!.at + 1_400;
  for (const { at, path } of asked)
    t.true(Date.parse(at) >= answered, `${path} came before the response to the event`);
  receiver.close();

  const run = await until(async () => {
    const { status } = await temporal.workflow.getHandle(`tiers-${workspace.id}`).describe();
    return status.name === 'COMPLETED' && status;
  });
  t.truthy(run);
  for (const text of await readableRuns(workspace.id)) t.false(text.includes(member.email));
  t.is((await listInvoices(workspace)).length, 1);
});

test('sequential and concurrent upgrades of several members each cost their own amount', async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  const members = await Promise.all(
    [1, 2, 3, 4].map(() => createMember(api, { tier: 'basic', company_id: company.id })),
  );
  await Promise.all(members.map(({ id }) => api.patch(`/v1/members/${id}`, { tier: 'plus' })));
  await api.patch(`/v1/members/${members[0]!.id}`, { tier: 'pro' });
  const invoices = await untilInvoiced(workspace, 5);
  const net = invoices.map(({ net_minor }) => net_minor).sort((a, b) => a - b);
  // The processor rounds the credit and the charge separately.
  for (const [n, monthly] of [1_000, 1_000, 1_000, 1_000, 2_000].entries()) isAbout(t, net[n]!, monthly);
  for (const invoice of invoices) t.like(invoice, { company_id: company.id, member_id: null });
  // While an upgrade is priced, the subscription has the earlier quantities.
  const settled = { basic: 0, plus: 3, pro: 1, enterprise: 1 };
  await until(async () => isDeepStrictEqual(await quantities(workspace), settled));
});

test('an upgrade costs one preview and at most one update, and the subscription has today’s prices and members', async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const members = [await createMember(api, { tier: 'basic' }), await createMember(api, { tier: 'basic' })];
  const upgrade = async (member: Member, tier: string, count: number) => {
    await api.patch(`/v1/members/${member.id}`, { tier });
    const [invoice] = await untilInvoiced(workspace, count);
    await until(async () => {
      const { status } = await temporal.workflow.getHandle(`tiers-${workspace.id}`).describe();
      return status.name === 'COMPLETED';
    });
    return invoice!.net_minor;
  };
  isAbout(t, await upgrade(members[0]!, 'plus', 1), 1_000);
  const before = (await listWrites(workspace)).length;
  isAbout(t, await upgrade(members[1]!, 'plus', 2), 1_000);
  const posts = (await listWrites(workspace)).slice(before).filter(({ method }) => method === 'POST');
  const { id } = await tierSubscription(workspace);
  t.deepEqual(
    posts.map(({ path }) => path),
    ['/v1/invoices/create_preview', `/v1/subscriptions/${id}`],
  );
  await api.patch('/v1/workspace', { tier_prices: { pro: 5_000 } });
  isAbout(t, await upgrade(members[1]!, 'pro', 3), 3_000);
  t.deepEqual(await quantities(workspace), { basic: 0, plus: 1, pro: 1, enterprise: 1 });
  t.is((await tierSubscription(workspace)).id, id);
});

test("a subscription that no longer exists is created again, and the operator's own are left alone", async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const on = { stripeAccount: workspace.accountId! };
  const product = await stripe.products.create({ name: 'Desk' }, on);
  const customer = await stripe.customers.create({}, on);
  const price_data = {
    currency: 'gbp',
    product: product.id,
    unit_amount: 1_000,
    recurring: { interval: 'month' as const },
  };
  const other = await stripe.subscriptions.create(
    { customer: customer.id, items: [{ price_data }], collection_method: 'send_invoice', days_until_due: 1 },
    on,
  );
  const members = [await createMember(api, { tier: 'basic' }), await createMember(api, { tier: 'basic' })];
  await api.patch(`/v1/members/${members[0]!.id}`, { tier: 'plus' });
  await untilInvoiced(workspace, 1);
  const first = await tierSubscription(workspace);
  await stripe.subscriptions.cancel(first.id, {}, on);
  await api.patch(`/v1/members/${members[1]!.id}`, { tier: 'plus' });
  const [invoice] = await untilInvoiced(workspace, 2);
  isAbout(t, invoice!.net_minor, 1_000);
  const { subscriptions } = await processorLedger(workspace);
  const own = subscriptions.filter(({ metadata }) => metadata.workspace_id === workspace.id);
  t.deepEqual(own.map(({ status }) => status).sort(), ['active', 'canceled']);
  const untouched = await stripe.subscriptions.retrieve(other.id, {}, on);
  t.deepEqual(untouched.items.data, other.items.data);
});

test('the price is for the rest of the month of the payer, whenever the subscription was created', async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const member = await createMember(api, { tier: 'basic' });
  // As for a member whose month began ten days ago.
  await db.query(`UPDATE members SET billing_anchor = current_date - 10 WHERE id = $1`, [member.id]);
  await api.patch(`/v1/members/${member.id}`, { tier: 'pro' });
  const [invoice] = await untilInvoiced(workspace);
  const [{ share }] = await db.query(
    `SELECT remaining_share AS share FROM tier_changes WHERE member_id = $1`,
    [member.id],
  );
  t.true(share > 0.5 && share < 0.75, String(share));
  t.true(Math.abs(invoice!.net_minor - 3_000 * share) <= 1, `${invoice!.net_minor} for ${share} of 3000`);
});

test('without an account at the processor the difference of an upgrade is a line of the next subscription invoice', async (t) => {
  const workspace = await newTierWorkspace({ processor_account_id: null });
  const { api } = workspace;
  const member = await createMember(api, { tier: 'basic' });
  const today = isoDay(0);
  await runJob('subscription_invoices', workspace, today);
  await api.patch(`/v1/members/${member.id}`, { tier: 'pro' });
  await until(async () => {
    const [change] = await db.query(`SELECT state FROM tier_changes WHERE member_id = $1`, [member.id]);
    return change.state === 'done';
  });
  const [first, ...none] = await listInvoices(workspace);
  t.deepEqual(none, []);
  t.is(first!.net_minor, 1_000);
  await runJob('subscription_invoices', workspace, isoDay(32));
  const [next] = await listInvoices(workspace);
  t.is(next!.kind, 'subscription');
  // A month of pro, and the whole month's difference of 40.00 - 10.00, since the month began today.
  t.deepEqual(next!.lines.map(({ net_minor }) => net_minor).sort(), [proratedToday(3_000), 4_000]);
});

test('an upgrade of a member who does not pay yet is free', async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const trialing = await createMember(api, {
    trial_ends_at: new Date(Date.now() + DAY_MS).toISOString(),
  });
  const invited = await createMember(api, { send_invite: true });
  for (const { id } of [trialing, invited])
    t.is((await api.patch(`/v1/members/${id}`, { tier: 'pro' })).body.tier, 'pro');
  t.deepEqual(await db.query(`SELECT id FROM tier_changes WHERE workspace_id = $1`, [workspace.id]), []);
});
