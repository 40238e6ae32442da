import test from 'ava';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { createMember, eventTypes } from '../../support/member-calls.js';

test("a downgrade waits for the payer's next month, an upgrade does not", async (t) => {
  const { api } = await newWorkspace({ time_zone: 'America/New_York' });
  const member = await createMember(api, { tier: 'pro' });
  const path = `/v1/members/${member.id}` as const;
  await db.query(`UPDATE members SET billing_anchor = '2026-01-31' WHERE id = $1`, [member.id]);
  const lower = (await api.patch(path, { tier: 'basic' })).body;
  t.like(lower, { tier: 'pro', pending_tier: 'basic', tokens: { balance: 25, monthly_grant: 25 } });
  // The 31st counts as the 28th, and a day begins at midnight in New York.
  t.regex(lower.pending_tier_at!, /-28T0[45]:00:00\.000Z$/);
  t.true(Date.parse(lower.pending_tier_at!) > Date.now());
  t.deepEqual(await eventTypes(member.id), ['member.created', 'member.updated']);
  const kept = (await api.patch(path, { tier: 'pro' })).body;
  t.like(kept, { tier: 'pro', pending_tier: null, pending_tier_at: null });
  await api.patch(path, { tier: 'plus' });
  const higher = (await api.patch(path, { tier: 'enterprise' })).body;
  t.like(higher, { tier: 'enterprise', pending_tier: null });
  const types = await eventTypes(member.id);
  t.is(types.filter((type) => type === 'member.tier_changed').length, 1);
  const invited = await createMember(api, { tier: 'pro', send_invite: true });
  t.like((await api.patch(`/v1/members/${invited.id}`, { tier: 'basic' })).body, {
    tier: 'basic',
    pending_tier: null,
  });
});

test('hours are granted when a membership becomes active, by the difference on an upgrade, and as the plan defines', async (t) => {
  const { api } = await newWorkspace();
  const { body } = await api.patch('/v1/workspace', { plans: { plus: { name: 'Desk', monthly_hours: 4 } } });
  t.deepEqual(body.plans.plus, { name: 'Desk', monthly_hours: 4 });
  t.deepEqual(body.plans.pro, { name: null, monthly_hours: null });
  const again = await api.patch('/v1/workspace', {
    plans: { plus: { monthly_hours: 5 }, pro: { name: 'Studio' } },
  });
  t.deepEqual(again.body.plans.plus, { name: 'Desk', monthly_hours: 5 });
  t.deepEqual(again.body.plans.pro, { name: 'Studio', monthly_hours: null });
  for (const plans of [
    { gold: {} },
    { pro: { monthly_hours: -1 } },
    { pro: { name: 'a\nb' } },
    { pro: { price: 1 } },
  ])
    isError(t, await api.patch('/v1/workspace', { plans }), 422, 'validation_failed');

  const member = await createMember(api, { tier: 'plus' });
  t.deepEqual(member.tokens, { balance: 5, monthly_grant: 5 });
  const path = `/v1/members/${member.id}` as const;
  await db.query(`UPDATE members SET hour_credit_balance = 2 WHERE id = $1`, [member.id]);
  t.deepEqual((await api.patch(path, { tier: 'pro' })).body.tokens, { balance: 22, monthly_grant: 25 });
  t.deepEqual((await api.patch(path, { name: 'Same Hours' })).body.tokens.balance, 22);
  const invited = await createMember(api, { tier: 'plus', send_invite: true });
  t.is((await api.patch(`/v1/members/${invited.id}`, { tier: 'pro' })).body.tokens.balance, 0);
  const trial = { tier: 'pro', trial_ends_at: new Date(Date.now() + 86_400_000).toISOString() };
  const { id } = await createMember(api, trial);
  t.is(
    (await api.patch(`/v1/members/${id}`, { tier: 'plus' })).body.tokens.balance,
    5,
    'a lower plan at once',
  );
});

test('an edited plan applies from the next month, and an upgrade adds the hours missing from the new plan', async (t) => {
  const { api } = await newWorkspace();
  const [pro, basic, spender] = [
    await createMember(api, { tier: 'pro' }),
    await createMember(api, { tier: 'basic' }),
    await createMember(api, { tier: 'pro' }),
  ];
  await db.query(`UPDATE members SET hour_credit_balance = 5 WHERE id = $1`, [spender.id]);
  const hours = (of: Record<string, number>) =>
    api.patch('/v1/workspace', {
      plans: Object.fromEntries(Object.entries(of).map(([tier, monthly_hours]) => [tier, { monthly_hours }])),
    });
  const change = async ({ id }: { id: string }, body: object) =>
    (await api.patch(`/v1/members/${id}`, body)).body.tokens;
  await hours({ basic: 25, pro: 35 });
  t.deepEqual((await api.get(`/v1/members/${pro.id}`)).body.tokens, { balance: 25, monthly_grant: 35 });
  t.deepEqual(await change(pro, { tier: 'pro' }), { balance: 25, monthly_grant: 35 }, 'no upgrade');
  t.deepEqual(await change(pro, { tier: 'enterprise' }), { balance: 60, monthly_grant: 60 });
  t.deepEqual(await change(basic, { tier: 'pro' }), { balance: 35, monthly_grant: 35 });

  await hours({ enterprise: 20 });
  t.deepEqual(
    await change(spender, { tier: 'enterprise' }),
    { balance: 5, monthly_grant: 20 },
    'an upgrade takes nothing away',
  );
  t.deepEqual(await change(spender, { status: 'paused' }), { balance: 5, monthly_grant: 20 });
  t.deepEqual(await change(spender, { status: 'active' }), { balance: 5, monthly_grant: 20 });

  // A lower plan immediately, and back: used hours stay used.
  const trial = await createMember(api, {
    tier: 'pro',
    trial_ends_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await db.query(`UPDATE members SET hour_credit_balance = 5 WHERE id = $1`, [trial.id]);
  t.is((await change(trial, { tier: 'basic' })).balance, 0);
  t.is((await change(trial, { tier: 'pro' })).balance, 5);

  const joins = await createMember(api, { tier: 'basic' });
  t.is(joins.tokens.balance, 25, 'who joins after the edit has the new hours');
  const { body } = await api.post('/v1/members.bulk', {
    operations: [
      { op: 'update', id: joins.id, tier: 'plus' },
      { op: 'update', id: joins.id, tier: 'pro' },
    ],
  });
  t.is(body.summary.ok, 2);
  t.is((await api.get(`/v1/members/${joins.id}`)).body.tokens.balance, 35);
});

test('tier prices are a setting of the workspace', async (t) => {
  const { api } = await newWorkspace();
  t.deepEqual((await api.get('/v1/workspace')).body.tier_prices, {
    basic: 0,
    plus: 0,
    pro: 0,
    enterprise: 0,
  });
  const { body } = await api.patch('/v1/workspace', { tier_prices: { plus: 2_900, pro: 9_900 } });
  t.deepEqual(body.tier_prices, { basic: 0, plus: 2_900, pro: 9_900, enterprise: 0 });
  const more = await api.patch('/v1/workspace', { tier_prices: { basic: 500 } });
  t.deepEqual(more.body.tier_prices, { basic: 500, plus: 2_900, pro: 9_900, enterprise: 0 });
  for (const tier_prices of [{ gold: 1 }, { pro: -1 }, { pro: 1.5 }, { pro: '1' }, 5, { pro: 1e12 }])
    isError(t, await api.patch('/v1/workspace', { tier_prices }), 422, 'validation_failed');
});
