import test from 'ava';
import { bookingBody, createBooking, pay, untilStatus } from '../../support/bookings.js';
import { openOffice, pageText } from '../../support/dashboard.js';
import { mailTo } from '../../support/simulators.js';
import { dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, uniqueEmail } from '../../support/workspaces.js';
import { NEXT_MONDAY } from '../../support/days.js';

test('a price of several lines shows them in words on staff and payer pages and in the mail, also before it is booked', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const room = await newRoom(api, { time_zone: 'UTC' });
  const put = await api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [{ name: 'Evening', from: '18:00', to: '23:00', amount_minor: 4_000 }],
  });
  t.is(put.status, 200);
  const email = uniqueEmail();
  const [start_at, end_at] = [`${NEXT_MONDAY}T17:00:00.000Z`, `${NEXT_MONDAY}T20:00:00.000Z`];
  // An hour at 25.00 and two of the evening at 40.00.
  const said =
    /\(1 h at £25\.00\):? ?£25\.00.*Evening: .*\(2 h at £40\.00\):? ?£80\.00.*Net:? ?£105\.00.*Tax:? ?£21\.00.*£126\.00/s;
  const path = `${home}/book`;
  const form = { room_id: room.id, start_at: `${NEXT_MONDAY}T17:00`, end_at: `${NEXT_MONDAY}T20:00` };
  t.regex(pageText(await session.getText(`${path}?${new URLSearchParams(form)}`)), said);
  const asked = await session.submit(path, path, { ...form, attendees: '2', email, name: 'Grace Guest' });
  t.regex(pageText(await asked.text()), said, 'the review of the staff form');

  const booked_by = { guest: { email, name: 'Grace Guest' } };
  const booking = await createBooking(api, bookingBody(room.id, { start_at, end_at, booked_by }));
  await pay(booking);
  const { manage_url } = await untilStatus(api, booking.id, 'confirmed');
  t.regex(pageText(await session.getText(`${home}/bookings/${booking.id}`)), said);
  t.regex(pageText(await (await fetch(new URL(manage_url!, dev.baseUrl))).text()), said);
  const mail = await until(async () =>
    (await mailTo(email)).find(({ subject }) => subject.includes('is confirmed')),
  );
  t.regex(mail.text, said);
  t.regex(pageText(mail.html), said);
});
