import test from 'ava';
import {
  bookingBody,
  confirmedBooking,
  createBooking,
  freeHour,
  hoursLater,
  untilStatus,
} from '../../support/bookings.js';
import { openOffice, pageText } from '../../support/dashboard.js';
import { newMember } from '../../support/people.js';
import type { WebSession } from '../../support/web-session.js';
import { newRoom, uniqueEmail } from '../../support/workspaces.js';

const REFUNDED = (percent: number) => [{ hours_before: 0, percent }];

/** The offset of a zone without daylight saving time. */
const ABROAD = 'Asia/Tokyo';
const HOURS_AHEAD = 9;

test('reviews have the terms that an earlier move has left, and name the zone of their times', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, {
    room: { time_zone: ABROAD, refund_steps: REFUNDED(50) },
  });
  const { id, room, start_at } = booking;
  t.is((await api.patch(`/v1/bookings/${id}`, { start_at: hoursLater(start_at, 24) })).status, 200);
  await api.patch(`/v1/rooms/${room.id}`, { refund_steps: REFUNDED(100) });

  const at = `${home}/bookings/${id}`;
  const limited = /At most 50% of the payments made before the booking was changed is refunded\./;
  const asked = { refund_policy: 'standard', refund_amount_minor: '', reason: '' };
  const cancelling = pageText(await (await session.submit(at, `${at}/cancel`, asked)).text());
  t.regex(cancelling, limited);
  t.regex(cancelling, /\(Asia\/Tokyo\), booked by/);
  t.regex(cancelling, /Refund terms \(Asia\/Tokyo\): If cancelled before the start/);

  const local = (hours: number): string => hoursLater(start_at, HOURS_AHEAD + hours).slice(0, 16);
  const moved = { room_id: room.id, start_at: local(48), end_at: local(49), attendees: '1' };
  const changing = pageText(await (await session.submit(`${at}/change`, `${at}/change`, moved)).text());
  t.regex(changing, limited);
  t.regex(changing, /Current .*\(Asia\/Tokyo\) New .*\(Asia\/Tokyo\) Price/);
  t.regex(changing, /Refund terms \(Asia\/Tokyo\): If cancelled before the start/);

  const [invoice] = (await api.get(`/v1/invoices?booking_id=${id}`)).body.data;
  const document = pageText(await session.getText(`${home}/invoices/${invoice!.id}`));
  t.regex(document, /Booking [^(]*\(Asia\/Tokyo\)/);
});

test('the terms of an unpaid booking on account are those of what is due', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', payment_terms: 14 });
  const member = await newMember(workspace, { name: 'Carl', company_id: company.id });
  const room = await newRoom(api, { refund_steps: REFUNDED(100) });
  const body = bookingBody(room.id, { booked_by: { member_id: member.id }, settle: 'on_account' });
  const { id } = await createBooking(api, body);
  await untilStatus(api, id, 'confirmed');
  const at = `${home}/bookings/${id}`;
  const asked = { refund_policy: 'standard', refund_amount_minor: '', reason: '' };
  const cancelling = pageText(await (await session.submit(at, `${at}/cancel`, asked)).text());
  t.regex(cancelling, /Refund terms: If cancelled before the start, nothing is due\./);
  t.regex(cancelling, /Booked on account: £[\d.]+ is no longer due\./);
});

/** Presses the button of a review after something has changed; returns the review with the new amount. */
async function reviewAgain(session: WebSession, review: Response, before: RegExp, change: () => unknown) {
  const shown = review.clone();
  if (!before.test(await shown.text())) throw new Error(`not ${before}: ${await review.text()}`);
  await change();
  return session.confirmForm(review);
}

test('a review is carried out with the amounts that it showed, or shown again', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, {
    room: { time_zone: 'UTC', refund_steps: REFUNDED(100) },
  });
  const { id, room, start_at, end_at } = booking;
  const at = `${home}/bookings/${id}`;
  const read = async () => (await api.get(`/v1/bookings/${id}`)).body;
  const isAgain = async (response: Response, button: RegExp) => {
    t.is(response.status, 409);
    const html = await response.clone().text();
    t.regex(html, /role="alert">The amount has changed/);
    t.regex(html, button);
  };

  const longer = { room_id: room.id, start_at: start_at.slice(0, 16), attendees: '1' };
  const toThree = { ...longer, end_at: hoursLater(end_at, 2).slice(0, 16) };
  const change = await reviewAgain(
    session,
    await session.submit(`${at}/change`, `${at}/change`, toThree),
    /Change and charge £60\.00/,
    () => api.patch(`/v1/bookings/${id}`, { end_at: hoursLater(end_at, 1) }),
  );
  await isAgain(change, /Change and charge £30\.00/);
  t.is((await read()).price.amount_minor, 6_000);
  t.is((await session.confirmForm(change)).status, 302);
  t.is((await read()).price.amount_minor, 9_000);

  const asked = { refund_policy: 'standard', refund_amount_minor: '', reason: '' };
  const cancel = await reviewAgain(
    session,
    await session.submit(at, `${at}/cancel`, asked),
    /Cancel and refund £90\.00/,
    () => api.patch(`/v1/rooms/${room.id}`, { refund_steps: REFUNDED(50) }),
  );
  await isAgain(cancel, /Cancel and refund £45\.00/);
  t.is((await read()).status, 'confirmed');
  t.is((await session.confirmForm(cancel)).status, 302);
  await untilStatus(api, id, 'cancelled');

  const hour = freeHour(3);
  const times = { start_at: hour.start_at.slice(0, 16), end_at: hour.end_at.slice(0, 16) };
  const booker = { email: uniqueEmail(), name: 'Grace Guest', attendees: '1' };
  const book = await reviewAgain(
    session,
    await session.submit(`${home}/book`, `${home}/book`, { room_id: room.id, ...times, ...booker }),
    /Hold slot for £30\.00/,
    () => api.patch(`/v1/rooms/${room.id}`, { price_per_hour: { currency: 'GBP', amount_minor: 3_000 } }),
  );
  await isAgain(book, /Hold slot for £36\.00/);
  t.is((await api.get('/v1/bookings?status=pending_payment')).body.data.length, 0);
  t.is((await session.confirmForm(book)).status, 302);
  const { data } = (await api.get('/v1/bookings?status=pending_payment')).body;
  t.is(data[0]!.price.amount_minor, 3_600);
});
