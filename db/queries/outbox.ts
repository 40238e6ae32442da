import { one } from '../query.js';
import type { Tx } from '../transaction.js';

/** Whether each outbox has rows for the relay. */
type HasRows = Record<
  | 'reminders'
  | 'staff digests'
  | 'webhook events'
  | 'new mail'
  | 'mail'
  | 'new accounting updates'
  | 'accounting updates'
  | 'collections'
  | 'removed cards'
  | 'tier upgrades',
  boolean
>;

export type OutboxName = 'event positions' | keyof HasRows;

/** For new events, this takes one step in the index for each workspace, however many events it has. */
const FIND_OUTBOXES_WITH_ROWS = {
  name: 'find_outboxes_with_rows',
  text: `SELECT ARRAY(WITH RECURSIVE found AS (
        (SELECT workspace_id FROM events WHERE position IS NULL ORDER BY workspace_id LIMIT 1)
        UNION ALL SELECT next.workspace_id FROM found, LATERAL (
          SELECT e.workspace_id FROM events e WHERE e.position IS NULL AND e.workspace_id > found.workspace_id
          ORDER BY e.workspace_id LIMIT 1) next
      ) SELECT workspace_id FROM found LIMIT 500) AS new_events,
      EXISTS (SELECT FROM bookings WHERE remind_at <= now()) AS "reminders",
      EXISTS (SELECT FROM workspaces WHERE digest_at <= now()) AS "staff digests",
      EXISTS (SELECT FROM webhook_endpoints WHERE notify_at <= now()) AS "webhook events",
      EXISTS (SELECT FROM mails WHERE notify_at <= now() AND failure_code IS NULL) AS "new mail",
      EXISTS (SELECT FROM mails WHERE notify_at <= now() AND failure_code IS NOT NULL) AS "mail",
      EXISTS (SELECT FROM accounting_due d
        JOIN accounting_connections c ON c.workspace_id = d.workspace_id AND c.enabled AND c.status = 'active'
        WHERE d.first_attempt_until = 'infinity') AS "new accounting updates",
      EXISTS (SELECT FROM accounting_due d
        JOIN accounting_connections c ON c.workspace_id = d.workspace_id AND c.enabled AND c.status = 'active'
        WHERE d.notified_at IS NULL AND d.first_attempt_until IS NULL OR d.first_attempt_until <= now())
        AS "accounting updates",
      EXISTS (SELECT FROM collections WHERE notify_at <= now()) AS "collections",
      EXISTS (SELECT FROM removed_cards WHERE notify_at <= now()) AS "removed cards",
      EXISTS (SELECT FROM tier_changes WHERE state <> 'done'
        AND (notified_at IS NULL OR notified_at < now() - interval '10 minutes')) AS "tier upgrades"`,
};

/**
 * Returns which outboxes have rows for the relay (docs/internals/architecture.md#the-outbox), and the
 * workspaces with new events. It is a single statement, since each worker polls.
 */
export async function findOutboxesWithRows(
  tx: Tx,
): Promise<{ hasRows: Record<OutboxName, boolean>; newEvents: string[] }> {
  type Row = HasRows & { new_events: string[] };
  const { new_events: newEvents, ...others } = await one<Row>(tx, FIND_OUTBOXES_WITH_ROWS);
  return { hasRows: { ...others, 'event positions': newEvents.length > 0 }, newEvents };
}
