import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { createMember, listEvents, eventTypes } from '../support/member-calls.js';
import { newTierWorkspace } from '../support/tiers.js';
import { db } from '../support/stack.js';
import { temporal } from '../support/temporal.js';
import { isoDay, runJob } from '../support/tier-calls.js';

test('a cycle starts once, and applies the downgrade and sets the hour credits to the grant', async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const member = await createMember(api, { tier: 'enterprise' });
  const plain = await createMember(api, { tier: 'basic' });
  const path = `/v1/members/${member.id}` as const;
  const tokens = async () => (await api.get(path)).body.tokens;
  // The owner, who also has enterprise, and both members were granted the first month when they became
  // active.
  t.deepEqual(await tokens(), { balance: 60, monthly_grant: 60 });
  t.deepEqual(await runJob('member_cycle', workspace), {
    trials_ended: 0,
    downgraded: 0,
    granted: 0,
    failed: 0,
  });
  await db.query(`UPDATE members SET hour_credit_balance = 7 WHERE id = $1`, [member.id]);

  const { body: asked } = await api.patch(path, { tier: 'plus', tier_change_reason: 'Fewer meetings.' });
  t.like(asked, { tier: 'enterprise', pending_tier: 'plus' });
  const day = asked.pending_tier_at!.slice(0, 10);
  const eve = new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
  t.deepEqual(await runJob('member_cycle', workspace, eve), {
    trials_ended: 0,
    downgraded: 0,
    granted: 0,
    failed: 0,
  });
  t.deepEqual(await tokens(), { balance: 7, monthly_grant: 60 });
  const runs = await Promise.all([1, 2, 3].map(() => runJob('member_cycle', workspace, isoDay(32))));
  t.is(
    runs.reduce((sum, { downgraded }) => sum + downgraded!, 0),
    1,
    'three concurrent runs have one effect',
  );
  t.is(
    runs.reduce((sum, { granted }) => sum + granted!, 0),
    3,
  );
  const { body } = await api.get(path);
  t.like(body, { tier: 'plus', pending_tier: null, pending_tier_at: null });
  t.deepEqual(body.tokens, { balance: 10, monthly_grant: 10 });
  t.deepEqual((await api.get(`/v1/members/${plain.id}`)).body.tokens, { balance: 0, monthly_grant: 0 });
  t.deepEqual(await eventTypes(member.id), [
    'member.created',
    'member.updated',
    'member.tier_changed',
    'member.updated',
  ]);
  const changed = (await listEvents(member.id))[2]!;
  t.like(changed.data, { object: { tier: 'plus' }, previous: { tier: 'enterprise' } });
  const { body: log } = await api.get('/v1/audit-log?action=member.tier_changed');
  t.deepEqual(
    log.data.map(({ actor, details }) => [actor.system ?? 'member', details.tier_change_reason]),
    [
      ['member_cycle', null],
      ['member', 'Fewer meetings.'],
    ],
  );
  t.deepEqual(await db.query(`SELECT id FROM tier_changes WHERE workspace_id = $1`, [workspace.id]), []);
});

test('a member becomes active and is billed when the trial ends', async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const ends = new Date(Date.now() + 3 * DAY_MS);
  const member = await createMember(api, { tier: 'plus', trial_ends_at: ends.toISOString() });
  const path = `/v1/members/${member.id}` as const;
  t.is((await runJob('member_cycle', workspace)).trials_ended, 0);
  t.like((await api.get(path)).body, { status: 'trialing', tokens: { balance: 10, monthly_grant: 10 } });
  t.is((await runJob('member_cycle', workspace, isoDay(2))).trials_ended, 0);
  t.is((await runJob('member_cycle', workspace, isoDay(4))).trials_ended, 1);
  t.is((await api.get(path)).body.status, 'active');
  const [, ended] = await listEvents(member.id);
  t.is(ended!.type, 'member.updated');
  t.deepEqual(ended!.data.previous, { status: 'trialing' });
  const [{ anchor }] = await db.query(`SELECT billing_anchor::text AS anchor FROM members WHERE id = $1`, [
    member.id,
  ]);
  t.is(anchor, isoDay(4));
});

test('an edited plan is granted when the next month begins, or when a paused member then returns', async (t) => {
  const workspace = await newTierWorkspace();
  const { api } = workspace;
  const [member, paused] = [
    await createMember(api, { tier: 'pro' }),
    await createMember(api, { tier: 'pro' }),
  ];
  const balance = async ({ id }: { id: string }) => (await api.get(`/v1/members/${id}`)).body.tokens.balance;
  await api.patch(`/v1/members/${paused.id}`, { status: 'paused' });
  await api.patch('/v1/workspace', { plans: { pro: { monthly_hours: 40 } } });
  await runJob('member_cycle', workspace);
  t.is(await balance(member), 25);
  await runJob('member_cycle', workspace, isoDay(32));
  t.is(await balance(member), 40);
  await api.patch('/v1/workspace', { plans: { pro: { monthly_hours: 50 } } });
  t.is((await api.patch(`/v1/members/${member.id}`, { tier: 'enterprise' })).body.tokens.balance, 60);

  t.is(await balance(paused), 25);
  await api.patch(`/v1/members/${paused.id}`, { tier: 'enterprise' });
  t.is(await balance(paused), 60, 'an upgrade counts at once, also while paused');
  await db.query(`UPDATE members SET cycle_starts_on = current_date - 1 WHERE id = $1`, [paused.id]);
  await api.patch('/v1/workspace', { plans: { enterprise: { monthly_hours: 70 } } });
  t.is((await api.patch(`/v1/members/${paused.id}`, { status: 'active' })).body.tokens.balance, 70);
});

test('the member cycle job has a Schedule', async (t) => {
  const description = await temporal.schedule.getHandle('member-cycle').describe();
  t.is(description.action.workflowType, 'memberCycle');
  t.truthy(description.info.nextActionTimes.length);
});
