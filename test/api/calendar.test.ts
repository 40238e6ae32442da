import { DAY_MS } from '../../domain/durations.js';
import test, { type ExecutionContext } from 'ava';
import ICAL from 'ical.js';
import {
  anonymous,
  bookingBody,
  mailTo,
  newRoom,
  newWorkspace,
  uniqueEmail,
  until,
  type ApiClient,
  type ApiResponse,
} from '../support/stack.js';
import { isError, later } from './booking-calls.js';
import { newKey, newMember } from './people.js';
import { storeBookings } from './stored-bookings.js';

const FREE = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const ahead = (days: number): string =>
  new Date(Math.ceil(Date.now() / DAY_MS + days) * DAY_MS).toISOString();

async function feed(api: ApiClient, query: Record<string, string> = {}): Promise<string> {
  const { status, body } = await api.get(`/v1/calendar.ics?${new URLSearchParams(query)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** The entries of a document by booking id, read with another library than the one that wrote them. */
function entries(document: string): Map<string, InstanceType<typeof ICAL.Event>> {
  const calendar = new ICAL.Component(ICAL.parse(document));
  const events = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
  return new Map(events.map((event) => [event.uid.replace('@holdfast', ''), event]));
}

const idsIn = async (api: ApiClient, query: Record<string, string> = {}): Promise<string[]> => [
  ...entries(await feed(api, query)).keys(),
];

/** RFC 5545's rules for lines, which parsers do not enforce. */
function isWellFormed(t: ExecutionContext, document: string): void {
  t.true(document.endsWith('END:VCALENDAR\r\n'));
  t.false(/[^\r]\n|\r[^\n]/.test(document), 'every line ends with CRLF');
  // oxlint-disable-next-line no-control-regex
  t.notRegex(document, /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  for (const line of document.split('\r\n')) {
    t.true(Buffer.byteLength(line) <= 75, line);
    t.is(Buffer.from(line).toString(), line, 'no character is split');
  }
}

async function book(api: ApiClient, roomId: string, overrides: Record<string, unknown> = {}) {
  const { status, body } = await api.post('/v1/bookings', bookingBody(roomId, overrides));
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

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
  t.is(entry.description, 'Booked by Grace Guest\nAttendees: 3\n\nBy the window');
  t.notRegex(response.body, /example\.com/, 'no mail address');
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
  const name = `Über, alles; "naïve" \\n C:\\new 🎉\r\nBEGIN:VEVENT\u0007${'家🏠é'.repeat(12)}`;
  const { api } = await newWorkspace({ name });
  const room = await newRoom(api, { ...FREE, name });
  const notes = `one, two; three\\four\nfive\r\nsix\tseven\u001b ${'🇬🇧 ñandú, '.repeat(300)}END`;
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

test('cancelled and expired bookings are shown as cancelled for 30 days, then removed', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const room = await newRoom(api);
  const [start_at, place] = [new Date(ahead(10)), { workspace_id, room_id: room.id }];
  const [over, cancelled, expired] = await storeBookings(place, [
    { start_at: ago(3) },
    { start_at, status: 'cancelled', cancelled_at: ago(29.9) },
    { start_at, status: 'expired', expired_at: ago(29.9) },
    { start_at, status: 'cancelled', cancelled_at: ago(30.1) },
    { start_at, status: 'expired', expired_at: ago(30.1) },
  ]);
  const found = entries(await feed(api));
  const shown = [...found].map(([id, { component }]) =>
    [id, component.getFirstPropertyValue('status'), component.getFirstPropertyValue('transp')].join(),
  );
  t.deepEqual(
    shown.sort(),
    [
      `${over},CONFIRMED,OPAQUE`,
      `${cancelled},CANCELLED,TRANSPARENT`,
      `${expired},CANCELLED,TRANSPARENT`,
    ].sort(),
  );
});

test('the feed can be filtered by from, to, room and member; by default it starts 30 days ago and has no end', async (t) => {
  const { api, id: workspace_id, ...workspace } = await newWorkspace();
  const [blue, red] = [await newRoom(api), await newRoom(api)];
  const member = await newMember({ ...workspace, api, id: workspace_id });
  const [, recent, first, second] = await storeBookings({ workspace_id, room_id: blue.id }, [
    { start_at: ago(31) },
    { start_at: ago(29) },
    { start_at: new Date(ahead(1)) },
    { start_at: new Date(ahead(700)), member_id: member.id },
  ]);
  const [other] = await storeBookings({ workspace_id, room_id: red.id }, [{ start_at: new Date(ahead(2)) }]);
  t.deepEqual(await idsIn(api), [recent, first, other, second]);
  t.deepEqual(await idsIn(api, { from: ahead(1), to: ahead(2) }), [first]);
  t.deepEqual(await idsIn(api, { from: ahead(2), to: later(ahead(2), 1) }), [other]);
  t.deepEqual(await idsIn(api, { from: later(ahead(2), 1), to: later(ahead(2), 1) }), []);
  t.deepEqual(await idsIn(api, { room_id: red.id }), [other]);
  t.deepEqual(await idsIn(api, { member_id: member.id }), [second]);
  t.deepEqual(await idsIn(api, { member_id: member.id, room_id: red.id }), []);
  isWellFormed(t, await feed(api, { room_id: blue.id, from: ahead(800) }));
  for (const [param, value] of [
    ['from', 'now'],
    ['to', '2027-03-01T10:00:00'],
    ['room_id', 'room'],
    ['member_id', 'ada'],
    ['limit', '1'],
  ] as const) {
    const response = await api.get(`/v1/calendar.ics?${param}=${value}`);
    isError(t, response, 422, 'validation_failed', param);
    t.is(response.body.error.param, param);
  }
});

test('a member sees their own bookings, other roles those of the workspace, nobody those of another workspace', async (t) => {
  const workspace = await newWorkspace();
  const { api, id: workspace_id } = workspace;
  const room = await newRoom(api, { name: 'Blue room' });
  const [member, billing, admin] = [
    await newMember(workspace),
    await newMember(workspace, { role: 'billing_contact' }),
    await newMember(workspace, { role: 'admin' }),
  ];
  const [own, others] = await storeBookings({ workspace_id, room_id: room.id }, [
    { start_at: new Date(ahead(1)), member_id: member.id },
    { start_at: new Date(ahead(2)) },
  ]);
  t.deepEqual(await idsIn(member.api), [own]);
  t.deepEqual(await idsIn(member.api, { member_id: member.id }), [own]);
  t.deepEqual(await idsIn(member.api, { member_id: admin.id }), []);
  for (const person of [billing, admin, { api }]) t.deepEqual(await idsIn(person.api), [own, others]);
  t.is(
    entries(await feed(member.api)).get(own!)!.summary,
    'Blue room',
    'a member’s own entry omits their name',
  );
  t.is(entries(await feed(api)).get(own!)!.summary, 'Blue room – Mel Member');
  const theirs = await newWorkspace();
  t.deepEqual(await idsIn(theirs.api), []);
  t.deepEqual(await idsIn(theirs.api, { room_id: room.id }), []);

  const biller = await newKey(workspace, workspace.ownerId, { resources: ['billing'] });
  isError(t, await biller.get('/v1/calendar.ics'), 403, 'auth_scope_insufficient');
  for (const query of [
    `token=${api.token}`,
    `access_token=${api.token}`,
    `authorization=Bearer ${api.token}`,
  ])
    isError(t, await anonymous('GET', `/v1/calendar.ics?${query}`), 401, 'auth_invalid', query);
});

test('an ETag is valid until the content of the feed changes', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, FREE);
  const ask = (etag?: string) =>
    api.get('/v1/calendar.ics', undefined, etag ? { 'if-none-match': etag } : {});
  const seen: string[] = [];
  const isNew = async (what: string) => {
    const response = await ask(seen.at(-1));
    t.is(response.status, 200, what);
    const etag = response.headers.get('etag')!;
    t.false(seen.includes(etag), what);
    seen.push(etag);
    const again = await ask(etag);
    t.is(again.status, 304, what);
    t.is<string, string>(again.body, '');
    t.is(again.headers.get('etag'), etag);
    t.is((await ask(`"other", W/${etag}`)).status, 304);
    t.is((await ask()).body, response.body, 'the body does not depend on the time of the request');
  };
  await isNew('empty');
  const made = await book(api, room.id);
  await isNew('a booking');
  await api.patch(`/v1/rooms/${room.id}`, { name: 'Green room' });
  await isNew('a new name of the room');
  await api.patch('/v1/workspace', { name: 'Other house' });
  await isNew('a new name of the workspace');
  await api.patch(`/v1/bookings/${made.id}`, { notes: 'Bring chairs' });
  await isNew('notes');

  const head = await anonymous('HEAD', '/v1/calendar.ics', undefined, {
    authorization: `Bearer ${api.token}`,
  });
  t.is(head.status, 200);
  t.is<unknown, string>(head.body, '');
  t.is(head.headers.get('etag'), seen.at(-1)!);
  t.is(Number(head.headers.get('content-length')), Buffer.byteLength((await ask()).body));
});

test('a feed of 10,000 bookings is returned; one of 10,001 is refused', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const room = await newRoom(api);
  const first = Date.parse(ahead(1));
  const many = Array.from({ length: 10_000 }, (_, i) => ({ start_at: new Date(first + i * 60_000) }));
  await storeBookings({ workspace_id, room_id: room.id }, many);
  const count = (document: string) => document.match(/^BEGIN:VEVENT\r$/gm)?.length;
  t.is(count(await feed(api)), 10_000);
  await storeBookings({ workspace_id, room_id: room.id }, [{ start_at: new Date(first) }]);
  const response = await api.get('/v1/calendar.ics');
  isError(t, response, 422, 'validation_failed');
  t.is(response.body.error.param, 'to');
  t.is(count(await feed(api, { to: new Date(first + 60_000).toISOString() })), 2);
});

test('the mail of a confirmed booking has the same entry attached', async (t) => {
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
});
