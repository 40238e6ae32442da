import { h } from 'preact';
import { render } from 'preact-render-to-string';
import test, { type ExecutionContext } from 'ava';
import { linkMailStatus } from '../../../web/dashboard/bookings/link-mail.js';
import { Timeline } from '../../../web/dashboard/bookings/timeline.js';
import { formatsIn } from '../../../web/ui/formats.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import { htmlText } from '../html-text.js';

const booking = {
  time_zone: 'Europe/London',
  currency: 'GBP',
  account_days: null,
  room_id: 'garden',
  start_at: new Date('2024-11-24T10:00:00Z'),
  end_at: new Date('2024-11-24T12:00:00Z'),
} as BookingRow;

/** The timeline's text for one entry at 10:04, without its time. */
function told(kind: TimelineEntry['kind'], facts: object, of = booking, isBooker = false): string {
  const entries = [{ at: new Date('2024-11-24T10:04:00Z'), kind, facts }] as unknown as TimelineEntry[];
  const words = htmlText(render(h(Timeline, { entries, booking: of, formats: formatsIn(of), isBooker })));
  return words.replace('Sun 24 Nov 2024 10:04 ', '');
}

const payment = { kind: 'charge', status: 'succeeded', amount_minor: 3_000, method: 'card', late: false };
const refund = { ...payment, kind: 'refund', reason: 'other', settled_at: null };
const ada = { by: 'Ada', with_key: false, by_link: false };
const change = { kind: 'change', state: 'done', ...ada, outcome: null };
const move = {
  room_id: 'garden',
  start_at: Date.UTC(2024, 10, 24, 11),
  end_at: Date.UTC(2024, 10, 24, 13),
};
/** A change of the extras alone. */
const stay = { ...move, start_at: Date.UTC(2024, 10, 24, 10), end_at: Date.UTC(2024, 10, 24, 12) };
const event = { object: {}, previous: null, delivery: null, unsent: 'no_endpoint' };

/** Asserts the timeline's text for each entry. */
function saysEach(t: ExecutionContext, cases: [TimelineEntry['kind'], object, string][]): void {
  for (const [kind, facts, words] of cases) t.is(told(kind, facts), words);
}

test('a booking’s timeline describes in words what happens to its checkout and its payments', (t) => {
  saysEach(t, [
    ['session', { amount_minor: 3_000, for_change: false }, 'Payment page opened for £30.00'],
    ['session', { amount_minor: 3_000, for_change: true }, 'Payment page for a change opened for £30.00'],
    [
      'decline',
      { code: 'insufficient_funds', for_change: false },
      'The card was declined on the payment page (insufficient funds) Nothing was charged. The payer can ' +
        'try again or use another card.',
    ],
    [
      'decline',
      { code: 'generic_decline', for_change: true },
      'The card was declined on the payment page of a change (the bank gave no reason) Nothing was ' +
        'charged. The payer can try again or use another card.',
    ],
    ['payment', payment, '£30.00 paid on the payment page'],
    ['payment', { ...payment, by_autopay: true }, '£30.00 charged by autopay'],
    ['payment', { ...payment, kind: 'top_up' }, '£30.00 paid for a change by card'],
    ['payment', { ...payment, kind: 'top_up', method: 'cash' }, '£30.00 paid for a change by cash'],
    ['payment', { ...payment, kind: 'manual', method: 'bank_transfer' }, '£30.00 paid by bank transfer'],
    [
      'payment',
      { ...payment, kind: 'manual', method: 'cash', recorded: ada },
      '£30.00 paid by cash Recorded by Ada.',
    ],
    ['payment', { ...payment, status: 'failed' }, 'A payment of £30.00 failed'],
    [
      'payment',
      { ...payment, late: true },
      '£30.00 arrived when it was no longer due and is refunded in full',
    ],
  ]);
});

test('bookers read the timeline in words meant for them, without webhooks', (t) => {
  const cases: [TimelineEntry['kind'], object, string][] = [
    [
      'refund',
      { ...refund, by_hand: true },
      'A refund of £30.00 is recorded It was not paid online, so it is returned to you another way.',
    ],
    ['refund', { ...refund, status: 'failed' }, 'A refund of £30.00 failed: you did not receive the money'],
    ['mail', { kind: 'booking_confirmed', status: 'sent' }, 'Confirmation emailed to you'],
    ['mail', { kind: 'staff_booking', status: 'sent' }, ''],
    ['event', { ...event, unsent: null, type: 'booking.completed' }, 'Completed'],
  ];
  for (const [kind, facts, words] of cases) t.is(told(kind, facts, booking, true), words);
});

test('a booking’s timeline describes in words what becomes of a refund', (t) => {
  saysEach(t, [
    ['refund', { ...refund, status: 'pending' }, 'A refund of £30.00 is pending'],
    [
      'refund',
      { ...refund, reason: 'duplicate', settled_at: '2024-11-25T10:00:00Z' },
      'A refund of £30.00 succeeded Reason: paid twice. Settled Mon 25 Nov 2024, 10:00.',
    ],
    [
      'refund',
      { ...refund, by_hand: true, recorded: { ...ada, with_key: true } },
      'A refund of £30.00 is recorded Refunded by Ada with an API key. The payment was not made ' +
        'online, so return the money yourself.',
    ],
    [
      'refund',
      { ...refund, by_hand: true, settled_at: '2024-11-25T10:00:00Z' },
      'A refund of £30.00 is recorded The payment was not made online, so return the money yourself.',
    ],
    [
      'refund',
      { ...refund, status: 'failed' },
      'A refund of £30.00 failed: the payer did not receive the money',
    ],
  ]);
});

test('a booking’s timeline describes in words what becomes of a dispute', (t) => {
  const dispute = { amount_minor: 3_000, reason: 'fraudulent', status: 'open' };
  const says = 'The cardholder says that they did not make the payment.';
  saysEach(t, [
    ['dispute', dispute, `A dispute of £30.00 was opened ${says}`],
    ['dispute', { ...dispute, reason: null, status: 'lost' }, 'A dispute of £30.00 was opened'],
    ['dispute', { ...dispute, status: 'inquiry' }, `A bank sent an inquiry about £30.00 ${says}`],
    ['dispute_movement', { amount_minor: -3_000 }, '£30.00 was withdrawn by the bank'],
    ['dispute_movement', { amount_minor: 3_000 }, '£30.00 was returned by the bank'],
    ['dispute_ended', { ...dispute, status: 'won' }, 'The dispute of £30.00 was won: the payment stands'],
    [
      'dispute_ended',
      { ...dispute, status: 'lost' },
      'The dispute of £30.00 was lost: the payer gets the money back',
    ],
    [
      'dispute_ended',
      { ...dispute, status: 'prevented' },
      'The dispute of £30.00 was resolved before it was opened',
    ],
  ]);
});

test('a booking’s timeline describes in one entry what was changed, and by whom', (t) => {
  const guest = (name: string) => ({ booked_by: { guest: { name, email: 'grace@example.com' } } });
  const time = {
    start_at: '2024-11-24T10:00:00Z',
    end_at: '2024-11-24T11:00:00Z',
    room: { name: 'Blue room' },
  };
  const price = { amount_minor: 3_000, currency: 'GBP' };
  const corrected = {
    ...event,
    type: 'booking.updated',
    object: { ...guest('Grace'), ...time, price, extras: [] },
    previous: guest('Grce'),
  };
  const changed = 'Guest: Grce (grace@example.com) → Grace (grace@example.com)';
  saysEach(t, [
    ['event', { ...corrected, act: null }, `Changed ${changed}`],
    ['event', { ...corrected, act: ada }, `Changed by Ada ${changed}`],
    [
      'event',
      { ...corrected, act: { by: null, with_key: true, by_link: false } },
      `Changed by a former member with an API key ${changed}`,
    ],
    [
      'event',
      { ...corrected, act: { by: null, with_key: false, by_link: true } },
      `Changed by someone with the manage link ${changed}`,
    ],
  ]);
});

test('a booking’s timeline describes in words whether a mail was sent', (t) => {
  saysEach(t, [
    ['mail', { kind: 'booking_confirmed', status: 'sent' }, 'Confirmation emailed to the booker'],
    ['mail', { kind: 'booking_held', status: 'skipped' }, 'Payment link not emailed: no longer needed'],
    [
      'mail',
      { kind: 'booking_held', status: 'skipped', failure_code: 'told' },
      'Payment link not emailed: the address already got one, and is not confirmed',
    ],
    ['mail', { kind: 'payment_refunded', status: 'skipped' }, 'Refund notice not emailed: no longer needed'],
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
  ]);
});

test('a payment link is said to be emailed soon only while its first attempt is due', (t) => {
  const mail = { kind: 'booking_change_pending', about: 'chg_1', status: 'pending', failure_code: null };
  const statusWith = (...mails: object[]) =>
    linkMailStatus(
      mails.map((changes) => ({ at: new Date(), kind: 'mail', facts: { ...mail, ...changes } })) as never,
      { kind: 'booking_change_pending', about: 'chg_1' },
    );
  t.is(statusWith({}), 'queued');
  t.is(statusWith({ status: 'failed' }, { status: 'sent' }), 'sent');
  for (const changes of [
    { status: 'failed', failure_code: 'smtp_550' },
    { failure_code: 'mail_held' },
    { status: 'skipped', failure_code: 'told' },
    { about: 'chg_2', status: 'sent' },
    { kind: 'booking_held', status: 'sent' },
  ])
    t.is(statusWith(changes), null, JSON.stringify(changes));
  t.is(statusWith(), null);
});

test('a booking’s timeline describes in words who requested a change, and its outcome', (t) => {
  saysEach(t, [
    [
      'change',
      {
        ...change,
        outcome: { kind: 'refused', message: 'The card was declined.' },
        move: { ...move, difference_minor: 500 },
      },
      'A change to Sun 24 Nov 2024, 11:00–13:00, for £5.00 more, by Ada was not applied ' +
        'The card was declined.',
    ],
    [
      'change',
      { ...change, state: 'charging' },
      'A change by Ada is waiting for the card charge Both slots are held.',
    ],
    [
      'change',
      { ...change, state: 'opening', move: { ...stay, difference_minor: 500 } },
      'A change by Ada is not paid yet The change is held.',
    ],
    [
      'change',
      { ...change, state: 'pending', by_link: true },
      'A change by someone with the manage link is not paid yet Both slots are held.',
    ],
    [
      'change',
      { ...change, state: 'requested', by: null, with_key: true },
      'A change was requested by a former member with an API key In progress.',
    ],
    [
      'change',
      { ...change, kind: 'cancel', outcome: { kind: 'done', refund_policy: 'none' } },
      'Cancelled by Ada, with no refund',
    ],
  ]);
});

test('a booking’s timeline describes in words who made it', (t) => {
  const created = { ...event, type: 'booking.created', object: { expires_at: '2024-11-24T10:30:00Z' } };
  const free = { ...created, object: { expires_at: null } };
  saysEach(t, [
    ['event', created, 'Held until 10:30'],
    [
      'event',
      { ...created, object: { expires_at: '2024-11-25T10:04:00Z' } },
      'Held until Mon 25 Nov 2024, 10:04',
    ],
    ['event', free, 'Requested'],
    ['event', { ...created, act: ada }, 'Booked by Ada: held until 10:30'],
    ['event', { ...free, act: ada }, 'Booked by Ada'],
  ]);
});

test('a booking’s timeline describes in words whose change was not paid, and who withdrew it', (t) => {
  const ended = (reason: string) => ({
    ...event,
    type: 'booking.change_lapsed',
    object: { pending_change: { amount_minor: 500, expires_at: '2024-11-24T10:30:00Z', ended: reason } },
    asked: ada,
  });
  const grace = { ...ada, by: 'Grace' };
  const guest = { by: null, with_key: false, by_link: true };
  const stays = 'the booking stays as it is';
  const pending = { ...ended('lapsed'), type: 'booking.change_pending' };
  const tomorrow = { amount_minor: 500, expires_at: '2024-11-25T10:04:00Z' };
  saysEach(t, [
    ['event', pending, 'A change by Ada is not paid yet: £5.00 due until 10:30'],
    [
      'event',
      { ...pending, object: { pending_change: tomorrow } },
      'A change by Ada is not paid yet: £5.00 due until Mon 25 Nov 2024, 10:04',
    ],
    ['event', ended('lapsed'), `A change by Ada was not paid in time; ${stays}`],
    ['event', { ...ended('lapsed'), asked: null }, `A change was not paid in time; ${stays}`],
    ['event', ended('cancelled'), 'A change by Ada was not paid when the booking was cancelled'],
    ['event', ended('over'), 'A change by Ada was not paid before the booking ended'],
    ['event', ended('withdrawn'), `A change by Ada was withdrawn before it was paid; ${stays}`],
    [
      'event',
      { ...ended('withdrawn'), act: grace },
      `A change by Ada was withdrawn by Grace before it was paid; ${stays}`,
    ],
    [
      'event',
      { ...ended('withdrawn'), act: guest, asked: guest },
      'A change by someone with the manage link was withdrawn by someone with the manage link ' +
        `before it was paid; ${stays}`,
    ],
  ]);
});

test('a booking’s timeline describes in words what ended it, and whether the event was delivered', (t) => {
  saysEach(t, [
    ['event', { ...event, type: 'booking.expired' }, 'Expired: not paid in time; the slot was released'],
    [
      'event',
      { ...event, type: 'booking.no_show', delivery: { attempt: 3, status_code: 500, error: null } },
      'Marked as no-show Not delivered to your webhook. Attempt 3 failed (500) ' +
        'Details Event booking.no_show Delivery Attempt 3 failed (500)',
    ],
    ['event', { ...event, type: 'booking.no_show', act: ada }, 'Marked as no-show by Ada'],
    ['event', { ...event, type: 'booking.cancelled' }, 'Cancelled: the slot was released'],
    [
      'event',
      { ...event, type: 'booking.cancelled', act: { ...ada, refund_policy: 'none', reason: 'Guest is ill' } },
      'Cancelled by Ada, with no refund: the slot was released Reason: “Guest is ill”',
    ],
    [
      'event',
      { ...event, type: 'booking.completed', unsent: null, delivery: { attempt: 2, status_code: 204 } },
      'Completed Details Event booking.completed Delivery Delivered on attempt 2',
    ],
  ]);
});

test('a booking’s timeline shows how it was paid when it was confirmed', (t) => {
  const confirmed = { ...event, type: 'booking.confirmed', unsent: null };
  const queued = 'Details Event booking.confirmed Delivery Queued';
  t.is(told('event', confirmed), `Confirmed: free of charge ${queued}`);
  t.is(told('event', confirmed, { ...booking, account_days: 14 }), `Confirmed: on account ${queued}`);
  t.is(told('event', confirmed, { ...booking, paid_at_desk: true }), `Confirmed: paid at the desk ${queued}`);
  t.is(
    told('event', confirmed, { ...booking, hour_credits_used: 1 }),
    `Confirmed: paid with 1 hour credit ${queued}`,
  );
});

test('a booking’s timeline says that Stripe confirmed a payment, and under Details which layer did', (t) => {
  const told_of = (confirmation_source: string, isBooker = false) =>
    told(
      'event',
      { ...event, type: 'booking.confirmed', object: { confirmation_source } },
      booking,
      isBooker,
    );
  const confirmed = 'The booking is confirmed. Details Confirmed by';
  const byStripe = `Payment confirmed by Stripe ${confirmed}`;
  t.is(told_of('success_page'), `${byStripe} The payer’s return from the payment page`);
  t.is(told_of('platform_webhook'), `${byStripe} Stripe’s platform webhook`);
  t.is(told_of('connect_webhook'), `${byStripe} Stripe’s Connect webhook`);
  t.is(
    told_of('scheduler_self_heal'),
    `Payment confirmed by a check with Stripe ${confirmed} A check with Stripe`,
  );
  t.is(told_of('connect_webhook', true), 'Confirmed: paid');
  const opened = { amount_minor: 3_000, for_change: false, session_id: 'cs_1' };
  t.is(told('session', opened), 'Payment page opened for £30.00 Details Payment page cs_1');
  t.is(told('session', opened, booking, true), 'Payment page opened for £30.00');
});
