import test from 'ava';
import {
  bookingBody,
  confirmedBooking,
  createBooking,
  freeHour,
  hoursLater,
  pendingBooking,
} from '../../support/bookings.js';
import { sweep } from '../../support/invariants.js';
import { withFaults } from '../../support/simulators.js';
import { readNotice } from '../../support/web-session.js';
import { openOffice, pageText } from '../../support/dashboard.js';
import { newMember } from '../../support/people.js';
import { WebSession } from '../../support/web-session.js';

test('a change that needs the bank’s authentication shows its link, amount and time, and can be withdrawn', async (t) => {
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
  t.regex(pageText(await asked.clone().text()), /£30\.00 is charged to the card.*you get a link/);
  t.regex(readNotice(await session.confirmForm(asked))!, /takes effect once it is paid/);
  const { body: pending } = await workspace.api.get(`/v1/bookings/${booking.id}/pending-change`);
  const shown = await session.getText(path);
  t.true(shown.includes(pending.checkout_url));
  const words = pageText(shown);
  t.regex(words, /Amount due £30\.00 Lapses at .* left Payment page/);
  t.regex(words, /Waiting for the payment of a change, which lapses at/);
  t.is(words.match(/A change (by \S+ )?is not paid yet/g)!.length, 1, 'told once');
  t.regex(words, /A change by \S+ is not paid yet: £30\.00 due until/);
  t.false(words.includes('Change booking'));
  const withdrawn = await session.submit(path, `${path}/withdraw-change`);
  t.regex(readNotice(withdrawn)!, /Change withdrawn/);
  const after = pageText(await session.getText(path));
  t.regex(after, /A change by (\S+) was withdrawn by \1 before it was paid; the booking stays as it is/);
  t.notRegex(after, /was not applied|not paid in time/);
  t.false(after.includes('Amount due'), 'the link is gone');
});

test('the form for a change takes the difference in the same step, for staff only', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  await api.post(`/v1/bookings/${booking.id}/payments`, { method: 'cash', amount_minor: 3_000 });
  const desk = await newMember(workspace, { role: 'front_desk' });
  const session = await WebSession.start(desk.email);
  const path = `/dashboard/${workspace.id}/bookings/${booking.id}`;
  const local = (time: string): string => time.slice(0, 16);
  const longer = (hours: number) => ({
    room_id: booking.room_id,
    start_at: local(booking.start_at),
    end_at: local(hoursLater(booking.end_at, hours)),
    attendees: '1',
    notes: '',
  });
  const asked = await session.submit(`${path}/change`, `${path}/change`, {
    ...longer(1),
    paid_by: 'card_terminal',
    reference: 'Slip 8810',
  });
  const review = pageText(await asked.clone().text());
  t.regex(
    review,
    /£30\.00 is recorded as paid by card terminal, and the booking is changed\..*Change and record £30\.00 as paid/,
  );
  t.notRegex(review, /payment link/);
  t.is(
    readNotice(await session.confirmForm(asked)),
    '£30.00 recorded as paid by card terminal. The booking is changed.',
  );
  t.like((await api.get(`/v1/bookings/${booking.id}`)).body, { price: { amount_minor: 6_000 } });
  const { data } = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body;
  const taken = data.find(({ kind }) => kind === 'top_up');
  t.like(taken, { amount_minor: 3_000, method: 'card_terminal', reference: 'Slip 8810' });

  const timeline = pageText(await session.getText(path));
  t.regex(timeline, /£30\.00 paid for a change by card terminal/);
  t.notRegex(timeline, /Payment (page|link) for a change|not paid yet/);

  const down = { method: 'POST', path: '/v1/checkout/sessions', status: 503, times: 100 };
  await withFaults(workspace, { fail: [down] }, async () => {
    const again = await session.submit(`${path}/change`, `${path}/change`, { ...longer(2), paid_by: 'cash' });
    t.is(
      readNotice(await session.confirmForm(again)),
      '£30.00 recorded as paid by cash. The booking is changed.',
    );
  });
  const audited = (await api.get('/v1/audit-log?action=booking.payment_taken')).body.data[0]!;
  const { data: payments } = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body;
  const newest = payments.find(({ kind, method }) => kind === 'top_up' && method === 'cash')!;
  t.like(audited.details, { payment_id: newest.id, amount_minor: 3_000, method: 'cash', reference: null });
  t.regex(audited.details.pending_change_id as string, /^chg_/);
  await sweep(t, workspace);

  const member = await newMember(workspace);
  const own = await createBooking(
    api,
    bookingBody(booking.room_id, { ...freeHour(60), booked_by: { member_id: member.id } }),
  );
  await api.post(`/v1/bookings/${own.id}/payments`, { method: 'cash', amount_minor: own.price.amount_minor });
  const theirs = await WebSession.start(member.email);
  const there = `/dashboard/${workspace.id}/bookings/${own.id}/change`;
  t.false((await theirs.getText(there)).includes('name="paid_by"'));
  const tries = await theirs.submit(there, there, {
    ...longer(0),
    start_at: local(own.start_at),
    end_at: local(hoursLater(own.end_at, 1)),
    paid_by: 'cash',
  });
  t.regex(readNotice(await theirs.confirmForm(tries))!, /takes effect once you have paid/);
});

test('the desk takes the difference of a change in the place where it took the price', async (t) => {
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
    pageText(await asked.clone().text()),
    /No card was used for the booking\. The change takes effect once £30\.00 is paid\. Take the payment at the desk, or send the payer the payment link.*Hold both slots until £30\.00 is paid/,
  );
  await session.confirmForm(asked);
  const shown = pageText(await session.getText(path));
  t.regex(shown, /Take payment.*Record £30\.00 as paid.*Amount due £30\.00/);
  const summary = pageText(await session.getText(`${path}/summary`));
  t.regex(summary, /To pay for change £30\.00.*Record £30\.00 as paid/);
  const taken = await session.submit(path, `${path}/payments`, { method: 'cash', reference: 'Till 2' });
  t.is(readNotice(taken), '£30.00 recorded as paid by cash. The booking is changed.');
  const after = pageText(await session.getText(path));
  t.regex(after, /£30\.00 paid for a change by cash/);
  t.false(after.includes('Take payment'));
  t.like((await api.get(`/v1/bookings/${booking.id}`)).body, { price: { amount_minor: 6_000 } });
});
