import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** SQL of the bookings whose bookers are to be reminded of them now. */
export const REMINDERS_DUE = `FROM bookings WHERE remind_at <= now()`;

/** Bookings whose reminder is due, longest first. */
export const listRemindersDue = (tx: Tx, limit: number): Promise<{ id: string; workspace_id: string }[]> =>
  many<{ id: string; workspace_id: string }>(
    tx,
    `SELECT id, workspace_id ${REMINDERS_DUE} ORDER BY remind_at LIMIT $1`,
    [limit],
  );
