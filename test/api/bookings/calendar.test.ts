import { DAY_MS } from '../../../domain/durations.js';
import test from 'ava';
import ICAL from 'ical.js';
import type { ApiResponse } from '../../support/api-response.js';
import { mailTo } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace, findOwnerEmail, uniqueEmail } from '../../support/workspaces.js';
import { later } from '../../support/booking-calls.js';
import { FREE, book, entries, feed, isWellFormed } from './calendar-calls.js';

test('a booking is an entry with a stable UID, UTC instants, status and sequence', async (t) => {
  const { api } = await newWorkspace({ name: 'Harbour House' });
  const room = await newRoom(api, { ...FREE, name: 'Blue room' });
  const priced = await newRoom(api, { name: 'Red room' });
  const confirmed = await book(api, room.id, { attendees: 3, notes: 'By the window' });
  const pending = await book(api, priced.id);
  const response = await api.get('/v1/calendar.ics');
  t.is(response.headers.get('content-type'), 'text/calendar; charset=utf-8');
  isWellFormed(t, response.body);
  for (const line of [
    'VERSION:2.0',
    'X-WR-CALNAME:Harbour House',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    `UID:${confirmed.id}@holdfast`,
    'SEQUENCE:0',
    `DTSTART:${confirmed.start_at.replace(/[-:]|\.000/g, '')}`,
    `DTEND:${confirmed.end_at.replace(/[-:]|\.000/g, '')}`,
  ]) {
    t.true(response.body.split('\r\n').includes(line), line);
  }
  const found = entries(response.body);
  const entry = found.get(confirmed.id)!;
  t.is(entry.startDate.toJSDate().toISOString(), confirmed.start_at);
  t.is(entry.endDate.toJSDate().toISOString(), confirmed.end_at);
  t.is(entry.summary, 'Blue room – Grace Guest');
  t.is(entry.location, 'Blue room, Harbour House');
  t.is(
    entry.description,
    `Reference: ${confirmed.reference}\nBooked by Grace Guest\nAttendees: 3\n\nBy the window`,
  );
  t.notRegex(response.body, /example\.com/, 'no email address');
  const status = (id: string) => found.get(id)!.component.getFirstPropertyValue('status');
  t.deepEqual([status(confirmed.id), status(pending.id)], ['CONFIRMED', 'TENTATIVE']);
});

test('a change and a cancellation keep the UID and increase the SEQUENCE', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, FREE);
  const made = await book(api, room.id);
  const change = async (request: Promise<ApiResponse>) => {
    const { status, body } = await request;
    t.is(status, 200, JSON.stringify(body));
    return entries(await feed(api)).get(made.id)!;
  };
  const first = entries(await feed(api)).get(made.id)!;
  const start_at = later(made.start_at, 1_000);
  const moved = await change(api.patch(`/v1/bookings/${made.id}`, { start_at }));
  const cancelled = await change(api.post(`/v1/bookings/${made.id}/cancel`, {}));
  t.is(moved.startDate.toJSDate().toISOString(), start_at);
  t.is(cancelled.component.getFirstPropertyValue('status'), 'CANCELLED');
  t.deepEqual([moved.uid, cancelled.uid], [first.uid, first.uid]);
  t.true(first.sequence < moved.sequence && moved.sequence < cancelled.sequence);
});

test('any text is folded and escaped without loss, and cannot inject a line', async (t) => {
  const name = `Über, alles; "naïve" \\n C:\\new 🎉 ${'家🏠é'.repeat(12)}`;
  const { api } = await newWorkspace({ name });
  const room = await newRoom(api, { ...FREE, name });
  const notes =
    'one, two; three\\four\nfive\r\nBEGIN:VEVENT\u0007\r\nsix\tseven\u001b ' +
    `${'🇬🇧 ñandú, '.repeat(300)}END`;
  const guest = { email: uniqueEmail(), name: `Zoë; "Ann", O’Neil\\${'ß'.repeat(100)}` };
  const made = await book(api, room.id, { notes, booked_by: { guest } });
  const document = await feed(api);
  isWellFormed(t, document);
  const found = entries(document);
  t.deepEqual([...found.keys()], [made.id]);
  const read = (text: string) =>
    text.replace(/\r\n/g, '\n').replaceAll('\u0007', '').replaceAll('\u001b', '');
  const entry = found.get(made.id)!;
  t.is(entry.summary, `${read(name)} – ${guest.name}`);
  t.is(entry.location, `${read(name)}, ${read(name)}`);
  t.true(entry.description.endsWith(read(notes)));
  const calendar = new ICAL.Component(ICAL.parse(document));
  t.is(calendar.getAllSubcomponents().length, 1);
});

test('on days with 23 and 25 hours an entry has the booked instants', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { ...FREE, time_zone: 'Europe/London' });
  // In London clocks go forward at 01:00 UTC on the last Sunday of March, and back at 01:00 UTC on October's.
  const lastSunday = (month: number): string => {
    const year = new Date().getUTCFullYear() + 1;
    const last = new Date(Date.UTC(year, month + 1, 0));
    return new Date(+last - last.getUTCDay() * DAY_MS).toISOString().slice(0, 10);
  };
  for (const date of [lastSunday(2), lastSunday(9)]) {
    for (const [from, to] of [
      ['00:00', '02:00'],
      ['02:30', '03:00'],
    ]) {
      const slot = { start_at: `${date}T${from}:00.000Z`, end_at: `${date}T${to}:00.000Z` };
      const made = await book(api, room.id, slot);
      const entry = entries(await feed(api)).get(made.id)!;
      t.is(entry.startDate.zone, ICAL.Timezone.utcTimezone);
      t.is(entry.startDate.toJSDate().toISOString(), slot.start_at);
      t.is(entry.endDate.toJSDate().toISOString(), slot.end_at);
    }
  }
});

test('the confirmation mail has the same entry attached', async (t) => {
  const { api } = await newWorkspace({ name: 'Harbour, House' });
  const room = await newRoom(api, { ...FREE, name: 'Grüner Saal; oben' });
  const email = uniqueEmail();
  const made = await book(api, room.id, { booked_by: { guest: { email, name: 'Grace Guest' } } });
  const [mail] = await until(async () => {
    const mails = await mailTo(email);
    return mails.length > 0 && mails;
  });
  const file = mail!.attachments.find(({ filename }: { filename: string }) => filename === 'booking.ics')!;
  // The mailbox reads text with plain line feeds.
  const document = Buffer.from(file.content, 'base64').toString().replaceAll('\n', '\r\n');
  isWellFormed(t, document);
  const [inMail, inFeed] = [document, await feed(api)].map((text) => entries(text).get(made.id)!);
  for (const field of ['uid', 'sequence', 'location', 'startDate', 'endDate'] as const)
    t.is(String(inMail![field]), String(inFeed![field]), field);
  const unfolded = document.replaceAll('\r\n ', '');
  t.regex(unfolded, /^METHOD:REQUEST\r$/m);
  t.regex(unfolded, /^ORGANIZER;CN="Harbour, House":mailto:no-reply@holdfast\.invalid\r$/m);
  t.regex(unfolded, new RegExp(`^ATTENDEE;.*PARTSTAT=ACCEPTED;.*mailto:${email}\\r$`, 'mi'));
  t.regex(unfolded, /^ATTENDEE;.*RSVP=FALSE/m);
});

test('a cancellation has the same organizer as its invitation, even if the workspace’s contact has changed, and never the guest', async (t) => {
  const { api, id } = await newWorkspace();
  const owner_email = await findOwnerEmail(id);
  const room = await newRoom(api, FREE);
  t.is((await api.patch('/v1/workspace', { contact_email: owner_email })).status, 200);
  // Staff who book in the name of the house.
  const made = await book(api, room.id, { booked_by: { guest: { email: owner_email, name: 'Desk' } } });
  const people = async (method: string): Promise<string[]> => {
    const document = await until(async () => {
      const files = (await mailTo(owner_email)).flatMap(({ attachments }) => attachments);
      const texts = files.map(({ content }) => Buffer.from(content, 'base64').toString());
      return texts.find((text) => text.includes(`METHOD:${method}`));
    });
    const event = new ICAL.Component(ICAL.parse(document)).getFirstSubcomponent('vevent')!;
    return ['organizer', 'attendee'].map((name) =>
      String(event.getFirstPropertyValue(name)).toLowerCase().replace('mailto:', ''),
    );
  };
  const invited = await people('REQUEST');
  t.deepEqual(invited, ['no-reply@holdfast.invalid', owner_email.toLowerCase()]);
  t.is((await api.patch('/v1/workspace', { contact_email: null })).status, 200);
  t.is((await api.post(`/v1/bookings/${made.id}/cancel`)).status, 200);
  t.deepEqual(await people('CANCEL'), invited);
});
