import test from 'ava';
import fc from 'fast-check';
import { dayAfter, periodContaining } from '../../../domain/cycle.js';
import {
  changeOfTier,
  monthlyGrant,
  isGrantDue,
  type HourCredits,
} from '../../../domain/bookings/hour-credits.js';
import { changedPlans, monthlyHours } from '../../../domain/members/plans.js';
import { TIERS, type Tier } from '../../../domain/rates/price.js';
import { isUpgrade } from '../../../domain/members/tiers.js';

const pro: HourCredits = {
  status: 'active',
  tier: 'pro',
  plans: {},
  cycle_starts_on: '2026-12-10',
  hour_credit_balance: 25,
  hour_credits_granted: 25,
};
const today = '2026-11-24';
const hours = (monthly_hours: number) => ({ monthly_hours });

test('an upgrade adds the hours missing from the new plan, and a lower plan takes back unused ones', (t) => {
  const cases: [title: string, of: Partial<HourCredits>, to: Tier, balance: number, granted: number][] = [
    ['the difference', {}, 'enterprise', 60, 60],
    ['to what was granted, and not to an edited plan', { plans: { pro: hours(35) } }, 'enterprise', 60, 60],
    ['of what the new plan has now', { plans: { enterprise: hours(80) } }, 'enterprise', 80, 80],
    ['never less than nothing', { plans: { enterprise: hours(20) } }, 'enterprise', 25, 25],
    ['beside what was used', { hour_credit_balance: 3 }, 'enterprise', 38, 60],
    ['a lower plan', {}, 'plus', 10, 10],
    ['a lower plan, part of it used', { hour_credit_balance: 20 }, 'plus', 5, 10],
    ['a lower plan, more than it has used', { hour_credit_balance: 5 }, 'plus', 0, 20],
    ['back from there', { tier: 'plus', hour_credit_balance: 0, hour_credits_granted: 20 }, 'pro', 5, 25],
    ['nothing granted yet', { hour_credits_granted: null }, 'enterprise', 60, 60],
  ];
  for (const [title, of, to, hour_credit_balance, hour_credits_granted] of cases)
    t.deepEqual(
      changeOfTier({ ...pro, ...of }, to, today),
      { hour_credit_balance, hour_credits_granted },
      title,
    );
});

test('without hours of the current month a change of tier changes none', (t) => {
  for (const cycle_starts_on of [null, today, '2026-11-10'])
    t.is(changeOfTier({ ...pro, status: 'paused', cycle_starts_on }, 'enterprise', today), null);
});

const step = fc.oneof(
  fc.record({
    kind: fc.constant('edit' as const),
    tier: fc.constantFrom(...TIERS),
    hours: fc.integer({ min: 0, max: 80 }),
  }),
  fc.record({ kind: fc.constant('upgrade' as const), tier: fc.constantFrom(...TIERS) }),
  fc.record({ kind: fc.constant('lower' as const), tier: fc.constantFrom(...TIERS) }),
  fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom('active', 'paused') }),
  fc.record({ kind: fc.constant('spend' as const), hours: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 40 }) }),
);

test('each month grants a member at most the most that their plans had at its start and at an upgrade', (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const anchor = '2026-01-31';
      let day = anchor;
      let member: HourCredits = { ...pro, tier: 'basic', cycle_starts_on: day };
      let pending: { tier: Tier; on: string } | null = null;
      // The expected hours of the current month, and what was spent in it.
      let [granted, spent] = [0, 0];
      const settle = (): void => {
        if (pending && pending.on <= day) [member, pending] = [{ ...member, tier: pending.tier }, null];
        if (!isGrantDue(member, day)) return;
        member = { ...member, ...monthlyGrant(member, anchor, day) };
        [granted, spent] = [monthlyHours(member.plans, member.tier), 0];
      };
      settle();
      for (const each of steps) {
        const before = member;
        switch (each.kind) {
          case 'edit': {
            const plans = changedPlans(member.plans, { [each.tier]: { monthly_hours: each.hours } });
            member = { ...member, plans };
            break;
          }
          case 'upgrade': {
            if (!isUpgrade(member.tier, each.tier)) break;
            const change = changeOfTier(member, each.tier, day);
            if (change) granted = Math.max(granted, monthlyHours(member.plans, each.tier));
            [member, pending] = [{ ...member, ...change, tier: each.tier }, null];
            t.true(member.hour_credit_balance >= before.hour_credit_balance);
            break;
          }
          case 'lower':
            if (isUpgrade(each.tier, member.tier))
              pending = { tier: each.tier, on: periodContaining(anchor, day).end };
            break;
          case 'status':
            member = { ...member, status: each.status as 'active' | 'paused' };
            break;
          case 'spend': {
            const used = Math.min(each.hours, member.hour_credit_balance);
            spent += used;
            member = { ...member, hour_credit_balance: member.hour_credit_balance - used };
            break;
          }
          case 'days':
            day = dayAfter(day, each.days);
        }
        settle();
        if (each.kind === 'edit') t.like(member, { ...before, plans: member.plans });
        t.deepEqual(
          [member.hour_credits_granted, member.hour_credit_balance],
          [granted, granted - spent],
          JSON.stringify(each),
        );
      }
    }),
  );
});

test('changing to lower plans and back within a month never gives more than the highest plan', (t) => {
  const moves = fc.array(
    fc.record({ to: fc.constantFrom(...TIERS), spend: fc.integer({ min: 0, max: 40 }) }),
  );
  fc.assert(
    fc.property(moves, (list) => {
      let member: HourCredits = { ...pro, status: 'trialing' };
      let [spent, most] = [0, 25];
      for (const { to, spend } of list) {
        member = { ...member, ...changeOfTier(member, to, today), tier: to };
        most = Math.max(most, monthlyHours({}, to));
        t.true(spent + member.hour_credit_balance <= most);
        t.true(member.hour_credit_balance >= 0);
        t.is(member.hour_credits_granted, Math.max(spent, monthlyHours({}, to)));
        const used = Math.min(spend, member.hour_credit_balance);
        spent += used;
        member = { ...member, hour_credit_balance: member.hour_credit_balance - used };
      }
    }),
  );
});
