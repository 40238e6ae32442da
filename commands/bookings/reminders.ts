import { BOOKING_TRANSITIONS } from '../../domain/states.js';
import { many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { REMINDERS_DUE } from '../../db/queries/bookings/reminder.js';
import { enqueueMail } from '../mail/mails.js';

/** How many reminders one transaction enqueues. */
const BATCH = 200;

/**
 * Enqueues the reminders that are due, of all workspaces (docs/rules/mail.md#reminders): once for each start that a booking
 * has had. Returns true if there may be more.
 */
export async function enqueueReminders(tx: Tx): Promise<boolean> {
  const due = await many<{ id: string; workspace_id: string; status: string; start_at: Date }>(
    tx,
    `WITH due AS (
       SELECT id ${REMINDERS_DUE} ORDER BY remind_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE bookings b SET remind_at = NULL FROM due WHERE b.id = due.id
     RETURNING b.id, b.workspace_id, b.status, b.start_at`,
  );
  for (const { id: booking_id, workspace_id, status, start_at } of due) {
    if (status !== BOOKING_TRANSITIONS.confirm.to) continue;
    const about = `${booking_id}/${start_at.toISOString()}`;
    await enqueueMail(tx, { workspace_id, booking_id, kind: 'booking_reminder', about });
  }
  return due.length === BATCH;
}
