import test from 'ava';
import {
  isConspicuous,
  bulkCost,
  isCalendarPath,
  scaledBuckets,
  scaledMailQuotas,
  toVerdict,
  type Count,
} from '../../../domain/api-keys/limits.js';

const own = { size: 600, per_minute: 600, tokens: 590, wait_ms: 0 };
const calendar = { size: 500, per_minute: 100, tokens: 0, wait_ms: 600 };

test('the first requests of a batch are allowed, each with its own remaining count', (t) => {
  const count: Count = { allowed: 2, cost: 1, own, throttled: false, calendar, workspace: null };
  const verdicts = [0, 1, 2].map((n) => toVerdict(count, n));
  t.deepEqual(
    verdicts.map(({ allowed, size, remaining, retry_after_ms }) => [
      allowed,
      size,
      remaining,
      retry_after_ms,
    ]),
    [
      [true, 500, 1, 0],
      [true, 500, 0, 0],
      [false, 500, 0, 600],
    ],
  );
  t.deepEqual(
    verdicts.map(({ full_after_ms }) => Math.round(full_after_ms)),
    [299_400, 300_000, 300_000],
  );
});

test('the headers describe the calendar bucket, the caller’s own bucket elsewhere, the one that refused, or a throttled caller’s', (t) => {
  const empty = { ...own, tokens: 0, wait_ms: 100 };
  const offender = { size: 20, per_minute: 20, tokens: 5, wait_ms: 0 };
  const full = { ...calendar, tokens: 100, wait_ms: 0 };
  const cases: [string, Partial<Count>, { size: number; remaining: number; retry_after_ms: number }][] = [
    ['calendar', { allowed: 1, calendar: full }, { size: 500, remaining: 100, retry_after_ms: 0 }],
    ['elsewhere', { allowed: 1 }, { size: 600, remaining: 590, retry_after_ms: 0 }],
    ['own refused', { own: empty, calendar: full }, { size: 600, remaining: 0, retry_after_ms: 100 }],
    ['calendar refused', { calendar }, { size: 500, remaining: 0, retry_after_ms: 600 }],
    ['both refused', { own: empty, calendar }, { size: 500, remaining: 0, retry_after_ms: 600 }],
    [
      'workspace refused',
      { calendar, workspace: { size: 6_000, per_minute: 6_000, tokens: 0, wait_ms: 700 } },
      { size: 6_000, remaining: 0, retry_after_ms: 700 },
    ],
    [
      'offender',
      { allowed: 1, own: offender, throttled: true },
      { size: 20, remaining: 5, retry_after_ms: 0 },
    ],
    [
      'offender, refused',
      { own: offender, throttled: true, calendar },
      { size: 20, remaining: 0, retry_after_ms: 600 },
    ],
    [
      'in debt',
      { own: { ...own, tokens: -40, wait_ms: 4_100 } },
      { size: 600, remaining: 0, retry_after_ms: 4_100 },
    ],
  ];
  for (const [what, count, expected] of cases) {
    const verdict = toVerdict(
      { allowed: 0, cost: 1, own, throttled: false, calendar: null, workspace: null, ...count },
      0,
    );
    const { size, remaining, retry_after_ms } = verdict;
    t.deepEqual({ size, remaining, retry_after_ms }, expected, what);
  }
});

test('a scale multiplies sizes and rates, and every bucket holds at least one token', (t) => {
  t.deepEqual(scaledBuckets(0.01), {
    token: { size: 6, per_minute: 6 },
    calendar: { size: 5, per_minute: 1 },
    address: { size: 1, per_minute: 0.6 },
    throttled: { size: 1, per_minute: 0.2 },
    workspace: { size: 60, per_minute: 60 },
    page: { size: 1, per_minute: 1.2 },
    form: { size: 1, per_minute: 0.2 },
    link: { size: 1, per_minute: 0.6 },
    document: { size: 1, per_minute: 0.06 },
    page_document: { size: 1, per_minute: 0.12 },
    look: { size: 1, per_minute: 0.2 },
    webhook: { size: 60, per_minute: 60 },
    hold: { size: 1, per_minute: 0.005 },
    public_key: { size: 6, per_minute: 6 },
    public_address: { size: 1, per_minute: 0.6 },
    sso: { size: 1, per_minute: 0.3 },
  });
});

test('a scale multiplies the quotas of mail, and a quota below one per period becomes one per longer period', (t) => {
  t.deepEqual(scaledMailQuotas(1).link_hour, { count: 5, seconds: 3_600 });
  t.deepEqual(scaledMailQuotas(10).recipient, { count: 10, seconds: 600 });
  t.deepEqual(scaledMailQuotas(0.1), {
    recipient: { count: 1, seconds: 6_000 },
    link_minute: { count: 1, seconds: 600 },
    link_hour: { count: 1, seconds: 7_200 },
    new_recipients: { count: 50, seconds: 86_400 },
    refused_recipients: { count: 3, seconds: 86_400 },
    requester: { count: 100, seconds: 86_400 },
    public_guest_recipients: { count: 25, seconds: 86_400 },
    workspace: { count: 200, seconds: 86_400 },
  });
});

test('a bulk call costs a tenth of its operations, at least 1', (t) => {
  t.deepEqual([0, 1, 10, 15, 1_000].map(bulkCost), [1, 1, 1, 1.5, 100]);
});

test('calendar paths are bookings, availability, the feed and rooms', (t) => {
  for (const path of [
    '/v1/bookings',
    '/v1/bookings/bk_1/cancel',
    '/v1/availability',
    '/v1/calendar.ics',
    '/v1/rooms/1/blackouts',
  ])
    t.true(isCalendarPath(path), path);
  for (const path of [
    '/v1/members',
    '/v1/bookingsx',
    '/v1/roomservice',
    '/v2/bookings',
    '/bookings',
    '/v1/auth/whoami',
  ])
    t.false(isCalendarPath(path), path);
});

test('an address is suspicious from its third hold on, until its bucket has filled up again', (t) => {
  const hold = { size: 5, per_minute: 0.5 };
  t.deepEqual(
    [5, 4.1, 4, 3.1, 1].map((tokens) => isConspicuous(tokens, hold)),
    [false, false, false, true, true],
  );
  t.false(isConspicuous(1, { size: 1, per_minute: 0.05 }));
});
