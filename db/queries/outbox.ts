import { one } from '../query.js';
import type { Tx } from '../transaction.js';
import { NEW_UPDATES, UPDATES_TO_NOTIFY } from './accounting/pending-update.js';
import { CARDS_TO_NOTIFY } from './payments/removed-card.js';
import { REMINDERS_DUE } from './bookings/reminder.js';
import { COLLECTIONS_TO_NOTIFY } from './invoices/collection.js';
import { WORKSPACES_WITH_NEW_EVENTS } from './events/event.js';
import { ENDPOINTS_TO_NOTIFY } from './events/webhook-endpoint.js';
import { DIGESTS_DUE } from './mail/staff-mail.js';
import { MAIL_TO_NOTIFY, NEW_MAIL_DUE } from './mail/mail-queue.js';
import { TIER_CHANGES_TO_NOTIFY } from './subscriptions/tier-change.js';

const ROWS = {
  reminders: REMINDERS_DUE,
  'staff digests': DIGESTS_DUE,
  'webhook events': ENDPOINTS_TO_NOTIFY,
  'new mail': NEW_MAIL_DUE,
  mail: MAIL_TO_NOTIFY,
  'new accounting updates': NEW_UPDATES,
  'accounting updates': UPDATES_TO_NOTIFY,
  collections: COLLECTIONS_TO_NOTIFY,
  'removed cards': CARDS_TO_NOTIFY,
  'tier upgrades': TIER_CHANGES_TO_NOTIFY,
};

export type OutboxName = 'event positions' | keyof typeof ROWS;

const FIND_OUTBOXES_WITH_ROWS = {
  name: 'find_outboxes_with_rows',
  text: `SELECT ARRAY(${WORKSPACES_WITH_NEW_EVENTS}) AS new_events, ${Object.entries(ROWS)
    .map(([name, rows]) => `EXISTS (SELECT ${rows}) AS "${name}"`)
    .join(', ')}`,
};

/**
 * Which outboxes have rows for the relay (docs/architecture.md#the-outbox), and the workspaces with new
 * events: one statement, since each worker polls.
 */
export async function findOutboxesWithRows(
  tx: Tx,
): Promise<{ hasRows: Record<OutboxName, boolean>; newEvents: string[] }> {
  type Row = Record<keyof typeof ROWS, boolean> & { new_events: string[] };
  const { new_events: newEvents, ...others } = await one<Row>(tx, FIND_OUTBOXES_WITH_ROWS);
  return { hasRows: { ...others, 'event positions': newEvents.length > 0 }, newEvents };
}
