import test from 'ava';
import type { Message } from '../../dev/mailbox/messages.js';
import { bookingBody, confirmedBooking, createBooking, pay, untilStatus } from '../support/bookings.js';
import { ON_NEXT_MONDAY } from '../support/days.js';
import { mailTo } from '../support/simulators.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { newMember } from '../support/people.js';
import { get, page } from '../support/manage-link-calls.js';
import { message } from '../support/message.js';

const ARRIVAL = {
  address: '12 Quay Street\nBristol BS1 4DJ',
  directions: 'Past the chandlery,\nsecond door',
  access_notes: 'Door code 4711#',
};

/** The calendar file of a mail. */
const calendarAttachment = ({ attachments }: Message): string =>
  Buffer.from(attachments.find(({ filename }) => filename === 'booking.ics')!.content, 'base64').toString();

/** Unfolded lines of an iCalendar file. */
const unfolded = (ics: string): string => ics.replaceAll(/\r?\n /g, '');

test('bookers learn how to arrive with their confirmation, and nobody learns it earlier', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, ARRIVAL);
  t.like(room, ARRIVAL, 'staff read it');
  const member = await newMember(workspace);
  const nothing = { address: null, directions: null, access_notes: null };
  t.like((await member.api.get(`/v1/rooms/${room.id}`)).body, nothing);
  t.like((await member.api.get('/v1/rooms')).body.data[0], nothing);
  const free = await member.api.get(`/v1/availability?room_id=${room.id}&${ON_NEXT_MONDAY}`);
  t.is(free.status, 200);
  t.notRegex(JSON.stringify(free.body), /Quay|4711/);

  const body = bookingBody(room.id);
  const held = await createBooking(api, body);
  const link = held.manage_url!;
  t.notRegex((await page(link)).text, /Quay|chandlery|4711/, 'a hold is told nothing');
  t.notRegex(await (await get(`${link}/booking.ics`)).text(), /Quay|chandlery|4711/);
  await pay(held);
  await untilStatus(api, held.id, 'confirmed');
  const { text } = await page(link);
  for (const words of ['12 Quay Street', 'second door', '4711#', held.reference])
    t.true(text.includes(words), words);

  const mail = await until(async () =>
    (await mailTo(body.booked_by.guest.email)).find(({ subject }) => /is confirmed/.test(subject)),
  );
  const directions = message('mail.directions_from', { name: 'Test house' });
  t.true(mail.text.includes(`${directions}:\n\n> Past the chandlery,\n> second door\n`));
  t.true(mail.text.includes(`${message('mail.access_from', { name: 'Test house' })}:\n\n> Door code 4711#`));
  t.regex(mail.text, /Address: 12 Quay Street/);
  t.true(mail.text.includes(`Reference: ${held.reference}`));
  const invitation = unfolded(calendarAttachment(mail));
  t.regex(invitation, /LOCATION:Blue room\\, 12 Quay Street\\, Bristol BS1 4DJ/);
  t.regex(
    invitation,
    /DESCRIPTION:Reference: \w{7}\\n\\nPast the chandlery\\,\\nsecond door\\n\\nDoor code 4711#/,
  );

  const feed = unfolded(String((await api.get('/v1/calendar.ics')).body));
  t.regex(feed, /LOCATION:Blue room\\, 12 Quay Street/);
  t.notRegex(feed, /4711/, 'the feed of staff is shared further');
  await api.post(`/v1/bookings/${held.id}/cancel`, { refund_policy: 'full' });
  t.notRegex((await page(link)).text, /Quay|4711/, 'nothing after a cancellation');
  const cancelled = await until(async () =>
    (await mailTo(body.booked_by.guest.email)).find(({ subject }) => /is cancelled/.test(subject)),
  );
  t.notRegex(cancelled.text + calendarAttachment(cancelled), /Quay|4711/);
});

test('members find in their own feed how to get in', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  await confirmedBooking(workspace.api, {
    room: ARRIVAL,
    body: { booked_by: { member_id: member.id } },
  });
  t.regex(unfolded(String((await member.api.get('/v1/calendar.ics')).body)), /Door code 4711#/);
});
