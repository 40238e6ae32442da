import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import test from 'ava';
import { ACTIONS } from '../../web/dashboard/audit-log/audit-log.js';
import { Details } from '../../web/dashboard/audit-log/details.js';
import { Timeline } from '../../web/dashboard/bookings/timeline.js';
import { Collection } from '../../web/dashboard/invoices/collection.js';
import { formatsIn } from '../../web/ui/formats.js';
import { reasonInWords } from '../../web/dashboard/payments/reasons.js';
import { Recovering } from '../../web/dashboard/shared/layout.js';
import type { ApiContext } from '../../api/http/context.js';
import type { InvoiceRow } from '../../db/queries/billing/invoice.js';
import type { Membership } from '../../db/queries/members/membership.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import type { TimelineEntry } from '../../db/queries/bookings/timeline.js';

const ctx = {
  state: { membership: { workspace_id: 'ws_1', time_zone: 'Europe/London', currency: 'GBP' } },
} as unknown as ApiContext;
const booking = { time_zone: 'Europe/London', currency: 'GBP', account_days: null } as BookingRow;

const wordsOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What the timeline says of one entry at 10:04, without its time. */
function told(kind: TimelineEntry['kind'], facts: object, of = booking): string {
  const entries = [{ at: new Date('2030-11-24T10:04:00Z'), kind, facts }] as unknown as TimelineEntry[];
  const words = wordsOf(render(h(Timeline, { entries, booking: of, formats: formatsIn(of) })));
  return words.replace('Times are in Europe/London. Sun 24 Nov 2030 10:04 ', '');
}

const payment = { kind: 'charge', status: 'succeeded', amount_minor: 3_000, method: 'card', late: false };
const refund = { ...payment, kind: 'refund', reason: 'other', settled_at: null };
const change = { kind: 'change', state: 'done', by: 'Ada', with_key: false, by_link: false, outcome: null };
const move = { start_at: Date.UTC(2030, 10, 24, 11), end_at: Date.UTC(2030, 10, 24, 13) };
const event = { object: {}, previous: null, delivery: null, unsent: 'no_endpoint' };

test('a booking’s timeline says each thing that happens in words', (t) => {
  const cases: [TimelineEntry['kind'], object, string][] = [
    ['session', { amount_minor: 3_000, for_change: false }, 'Requested; checkout opened for £30.00'],
    ['session', { amount_minor: 3_000, for_change: true }, 'Payment link for a change opened for £30.00'],
    [
      'decline',
      { code: 'insufficient_funds', for_change: false },
      'The card was declined at the checkout (insufficient funds) Nothing was charged. The payer can try again or use another card.',
    ],
    [
      'decline',
      { code: 'generic_decline', for_change: true },
      'The card was declined on the payment page of a change (the bank gave no reason) Nothing was charged. The payer can try again or use another card.',
    ],
    ['payment', payment, '£30.00 paid at the checkout'],
    ['payment', { ...payment, by_autopay: true }, '£30.00 charged by autopay'],
    ['payment', { ...payment, kind: 'top_up' }, '£30.00 paid for a change'],
    ['payment', { ...payment, kind: 'manual', method: 'bank_transfer' }, '£30.00 paid by bank transfer'],
    ['payment', { ...payment, status: 'failed' }, 'A payment of £30.00 failed'],
    [
      'payment',
      { ...payment, late: true },
      '£30.00 arrived when it was no longer due, and is refunded in full',
    ],
    ['refund', { ...refund, status: 'pending' }, 'A refund of £30.00 is pending'],
    [
      'refund',
      { ...refund, reason: 'duplicate', settled_at: '2030-11-25T10:00:00Z' },
      'A refund of £30.00 succeeded Reason: paid twice. Settled Mon 25 Nov 2030, 10:00.',
    ],
    [
      'refund',
      { ...refund, status: 'failed' },
      'A refund of £30.00 failed: the payer did not receive the money',
    ],
    ['mail', { kind: 'booking_confirmed', status: 'sent' }, 'Confirmation emailed to the payer'],
    ['mail', { kind: 'booking_held', status: 'skipped' }, 'Payment link not emailed: no longer needed'],
    ['mail', { kind: 'booking_changed', status: 'skipped' }, 'Change notice not emailed: no recipient left'],
    [
      'mail',
      { kind: 'booking_expired', status: 'failed', failure_code: 'smtp_550' },
      'Expiry notice could not be emailed The mail server rejected it (550).',
    ],
    [
      'mail',
      { kind: 'booking_expired', status: 'pending', failure_code: 'not_connected' },
      'Expiry notice is queued The mail server did not respond. This is retried.',
    ],
    [
      'change',
      {
        ...change,
        outcome: { kind: 'refused', message: 'The card was declined.' },
        move: { ...move, difference_minor: 500 },
      },
      'A change to Sun 24 Nov 2030, 11:00–13:00, for £5.00 more, by Ada was not applied The card was declined.',
    ],
    [
      'change',
      { ...change, state: 'charging' },
      'A change by Ada is waiting for the card charge Both slots are held.',
    ],
    [
      'change',
      { ...change, state: 'pending', by_link: true },
      'A change by the payer using the booking link is awaiting payment by the payer Both slots are held.',
    ],
    [
      'change',
      { ...change, state: 'requested', by: null, with_key: true },
      'A change was requested by a former member with an API key In progress.',
    ],
    [
      'change',
      { ...change, kind: 'cancel', outcome: { kind: 'done', refund_policy: 'none' }, reason: 'Guest is ill' },
      'Cancelled by Ada, with no refund Reason: “Guest is ill”',
    ],
    [
      'event',
      { ...event, type: 'booking.expired' },
      'Expired: not paid in time; the slot was released Event booking.expired: not sent: no endpoint',
    ],
    [
      'event',
      { ...event, type: 'booking.no_show', delivery: { attempt: 3, status_code: 500, error: null } },
      'Marked as no-show Event booking.no_show: attempt 3 failed (500)',
    ],
    [
      'event',
      { ...event, type: 'booking.completed', unsent: null, delivery: { attempt: 2, status_code: 204 } },
      'Completed Event booking.completed: delivered on attempt 2',
    ],
  ];
  for (const [kind, facts, words] of cases) t.is(told(kind, facts), words);
  const confirmed = { ...event, type: 'booking.confirmed', unsent: null };
  const queued = 'Event booking.confirmed: queued';
  t.is(told('event', confirmed), `Confirmed: free of charge ${queued}`);
  t.is(told('event', confirmed, { ...booking, account_days: 14 }), `Confirmed: on account ${queued}`);
  t.is(
    told('event', confirmed, { ...booking, hour_credits_used: 1 }),
    `Confirmed: paid with 1 hour credit ${queued}`,
  );
});

test('a payment says why it was refused, and a refund why it was made', (t) => {
  const failed = (reason: string) => reasonInWords({ kind: 'charge', reason } as never, undefined);
  t.is(failed('insufficient_funds'), 'Declined: insufficient funds');
  t.is(failed('do_not_honor'), 'Declined: the bank gave no reason');
  const refunded = (reason: string | null, cause?: object) =>
    reasonInWords({ kind: 'refund', reason } as never, cause as never);
  t.is(
    refunded('other', { kind: 'cancel', reason: 'Guest is ill' }),
    'Cancellation of the booking: “Guest is ill”',
  );
  t.is(refunded('other', { kind: 'adjustment', reason: null }), 'Credit on the invoice');
  t.is(refunded('other'), 'decided by the operator');
  t.is(refunded(null), null);
});

test('an invoice says how it is collected and what is next', (t) => {
  const told = (status: string, attempts: number, next_at: string | null, invoice = 'open'): string =>
    wordsOf(
      render(
        h(Collection, {
          ctx,
          invoice: { status: invoice, collection: { status, attempts, next_at } } as unknown as InvoiceRow,
        }),
      ),
    );
  const next = '2030-11-25T10:00:00Z';
  t.is(
    told('retrying', 1, next),
    'retrying The card was declined and will be charged again. A card was tried once. Next charge or reminder: Mon 25 Nov 2030, 10:00.',
  );
  t.is(
    told('overdue', 4, null),
    'overdue Not paid in time; it can still be paid. A card was tried 4 times. No more automatic charges or reminders.',
  );
  t.regex(told('scheduled', 0, null), /No card was tried\. The next step is being planned\.$/);
  t.is(told('scheduled', 0, next, 'void'), 'ended Nothing is outstanding.', 'its run sees it later');
});

test('the audit log shows changes before and after, with amounts, times and words, and filters by every action', (t) => {
  const detailsOf = (details: Record<string, unknown>) => wordsOf(render(h(Details, { ctx, details })));
  t.is(
    detailsOf({
      before: { credit_limit_minor: null, start_at: '2030-11-24T10:00:00Z', tiers: [] },
      after: { credit_limit_minor: 50_000, start_at: '2030-11-24T11:00:00Z', tiers: ['pro', 'plus'] },
      currency: 'GBP',
    }),
    'credit limit, start, tiers, currency credit limit: none → £500.00 start: Sun 24 Nov 2030, 10:00 → Sun 24 Nov 2030, 11:00 tiers: none → pro, plus currency: GBP',
  );
  t.is(
    detailsOf({
      after: { name: 'Hall', tier_discounts: {}, rate_bps: 750, archived: false, ip_allowlist: [] },
    }),
    'name, tier discounts, rate and 2 more name: Hall tier discounts: none rate: 7.5% archived: no allowed addresses: any address',
  );

  const sources = ['commands', 'db/queries', 'api', 'web', 'activities'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  const written = sources.flatMap((source) => [...source.matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g)]);
  t.true(written.length > 30);
  t.deepEqual(
    written.map(([, action]) => action!).filter((action) => !ACTIONS.includes(action)),
    [],
  );
});

test('every page says that money stands still, and since when facts are read', (t) => {
  const recovering_since = new Date('2030-11-24T10:04:00Z');
  const membership = { ...ctx.state.membership, recovering_since } as Membership;
  const words = wordsOf(render(h(Recovering, { membership })));
  t.regex(
    words,
    /^Payments are paused\. What happened .* since Sun 24 Nov 2030, 10:04 is being read again\./,
  );
});
