import test from 'ava';
import {
  bookingBody,
  confirmedBooking,
  createBooking,
  hoursLater,
  untilStatus,
} from '../../support/bookings.js';
import { openOffice, pageText } from '../../support/dashboard.js';
import { newMember } from '../../support/people.js';
import { newRoom } from '../../support/workspaces.js';

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
