import test from 'ava';
import { layOut } from '../../../activities/mail/templates/layout.js';
import { renderBookingMail } from '../../../activities/mail/templates/booking.js';
import type { BookingMail } from '../../../db/queries/mail/booking-mail.js';
import type { BookingMoney, ReceivedMoney } from '../../../domain/bookings/money.js';
import { HOUR_MS } from '../../../domain/durations.js';
import type { BookingMailKind } from '../../../domain/mail/kinds.js';
import { message } from '../../support/message.js';
import { bookingMail, TEXTS } from './long-mails.js';

const write = (kind: BookingMailKind, changes: Partial<BookingMail>) =>
  renderBookingMail(bookingMail(kind, TEXTS.long, { locale: 'en', ...changes }), {
    manageUrl: null,
    organizer: 'house@example.com',
  })!;

const writeText = async (kind: BookingMailKind, changes: Partial<BookingMail>): Promise<string> =>
  (await layOut(write(kind, changes), null)).text;

const NOTHING: ReceivedMoney = {
  received_minor: 0,
  refunded_minor: 0,
  refunding_minor: 0,
  by_hand_minor: 0,
  failed_minor: 0,
  disputed_minor: 0,
};

test('a confirmation says that the price is paid only if all of it was paid and kept', async (t) => {
  const confirmed = (paid: Partial<ReceivedMoney>, account: Partial<BookingMoney> = {}) => {
    const money = { currency: 'GBP', price_minor: 30_000, hour_credits_used: 0, late: NOTHING, methods: [] };
    return writeText('booking_confirmed', {
      currency: 'GBP',
      price_minor: 30_000,
      company_name: null,
      money: { ...money, is_on_account: false, owed_minor: 0, ...account, paid: { ...NOTHING, ...paid } },
    });
  };
  const isPaid = message('mail.confirmed_paid', { amount: '£300.00' });
  const owed = message('mail.on_account', { amount: '£300.00' });
  const account = { is_on_account: true, owed_minor: 30_000 };
  t.true((await confirmed({ received_minor: 30_000 })).includes(isPaid));
  t.true((await confirmed({}, account)).includes(owed));
  for (const text of [
    await confirmed({ received_minor: 10_000 }, { ...account, owed_minor: 20_000 }),
    await confirmed({ received_minor: 30_000, refunded_minor: 30_000 }),
    await confirmed({ received_minor: 30_000, refunding_minor: 100 }),
  ]) {
    t.true(text.includes(message('mail.confirmed')), text);
    t.false(text.includes(isPaid) || text.includes(owed), text);
  }
});

test('a cancellation removes the booking from the calendar only if it was confirmed', async (t) => {
  const cancelled = async (confirmed_at: Date | null) => {
    const mail = write('booking_cancelled', { status: 'cancelled', confirmed_at });
    const { text } = await layOut(mail, null);
    return [mail.calendar?.method, text.includes(message('mail.calendar_removes'))];
  };
  t.deepEqual(await cancelled(new Date()), ['CANCEL', true]);
  t.deepEqual(await cancelled(null), [undefined, false]);
});

test('a reminder is sent for the start that it is about, whatever the room’s hours are by then', (t) => {
  const isSent = (changes: Partial<BookingMail>) => write('booking_reminder', changes) !== null;
  t.true(isSent({ reminder_hours: 1 }), 'they were lowered after it was queued');
  const { start_at } = bookingMail('booking_reminder', TEXTS.long, {});
  for (const changes of [
    { reminder_hours: null },
    { start_at: new Date(start_at.getTime() + HOUR_MS) },
    { status: 'cancelled' },
    { no_show_at: new Date() },
  ] as const)
    t.false(isSent(changes), JSON.stringify(changes));
});

test('the calendar file of a mail is in the language of its reader', (t) => {
  for (const [locale, term] of [
    ['en', 'Reference'],
    ['de', 'Referenz'],
  ] as const) {
    const { calendar } = write('booking_confirmed', { locale });
    t.true(calendar!.content.includes(`DESCRIPTION:${term}: 7KQ2-MX4T`), calendar!.content);
  }
});

test('the refund terms in a mail name the time zone of their times', async (t) => {
  const text = await writeText('booking_confirmed', {});
  t.is(text.match(/If cancelled by [^(]+ \(America\/Argentina\/Buenos_Aires\), /g)?.length, 2, text);
});
