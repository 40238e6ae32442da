import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Lists bookings whose reminder is due, longest overdue first. */
export const listRemindersDue = (tx: Tx, limit: number): Promise<{ id: string; workspace_id: string }[]> =>
  many<{ id: string; workspace_id: string }>(
    tx,
    `SELECT id, workspace_id FROM bookings WHERE remind_at <= now() ORDER BY remind_at LIMIT $1`,
    [limit],
  );
