import test from 'ava';
import { confirmedBooking, hoursLater, pendingBooking } from '../support/bookings.js';
import { noticeOf } from '../support/web-session.js';
import { openOffice, wordsOf } from '../support/dashboard.js';
import { newMember } from '../api/people.js';
import { WebSession } from '../support/web-session.js';

test('a change that the bank wants to authenticate shows its link, amount and time, and is withdrawn', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { booking } = await confirmedBooking(workspace.api, { card: '4000002760003184' });
  const path = `${home}/bookings/${booking.id}`;
  const local = (time: string): string => time.slice(0, 16);
  const fields = {
    room_id: booking.room_id,
    start_at: local(booking.start_at),
    end_at: local(hoursLater(booking.end_at, 1)),
    attendees: '1',
    notes: '',
  };
  const asked = await session.submit(`${path}/change`, `${path}/change`, fields);
  t.regex(wordsOf(await asked.clone().text()), /£30\.00 is charged to the card.*you get a link/);
  t.regex(noticeOf(await session.confirmForm(asked))!, /takes effect once it is paid/);
  const { body: pending } = await workspace.api.get(`/v1/bookings/${booking.id}/pending-change`);
  const shown = await session.textOf(path);
  t.true(shown.includes(pending.checkout_url));
  const words = wordsOf(shown);
  t.regex(words, /Amount due £30\.00 Lapses at .* left Payment page/);
  t.regex(words, /Waiting for the payment of a change, which lapses at/);
  t.regex(words, /A change is not paid yet: £30\.00 due until/);
  t.false(words.includes('Change booking'));
  const withdrawn = await session.submit(path, `${path}/withdraw-change`);
  t.regex(noticeOf(withdrawn)!, /Change withdrawn/);
  const after = wordsOf(await session.textOf(path));
  t.regex(
    after,
    /was not applied The change was withdrawn before it was paid.*A change was not paid in time; the booking stays/,
  );
  t.false(after.includes('Amount due'), 'the link is gone');
});

test('the desk takes the difference of a change where it took the price', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  const cash = { method: 'cash', amount_minor: 3_000 };
  t.is((await api.post(`/v1/bookings/${booking.id}/payments`, cash)).status, 201);
  const desk = await newMember(workspace, { role: 'front_desk' });
  const session = await WebSession.start(desk.email);
  const path = `/dashboard/${workspace.id}/bookings/${booking.id}`;
  const local = (time: string): string => time.slice(0, 16);
  const asked = await session.submit(`${path}/change`, `${path}/change`, {
    room_id: booking.room_id,
    start_at: local(booking.start_at),
    end_at: local(hoursLater(booking.end_at, 1)),
    attendees: '1',
    notes: '',
  });
  t.regex(
    wordsOf(await asked.clone().text()),
    /No card was used for the booking\. The change waits until £30\.00 is paid: take it at the desk, or send the payer the link.*Hold both slots until £30\.00 is paid/,
  );
  await session.confirmForm(asked);
  const shown = wordsOf(await session.textOf(path));
  t.regex(shown, /Amount due £30\.00.*Take payment.*Record £30\.00 as paid/);
  const summary = wordsOf(await session.textOf(`${path}/summary`));
  t.regex(summary, /To pay for its change £30\.00.*Record £30\.00 as paid/);
  const taken = await session.submit(path, `${path}/payments`, { method: 'cash', reference: 'Till 2' });
  t.is(noticeOf(taken), '£30.00 recorded as paid by cash. The booking is changed.');
  const after = wordsOf(await session.textOf(path));
  t.regex(after, /£30\.00 paid for a change by cash/);
  t.false(after.includes('Take payment'));
  t.like((await api.get(`/v1/bookings/${booking.id}`)).body, { price: { amount_minor: 6_000 } });
});
