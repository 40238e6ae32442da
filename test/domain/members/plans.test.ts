import test from 'ava';
import {
  changedPlans,
  describeOffer,
  membershipLine,
  membersOfLines,
  withNamesOfMembers,
  monthlyHours,
  planName,
  presentPlans,
  tiersNamed,
  upgradeLine,
  type OfferedPlan,
} from '../../../domain/members/plans.js';
import type { Tier } from '../../../domain/rates/price.js';
import { upgradeCharge } from '../../../domain/members/tiers.js';

const offer: OfferedPlan = {
  tier: 'plus',
  billed: true,
  company_name: null,
  trial_ends_at: null,
  time_zone: 'Europe/London',
  currency: 'GBP',
  tax_codes: [{ code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' }],
  tier_prices: { basic: 0, plus: 4_900, pro: 7_900, enterprise: 0 },
  plans: {},
};
const now = new Date('2026-11-24T12:00:00Z');

test('a word means each tier whose code or plan name it is', (t) => {
  const plans = { plus: { name: 'Pro' }, pro: { name: 'Pro Max' } };
  const cases = { pro: ['plus', 'pro'], 'PRO max': ['pro'], Plus: ['plus'], basic: ['basic'], gold: [] };
  for (const [word, tiers] of Object.entries(cases)) t.deepEqual(tiersNamed(plans, word), tiers as Tier[]);
});

test('a plan has the name and hours set by the workspace, or else the defaults', (t) => {
  const plans = changedPlans(
    { plus: { name: 'Desk', monthly_hours: 4 } },
    { plus: { name: null }, pro: { monthly_hours: 0 } },
  );
  t.deepEqual(presentPlans(plans).plus, { name: null, monthly_hours: 4 });
  t.deepEqual([planName(plans, 'plus'), monthlyHours(plans, 'plus')], ['Plus', 4]);
  t.deepEqual([planName({ pro: { name: 'Studio' } }, 'pro'), monthlyHours(plans, 'pro')], ['Studio', 0]);
  t.is(monthlyHours(plans, 'enterprise'), 60);
});

test('an invite states plan, hours, price with tax, who pays and when', (t) => {
  t.deepEqual(describeOffer({ ...offer, plans: { plus: { name: 'Desk', monthly_hours: 1 } } }, now), [
    'Your plan: Desk, with one hour a month included.',
    'It costs £58.80 a month (£49.00 plus £9.80 tax). The first invoice, of £58.80, is sent on the day ' +
      'you join and is due 14 days later.',
  ]);
  t.regex(
    describeOffer({ ...offer, company_name: 'Acme' }, now)[1]!,
    /£49\.00 plus £9\.80 tax\)\. Acme pays for it\.$/,
  );
  const trial = describeOffer({ ...offer, trial_ends_at: new Date('2026-12-01T00:00:00Z') }, now)[1]!;
  t.regex(trial, /Your trial ends on .*1 Dec.*\. The first invoice, of £58\.80, is sent then and is due/);
  for (const free of [
    { ...offer, billed: false },
    { ...offer, tier: 'basic' as const, plans: { basic: { name: 'Visitor' } } },
  ])
    t.is(describeOffer(free, now)[1], 'You are not charged for it.');
  t.deepEqual(describeOffer({ ...offer, tier: 'basic' }, now), [], 'nothing to pay, no hours, no name');
});

test('an upgrade costs the difference for the rest of the month, today included', (t) => {
  const member = { time_zone: 'Europe/London', cycle_anchor: '2026-11-10' };
  const charge = upgradeCharge(member, { from: 'plus', to: 'pro', ...offer }, now);
  // 16 of 30 days of 30.00
  t.deepEqual(charge, { today: '2026-11-24', end: '2026-12-10', net_minor: 1_600, remaining_share: 16 / 30 });
});

test('lines show the names of members, and nothing for a member whose name was erased', (t) => {
  const lines = ['Plus membership (mem_1)', 'Plus membership (mem_2)', 'Desk (mem_1) by the window'].map(
    (description) => ({ description }),
  );
  t.deepEqual(membersOfLines(lines), ['mem_1', 'mem_2']);
  t.deepEqual(
    withNamesOfMembers(lines, new Map([['mem_1', 'Ada $& Lovelace']])).map(({ description }) => description),
    ['Plus membership (Ada $& Lovelace)', 'Plus membership', 'Desk (mem_1) by the window'],
  );
});

test('the line of a plan has its name and its days, including the last one', (t) => {
  const member = { tier: 'plus', id: 'mem_1' } as const;
  const plans = { pro: { name: 'Desk' } };
  t.is(
    membershipLine(plans, member, { start: '2026-11-23', end: '2026-12-23' }),
    'Plus membership, 23 Nov – 22 Dec 2026 (mem_1)',
  );
  t.is(
    upgradeLine(plans, { from: 'plus', to: 'pro', id: 'mem_1' }, { start: '2026-12-20', end: '2027-01-13' }),
    'Membership upgrade from Plus to Desk, 20 Dec 2026 – 12 Jan 2027 (mem_1)',
  );
});
