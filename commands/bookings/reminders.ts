import { aboutReminder } from '../../domain/bookings/reminder.js';
import { BOOKING_TRANSITIONS } from '../../domain/states.js';
import { execute, many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';

/**
 * Enqueues the reminders of these bookings that are due (docs/rules/mail.md#reminders), once for each start
 * that a booking has had. Returns the number of bookings.
 */
export async function enqueueReminders(tx: Tx, bookingIds: string[]): Promise<number> {
  const due = await many<{ id: string; workspace_id: string; status: string; start_at: Date }>(
    tx,
    `WITH due AS (
       SELECT id FROM bookings WHERE id = ANY ($1) AND remind_at <= now() ORDER BY id FOR NO KEY
       UPDATE SKIP LOCKED
     )
     UPDATE bookings b SET remind_at = NULL FROM due WHERE b.id = due.id
     RETURNING b.id, b.workspace_id, b.status, b.start_at`,
    [bookingIds],
  );
  for (const { id: booking_id, workspace_id, status, start_at } of due) {
    if (status !== BOOKING_TRANSITIONS.confirm.to) continue;
    const about = aboutReminder(booking_id, start_at);
    await enqueueMail(tx, { workspace_id, booking_id, kind: 'booking_reminder', about });
  }
  return due.length;
}

/** Postpones the reminder of a booking by an hour. */
export const postponeReminder = (tx: Tx, bookingId: string): Promise<void> =>
  execute(
    tx,
    `UPDATE bookings SET remind_at = now() + interval '1 hour' WHERE id = $1 AND remind_at <= now()`,
    [bookingId],
  );
