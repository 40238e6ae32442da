import test from 'ava';
import { confirmedBooking, freeHour, hoursLater } from '../support/bookings.js';
import { mailTo } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { message } from '../support/message.js';

const HOURS = 96;

const remindAt = async (id: string): Promise<string | undefined> =>
  (await db.query(`SELECT remind_at FROM bookings WHERE id = $1`, [id]))[0].remind_at?.toISOString();

const remindersTo = async (email: string) =>
  (await mailTo(email)).filter(({ subject }) => subject.startsWith('Reminder: '));

const reminderRows = (id: string) =>
  db.query(`SELECT status FROM mails WHERE booking_id = $1 AND kind = 'booking_reminder'`, [id]);

/** As if the reminder time had come. */
const becomeDue = (bookingId: string): Promise<unknown> =>
  db.query(`UPDATE bookings SET remind_at = now() WHERE id = $1`, [bookingId]);

/** Waits until the relay has taken a booking's reminder. */
const untilTaken = (bookingId: string) => until(async () => (await remindAt(bookingId)) === undefined);

test('a booker is reminded once, before the current start of the booking', async (t) => {
  const { api } = await newWorkspace();
  const slot = freeHour(6);
  const { booking, email } = await confirmedBooking(api, { room: { reminder_hours: HOURS }, slot });
  t.is(await remindAt(booking.id), hoursLater(slot.start_at, -HOURS));

  const moved = { start_at: hoursLater(slot.start_at, 30), end_at: hoursLater(slot.start_at, 31) };
  t.is((await api.patch(`/v1/bookings/${booking.id}`, moved)).status, 200);
  t.is(await remindAt(booking.id), hoursLater(moved.start_at, -HOURS), 'it moves with the booking');
  await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(moved.start_at, 1) });
  t.is(await remindAt(booking.id), hoursLater(moved.start_at, -HOURS));

  await becomeDue(booking.id);
  const [mail] = await until(async () => {
    const found = await remindersTo(email);
    return found.length > 0 && found;
  });
  t.regex(mail!.subject, /^Reminder: Blue room, \w{3} \d+ \w+, \d\d:\d\d/);
  t.true(mail!.text.includes(message('mail.reminder')));
  t.true(mail!.text.includes(booking.manage_url!));
  await becomeDue(booking.id);
  await untilTaken(booking.id);
  t.is((await reminderRows(booking.id)).length, 1, 'once for each start');
});

test('no reminder is sent for a booking that was made after the reminder’s time, or was cancelled', async (t) => {
  const { api } = await newWorkspace();
  const { booking: late } = await confirmedBooking(api, {
    room: { reminder_hours: HOURS },
    slot: freeHour(2),
  });
  t.is(await remindAt(late.id), undefined);
  const { booking: plain } = await confirmedBooking(api);
  t.is(await remindAt(plain.id), undefined);

  const { booking } = await confirmedBooking(api, { room: { reminder_hours: HOURS }, slot: freeHour(6) });
  await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
  await becomeDue(booking.id);
  await untilTaken(booking.id);
  t.deepEqual(await reminderRows(booking.id), []);
});

test('a queued reminder is not sent if the room’s reminders have been switched off', async (t) => {
  const { api } = await newWorkspace();
  const { booking, email } = await confirmedBooking(api, {
    room: { reminder_hours: HOURS },
    slot: freeHour(6),
  });
  await api.patch(`/v1/rooms/${booking.room_id}`, { reminder_hours: null });
  await becomeDue(booking.id);
  await until(async () => (await reminderRows(booking.id))[0]?.status === 'skipped');
  t.deepEqual(await remindersTo(email), []);
});
