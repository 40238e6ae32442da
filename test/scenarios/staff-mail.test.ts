import test from 'ava';
import {
  confirmedBooking,
  freeHour,
  hoursLater,
  pay,
  pendingBooking,
  untilStatus,
} from '../support/bookings.js';
import { mailTo } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, findOwnerEmail, uniqueEmail } from '../support/workspaces.js';
import { newMember } from '../support/people.js';

/** Waits for mail to an address whose subject starts with this text. */
const untilMail = (to: string, beginning: string) =>
  until(async () => (await mailTo(to)).find(({ subject }) => subject.startsWith(beginning)));

const EACH = { created: 'each', changed: 'each', cancelled: 'each' };

test('staff are mailed each booking, change and cancellation at the proven contact, or else at the owner’s address', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const owner = await findOwnerEmail(workspace.id);
  const outsider = uniqueEmail();
  const set = await api.patch('/v1/workspace', { notify_staff: EACH, contact_email: outsider });
  t.deepEqual(set.body.notify_staff, EACH);
  const slot = freeHour();
  const { booking } = await confirmedBooking(api, { slot });
  const created = await untilMail(owner, 'New booking: Blue room, ');
  for (const words of ['Grace Guest', '£30.00', booking.reference, `/bookings/${booking.id}`])
    t.true(created.text.includes(words), words);
  t.deepEqual(await mailTo(outsider), [], 'an address that nobody has shown to be theirs gets none');

  const desk = await newMember(workspace);
  await api.patch('/v1/workspace', { contact_email: desk.email });
  await api.patch(`/v1/bookings/${booking.id}`, {
    start_at: hoursLater(slot.start_at, 400),
    end_at: hoursLater(slot.start_at, 401),
  });
  const changed = await untilMail(desk.email, 'Changed booking: Blue room, ');
  t.regex(changed.text, /Time before: \w{3} \d+ \w+/);
  await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
  await untilMail(desk.email, 'Cancelled booking: Blue room, ');
});

test('an owner without settings gets mail about new and cancelled bookings, who made them, and what they answered', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const owner = await findOwnerEmail(workspace.id);
  const { body } = await api.get('/v1/workspace');
  t.deepEqual(body.notify_staff, { created: 'each', changed: 'off', cancelled: 'each' });
  const { booking } = await pendingBooking(1_800, workspace);
  const answers = [
    { id: 'q1', label: 'What is it for?', value: 'A choir of 40' },
    { id: 'q2', label: 'Do you need a piano?', value: true },
  ];
  await db.query(`UPDATE bookings SET answers = $2 WHERE id = $1`, [booking.id, JSON.stringify(answers)]);
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  const { email, name } = booking.booked_by.guest;
  const facts = [
    `Booked by: ${name}`,
    `Email: ${email}`,
    'What is it for?: A choir of 40',
    'Do you need a piano?: Yes',
  ];
  const created = await untilMail(owner, 'New booking: ');
  for (const fact of facts) t.true(created.text.includes(`\n${fact}\n`), fact);
  t.is((await api.patch(`/v1/bookings/${booking.id}`, { attendees: 2 })).status, 200);
  await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
  const cancelled = await untilMail(owner, 'Cancelled booking: ');
  for (const fact of facts) t.true(cancelled.text.includes(`\n${fact}\n`), fact);
  t.false((await mailTo(owner)).some(({ subject }) => subject.startsWith('Changed booking')));
});

test('a cancelled hold is not reported, and one kind of mail can be off', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const owner = await findOwnerEmail(workspace.id);
  await api.patch('/v1/workspace', { notify_staff: { created: 'off' } });
  const { booking: held } = await pendingBooking(1_800, workspace);
  await api.post(`/v1/bookings/${held.id}/cancel`, {});
  const { booking } = await confirmedBooking(api);
  await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
  const mail = await untilMail(owner, 'Cancelled booking: ');
  t.true(mail.text.includes(booking.reference));
  const about = await db.query(
    `SELECT status FROM mails WHERE workspace_id = $1 AND kind = 'staff_booking' ORDER BY status`,
    [workspace.id],
  );
  t.deepEqual(about, [{ status: 'sent' }, { status: 'skipped' }]);
  t.is((await api.patch('/v1/workspace', { notify_staff: { created: 'hourly' } })).status, 422);
});

test('the daily mail reports what has happened since the one before, once', async (t) => {
  const workspace = await newWorkspace({ time_zone: 'America/New_York' });
  const { api } = workspace;
  const owner = await findOwnerEmail(workspace.id);
  const { booking: before } = await confirmedBooking(api);
  const positioned = () =>
    until(
      async () =>
        (await db.query(`SELECT FROM events WHERE workspace_id = $1 AND position IS NULL`, [workspace.id]))
          .length === 0,
    );
  await positioned();
  const daily = { created: 'daily', changed: 'daily', cancelled: 'daily' } as const;
  await api.patch('/v1/workspace', { notify_staff: daily });
  const digestAt = async (): Promise<Date | null> =>
    (await db.query(`SELECT digest_at FROM workspaces WHERE id = $1`, [workspace.id]))[0].digest_at;
  const at = (await digestAt())!;
  const isMorning = (time: Date, timeZone: string): void => {
    const clock = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    t.is(time.toLocaleTimeString('en-GB', clock), '07:00', timeZone);
  };
  isMorning(at, 'America/New_York');
  t.true(at.getTime() > Date.now() && at.getTime() <= Date.now() + 25 * 3_600_000);
  await api.patch('/v1/workspace', { time_zone: 'Asia/Tokyo' });
  isMorning((await digestAt())!, 'Asia/Tokyo');
  await api.patch('/v1/workspace', { notify_staff: { created: 'off', changed: 'off', cancelled: 'off' } });
  await api.patch('/v1/workspace', { time_zone: 'America/New_York', notify_staff: daily });
  isMorning((await digestAt())!, 'America/New_York');

  const room = await newRoom(api);
  const { booking } = await confirmedBooking(api, { room_id: room.id });
  const { booking: gone } = await confirmedBooking(api, { room_id: room.id });
  await api.post(`/v1/bookings/${gone.id}/cancel`, { refund_policy: 'full' });
  for (const attendees of [2, 3])
    t.is((await api.patch(`/v1/bookings/${booking.id}`, { attendees })).status, 200);
  await positioned();
  const becomeDue = () => db.query(`UPDATE workspaces SET digest_at = now() WHERE id = $1`, [workspace.id]);
  await becomeDue();
  const mail = await untilMail(owner, 'Bookings since yesterday: 2 new, 1 changed, 1 cancelled');
  for (const { reference } of [booking, gone]) t.true(mail.text.includes(reference));
  t.false(mail.text.includes(before.reference), 'not what happened before it was wanted');

  await until(async () => (await digestAt())!.getTime() > Date.now());
  await becomeDue();
  await until(async () => (await digestAt())!.getTime() > Date.now());
  const queued = await db.query(
    `SELECT about FROM mails WHERE workspace_id = $1 AND kind = 'staff_digest' AND status <> 'skipped'`,
    [workspace.id],
  );
  t.is(queued.length, 1, 'a day without news has no mail');
  await api.patch('/v1/workspace', { notify_staff: { created: 'off', changed: 'off', cancelled: 'each' } });
  t.is(await digestAt(), null);
});
