import test from 'ava';
import { messageBooker, messageDay } from '../../commands/bookings/messages.js';
import { listTimeline } from '../../db/queries/bookings/timeline.js';
import { scaledMailQuotas } from '../../domain/api-keys/limits.js';
import type { Principal } from '../../domain/policies.js';
import { bookingBody, confirmedBooking } from '../support/bookings.js';
import { daysAfter, NEXT_MONDAY } from '../support/days.js';
import { newMember } from '../support/people.js';
import { mailTo } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { storeBookings } from '../support/stored-bookings.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, uniqueEmail, type TestWorkspace } from '../support/workspaces.js';

const WRITTEN = {
  subject: 'The lift is out of order',
  text: 'Use the stairs, see https://example.com/stairs\n<b>Sorry</b> & thanks',
};
const DAY = NEXT_MONDAY;
const free = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };
const at = (hour: number, day = DAY) => ({
  start_at: `${day}T${hour}:00:00.000Z`,
  end_at: `${day}T${hour + 1}:00:00.000Z`,
});
const guest = (email: string, more: object = {}) => ({
  booked_by: { guest: { email, name: 'Ada', ...more } },
});

const messagesTo = async (email: string, { subject } = WRITTEN) =>
  (await mailTo(email)).filter((mail) => mail.subject === subject);

/** The only message that an address gets. */
const messageTo = async (email: string) => {
  const [mail] = await until(async () => {
    const found = await messagesTo(email);
    return found.length > 0 && found;
  });
  return mail!;
};

const stored = (column: 'body' | 'message_id', { id }: TestWorkspace): Promise<Record<string, string>[]> =>
  db.query(`SELECT ${column} FROM booking_messages WHERE workspace_id = $1 ORDER BY message_id`, [id]);

test('the booker of a booking gets what staff write, once, as plain text in a frame of their language', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const desk = await newMember(workspace, { name: 'Dana Desk', role: 'front_desk' });
  const email = uniqueEmail();
  const room = await newRoom(api, free);
  const { body: booking } = await api.post(
    '/v1/bookings',
    bookingBody(room.id, { ...at(10), ...guest(email, { locale: 'de' }) }),
  );
  const path = `/v1/bookings/${booking.id}/messages` as const;
  const key = { 'idempotency-key': 'lift' };
  const sent = await Promise.all([1, 2, 3, 4, 5].map(() => desk.api.post(path, WRITTEN, key)));
  t.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 201]);
  t.is(new Set(sent.map(({ body }) => body.id)).size, 1);
  t.like(sent[0]!.body, { ...WRITTEN, booking_ids: [booking.id], sent_to: email });
  const other = await desk.api.post(path, { ...WRITTEN, text: 'Another' }, key);
  t.is(other.body.error?.code, 'idempotency_conflict');

  const mail = await messageTo(email);
  t.true(mail.text.includes('> Use the stairs, see https://example.com/stairs\n> <b>Sorry</b> & thanks'));
  t.true(mail.html.includes('&lt;b>Sorry&lt;/b> &amp; thanks'), 'what staff write is no markup');
  t.false(mail.html.includes('href="https://example.com'), 'an address stays text');
  t.regex(mail.text, /^Guten Tag Ada,[^]*Test house schreibt:[^]*Buchung ansehen/, 'the frame is German');
  t.true(mail.text.includes(booking.reference));
  t.true(mail.text.includes(booking.manage_url!));
  t.is((await messagesTo(email)).length, 1);

  // That it was sent is stored after the mail server has it.
  const entries = await until(async () => {
    const timeline = await listTimeline(db.manager, workspace.id, booking.id);
    const messages = timeline.flatMap((entry) => (entry.kind === 'message' ? entry : []));
    return messages.some(({ facts }) => facts.status === 'pending') ? null : messages;
  });
  t.is(entries.length, 1);
  t.like(entries[0]!.facts, { ...WRITTEN, by: 'Dana Desk', status: 'sent', with_key: true });
  const { data } = (await api.get('/v1/audit-log?action=booking.message_sent')).body;
  t.is(data.length, 1);
  t.like(data[0]!, { object: booking.id, details: { message_id: sent[0]!.body.id } });
});

test('the bookers of a day get one message each, and those who get none are listed', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [red, blue] = [await newRoom(api, free), await newRoom(api, free)];
  const [ada, grace, lin, away] = [uniqueEmail(), uniqueEmail(), uniqueEmail(), uniqueEmail()];
  const book = async (room: { id: string }, hour: number, email: string, day = DAY) =>
    (await api.post('/v1/bookings', bookingBody(room.id, { ...at(hour, day), ...guest(email) }))).body;
  const first = await book(red, 10, ada);
  const second = await book(blue, 12, ada.toUpperCase().replace('EXAMPLE.COM', 'example.com'));
  const third = await book(red, 14, ada);
  const ofGrace = await book(blue, 15, grace);
  const cancelled = await book(red, 16, lin);
  await api.post(`/v1/bookings/${cancelled.id}/cancel`, {});
  await book(red, 10, away, daysAfter(DAY, 1));
  const erased = await book(blue, 17, lin);
  await api.post('/v1/guests/erase', { email: lin });
  // A guest of the booking page, whose address nobody has proved.
  const stranger = uniqueEmail();
  const [strangersCancelled, unproven] = await storeBookings(
    { workspace_id: workspace.id, room_id: red.id },
    [
      { start_at: new Date(at(18).start_at), source: 'page', guest_email: stranger, status: 'cancelled' },
      { start_at: new Date(at(19).start_at), source: 'page', guest_email: stranger },
    ],
  );

  const key = { 'idempotency-key': 'day' };
  const body = { date: DAY, ...WRITTEN };
  const sent = await Promise.all([1, 2, 3].map(() => api.post('/v1/messages', body, key)));
  t.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 200, 201]);
  for (const answer of sent) t.deepEqual(answer.body, sent[0]!.body);
  const { data, skipped } = sent[0]!.body;
  t.deepEqual(
    data.map(({ booking_ids }) => booking_ids),
    [[first.id, second.id, third.id], [ofGrace.id]],
  );
  t.deepEqual(Object.fromEntries(skipped.map(({ booking_id, reason }) => [booking_id, reason])), {
    // A cancelled booking is not about this day any more, even of somebody who was erased.
    [cancelled.id]: 'cancelled',
    [erased.id]: 'erased',
    [strangersCancelled!]: 'cancelled',
    [unproven!]: 'unconfirmed',
  });
  const mail = await messageTo(ada);
  for (const { reference, manage_url } of [first, second, third]) {
    t.true(mail.text.includes(reference));
    t.true(mail.text.includes(manage_url!));
  }
  await messageTo(grace);
  t.is((await messagesTo(ada)).length, 1);
  for (const email of [away, lin, stranger]) t.deepEqual(await messagesTo(email), []);
  for (const { id } of [first, second, third]) {
    const timeline = await listTimeline(db.manager, workspace.id, id);
    t.is(
      timeline.filter(({ kind }) => kind === 'message').length,
      1,
      'it is in the timeline of each booking',
    );
  }

  const ofRed = await api.post('/v1/messages', { ...body, room_id: red.id });
  t.deepEqual(
    ofRed.body.data.map(({ booking_ids }) => booking_ids),
    [[first.id, third.id]],
  );
  const audited = (await api.get('/v1/audit-log?action=day.message_sent')).body.data;
  t.deepEqual(
    audited.map(({ details }) => details),
    [
      { date: DAY, room_id: red.id, messages: 1 },
      { date: DAY, messages: 2 },
    ],
  );
});

test('nobody writes to the bookers of another workspace, or to nobody', async (t) => {
  const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
  const { booking, email } = await confirmedBooking(theirs.api);
  const one = await mine.api.post(`/v1/bookings/${booking.id}/messages`, WRITTEN);
  t.is(one.body.error?.code, 'booking_not_found');
  const date = booking.start_at.slice(0, 10);
  const theirRoom = await mine.api.post('/v1/messages', { date, room_id: booking.room_id, ...WRITTEN });
  t.deepEqual([theirRoom.status, theirRoom.body.error?.param], [422, 'room_id']);
  const allRooms = await mine.api.post('/v1/messages', { date, ...WRITTEN });
  t.is(allRooms.status, 422, 'their bookings are not of my day');
  t.deepEqual(await stored('body', mine), []);
  t.deepEqual(await messagesTo(email), []);
  for (const wrong of [
    { ...WRITTEN, subject: 'Win at https://evil.example' },
    { ...WRITTEN, subject: 'Two\nlines' },
    { ...WRITTEN, text: ' \n' },
    { ...WRITTEN, text: 'x'.repeat(5_001) },
  ]) {
    const refused = await theirs.api.post(`/v1/bookings/${booking.id}/messages`, wrong);
    t.is(refused.status, 422, JSON.stringify(wrong).slice(0, 80));
  }
});

test('an erasure removes what was written to a person, and only that', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, free);
  const [ada, grace] = [uniqueEmail(), uniqueEmail()];
  for (const [hour, email] of [
    [10, ada],
    [12, grace],
  ] as const)
    await api.post('/v1/bookings', bookingBody(room.id, { ...at(hour), ...guest(email) }));
  const key = { 'idempotency-key': 'day' };
  const body = { date: DAY, ...WRITTEN };
  t.is((await api.post('/v1/messages', body, key)).status, 201);
  await Promise.all([ada, grace].map((email) => messageTo(email)));
  await api.post('/v1/guests/erase', { email: ada });
  t.deepEqual((await stored('body', workspace)).map((row) => row.body).toSorted(), [WRITTEN.text, null]);
  const again = await api.post('/v1/messages', body, key);
  t.deepEqual(
    again.body.data.map(({ sent_to, subject, text }) => ({ sent_to, subject, text })),
    [
      { sent_to: null, subject: null, text: null },
      { sent_to: grace, ...WRITTEN },
    ],
  );
});

/** The caller of a command, as the owner with a key. */
const asOwner = ({ id, ownerId }: TestWorkspace): Principal =>
  ({ workspace_id: id, member_id: ownerId, key_id: null, role: 'owner' }) as Principal;

test('a second message within ten minutes is refused, and a day that is refused in part sends nothing', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, free);
  const bookings: string[] = [];
  for (const hour of [10, 12, 14]) {
    const body = bookingBody(room.id, { ...at(hour), ...guest(uniqueEmail()) });
    bookings.push((await api.post('/v1/bookings', body)).body.id);
  }
  const by = asOwner(workspace);
  const quotas = scaledMailQuotas(1);
  const limited = { code: 'rate_limited' };
  await messageBooker(db, quotas, by, bookings[0]!, WRITTEN, null);
  t.like(await t.throwsAsync(messageBooker(db, quotas, by, bookings[0]!, WRITTEN, null)), limited);
  await t.notThrowsAsync(messageBooker(db, quotas, by, bookings[1]!, WRITTEN, null), 'another booking');

  const before = await stored('message_id', workspace);
  const mails = () =>
    db.query(`SELECT count(*)::int FROM mails WHERE workspace_id = $1 AND kind = 'booking_message'`, [
      workspace.id,
    ]);
  const queued = await mails();
  // The third email of the day is one too many: the transaction that stored two of them is rolled back.
  // Those to staff do not count.
  const [{ count }] = await db.query(
    `SELECT count(*)::int FROM mails WHERE workspace_id = $1 AND kind NOT LIKE 'staff%'`,
    [workspace.id],
  );
  const few = { ...quotas, workspace: { count: Number(count) + 2, seconds: 86_400 } };
  const day = { date: DAY, ...WRITTEN };
  const idempotency = { key: 'day', fingerprint: 'ab'.repeat(32) };
  t.like(await t.throwsAsync(messageDay(db, few, by, day, idempotency)), limited);
  t.deepEqual([await stored('message_id', workspace), await mails()], [before, queued]);

  const { isNew, object } = await messageDay(db, quotas, by, day, idempotency);
  t.deepEqual([isNew, object.data.length], [true, 3], 'the key of a refused request is free');
  t.like(await t.throwsAsync(messageDay(db, quotas, by, day, null)), limited);
});
