import test from 'ava';
import {
  planCreate,
  type CreatableRoom,
  type CreateFacts,
  type CreateRequest,
} from '../../../domain/bookings/create.js';
import { DEFAULT_DETAILS } from '../../../domain/bookings/details.js';
import { ApiError } from '../../../domain/errors.js';

const NOW = Date.parse('2027-03-01T12:00:00Z');

const ROOM: CreatableRoom = {
  id: 'b2c1f4de-0000-4000-8000-000000000001',
  name: 'Blue room',
  rates: [],
  rate_version: 0,
  time_zone: 'Europe/London',
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: 4,
  opening_hours: null,
  tiers: null,
  archived: false,
  currency: 'GBP',
  price_per_hour_minor: 2_500,
  tax_code: 'STANDARD',
  tier_discounts: { pro: 20 },
};

const FACTS: CreateFacts<CreatableRoom> = {
  workspace: {
    processor_status: 'active',
    processor_account_id: 'acct_1',
    recovering_since: null,
    checkout_hold_seconds: 900,
    tax_codes: [{ code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' }],
  },
  room: ROOM,
  member: null,
  booked: false,
  part_booked: false,
  blackout: false,
  extras: [],
  discount: null,
};

const MEMBER = {
  tier: 'pro',
  status: 'active',
  company_id: null,
  hour_credit_balance: 0,
  payment_terms: null,
} as const;

const REQUEST: CreateRequest = {
  room_id: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4b70',
  start_at: new Date('2027-03-02T10:00:00Z'),
  end_at: new Date('2027-03-02T12:00:00Z'),
  member_id: null,
  guest: { email: 'grace@example.com', name: 'Grace Guest' },
  use_tokens: false,
  settle: 'checkout',
  extras: [],
  metadata: {},
  ...DEFAULT_DETAILS,
};
const BY_MEMBER: CreateRequest = { ...REQUEST, guest: null, member_id: 'mem_1' };

const plan = (facts: Partial<typeof FACTS> = {}, request: Partial<CreateRequest> = {}) =>
  planCreate({ ...FACTS, ...facts }, { ...REQUEST, ...request }, NOW, { by_staff: false });

/** The error of a refused create, as `code param reason`. */
function refusal(facts: Partial<typeof FACTS>, request: Partial<CreateRequest> = {}): string {
  try {
    plan(facts, request);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { param, details } = error.context;
    return [error.code, param, details?.reason].filter(Boolean).join(' ');
  }
  return 'none';
}

test('a tax code that the workspace no longer has is an error, not zero tax', (t) => {
  t.is(refusal({ workspace: { ...FACTS.workspace, tax_codes: [] } }), 'validation_failed room_id');
});

test('a guest pays the room’s price with tax, at a checkout that outlives the hold by an hour', (t) => {
  const { price, discount_percent, tax_rate_bps, hour_credits_used, hold_seconds, checkout, room } = plan();
  t.deepEqual(price, { net_minor: 5_000, tax_minor: 1_000, total_minor: 6_000 });
  t.deepEqual([discount_percent, tax_rate_bps, hour_credits_used, hold_seconds], [0, 2_000, 0, 900]);
  t.deepEqual(checkout, {
    account_id: 'acct_1',
    description: 'Blue room, 2 Mar 2027, 10:00–12:00 (Europe/London)',
    session_expires_at: new Date(NOW + 90 * 60_000),
  });
  t.is(room, ROOM);
});

test('a checkout session lasts at least 90 minutes, and at most a day less five minutes', (t) => {
  const minutesWithHold = (checkout_hold_seconds: number) => {
    const { checkout } = plan({ workspace: { ...FACTS.workspace, checkout_hold_seconds } });
    return (checkout!.session_expires_at.getTime() - NOW) / 60_000;
  };
  t.is(minutesWithHold(10), 90);
  t.is(minutesWithHold(7_200), 180);
  t.is(minutesWithHold(86_400), 1_435);
});

test('a member has the discount of their tier and their company', (t) => {
  const facts = { member: { ...MEMBER, company_id: '019a3c5e-9d02-7f16-8c3e-51b7a0d94e21' } };
  const { price, discount_percent, company_id, member_id, guest } = plan(facts, BY_MEMBER);
  t.deepEqual(price, { net_minor: 4_000, tax_minor: 800, total_minor: 4_800 });
  t.is(discount_percent, 20);
  t.is(company_id, facts.member.company_id);
  t.deepEqual([member_id, guest], ['mem_1', null]);
});

test('hour credits pay for started hours first, and the rest is charged', (t) => {
  const withCredits = (hour_credit_balance: number, request: Partial<CreateRequest> = {}) => {
    const { hour_credits_used, price, checkout } = plan(
      { member: { ...MEMBER, hour_credit_balance } },
      { ...BY_MEMBER, use_tokens: true, ...request },
    );
    return [hour_credits_used, price.total_minor, checkout !== null];
  };
  t.deepEqual(withCredits(1), [1, 2_400, true]);
  t.deepEqual(withCredits(5), [2, 0, false]);
  t.deepEqual(withCredits(0), [0, 4_800, true]);
  t.deepEqual(withCredits(5, { end_at: new Date('2027-03-02T10:30:00Z') }), [1, 0, false]);
  t.deepEqual(withCredits(5, { use_tokens: false }), [0, 4_800, true]);
});

test('a free booking needs no processor and no hour credits', (t) => {
  const { checkout, hour_credits_used } = plan(
    {
      room: { ...ROOM, price_per_hour_minor: 0 },
      member: { ...MEMBER, hour_credit_balance: 5, payment_terms: null },
      workspace: { ...FACTS.workspace, processor_account_id: null, processor_status: 'unconfigured' },
    },
    { ...BY_MEMBER, use_tokens: true },
  );
  t.is(checkout, null);
  t.is(hour_credits_used, 0);
});

test('the plan contains the details of the request', (t) => {
  const { notes, attendees } = plan({}, { notes: 'Two screens', attendees: 3 });
  t.deepEqual({ notes, attendees }, { notes: 'Two screens', attendees: 3 });
});

test('a create is refused with the error of the first failed check', (t) => {
  const unpaid = { ...FACTS.workspace, processor_status: 'pending' as const };
  const closed = { ...ROOM, archived: true };
  const everything = { workspace: unpaid, room: closed, blackout: true, booked: true };
  t.is(refusal({}), 'none');
  t.is(refusal({ room: null }, { start_at: new Date(NOW) }), 'validation_failed start_at');
  t.is(refusal({ room: null }), 'room_not_found room_id');
  t.is(refusal({ member: null }, BY_MEMBER), 'member_not_found booked_by.member_id');
  for (const status of ['archived', 'deleted'] as const)
    t.is(refusal({ member: { ...MEMBER, status } }, BY_MEMBER), 'member_not_found booked_by.member_id');
  t.is(
    refusal({ ...everything, member: { ...MEMBER, status: 'cancelled' } }, { ...BY_MEMBER, attendees: 5 }),
    'member_cancelled booked_by.member_id',
  );
  for (const status of ['invited', 'trialing', 'paused'] as const)
    t.is(refusal({ member: { ...MEMBER, status } }, BY_MEMBER), 'none', status);
  t.is(refusal(everything, { attendees: 5 }), 'validation_failed attendees');
  t.is(refusal(everything, { end_at: new Date('2027-03-02T12:10:00Z') }), 'slot_misaligned end_at');
  t.is(refusal({ ...everything, room: { ...closed, tiers: ['pro'] } }), 'tier_not_allowed');
  t.is(refusal(everything), 'processor_unconfigured processor_account');
  t.is(refusal({ ...everything, workspace: FACTS.workspace }), 'slot_unavailable closed');
  t.is(refusal({ blackout: true, booked: true }), 'slot_unavailable blackout');
  t.is(refusal({ booked: true }), 'slot_unavailable booked');
});

test('a price above the maximum amount is refused', (t) => {
  const room = { ...ROOM, price_per_hour_minor: 99_999_999 };
  t.is(refusal({ room }), 'validation_failed end_at');
});
