import type { SignalDefinition } from '@temporalio/common';
import { findInvoicesToNotify } from '../db/queries/accounting/pending-update.js';
import { markInvoiceNotified } from '../commands/accounting/pending-updates.js';
import { findEndpointsToNotify } from '../db/queries/events/webhook-endpoint.js';
import { markEndpointNotified } from '../commands/events/webhook-endpoints.js';
import { markQueueNotified } from '../commands/mail/mail-queue.js';
import { findQueuesToNotify } from '../db/queries/mail/mail-queue.js';
import { findTierChangesToNotify } from '../db/queries/subscriptions/tier-change.js';
import { markTierChangesNotified } from '../commands/subscriptions/tier-changes.js';
import { findCollectionsToNotify } from '../db/queries/invoices/collection.js';
import { advanceDueCollections, markCollectionNotified } from '../commands/invoices/collections.js';
import { findCardsToNotify } from '../db/queries/payments/removed-card.js';
import { markCardNotified } from '../commands/payments/removed-cards.js';
import type { OutboxName } from '../db/queries/outbox.js';
import type { Tx } from '../db/transaction.js';
import { invoiceChanged } from '../contract/accounting.js';
import { cardRemoved } from '../contract/payments/cards.js';
import { collectionChanged } from '../contract/invoices.js';
import { mailQueued } from '../contract/mail.js';
import { tiersChanged } from '../contract/members.js';
import { WORKFLOWS } from '../contract/names.js';
import { eventsQueued } from '../contract/events.js';
import type { starts } from '../contract/starts.js';

/** The type, start options and signal of the workflow that processes a row. */
export interface RunTarget {
  type: string;
  start: { taskQueue: string; workflowId: string; args: [unknown] };
  signal: SignalDefinition;
}

/** Rows that transactions leave for a workflow to process (docs/internals/architecture.md#the-outbox). */
export interface Outbox<Row> {
  name: OutboxName;
  /** The outbox is read in every n-th poll, so that changes in quick succession become one notification. */
  polls: number;
  find(tx: Tx): Promise<Row[]>;
  /**
   * Does in the database what rows need, in one transaction. Claims the rows that need a run and returns
   * them; they are found again a little later unless they are marked. If absent, all rows need runs.
   */
  process?(tx: Tx, rows: Row[]): Promise<Row[]>;
  target(startOptions: ReturnType<typeof starts>, row: Row): RunTarget;
  markNotified(tx: Tx, row: Row): Promise<void>;
}

const outbox = <Row>(definition: Outbox<Row>): Outbox<unknown> => definition as Outbox<unknown>;

export const OUTBOXES = [
  outbox({
    name: 'webhook events',
    polls: 1,
    find: findEndpointsToNotify,
    target: (startOptions, { workspace_id }) => ({
      type: WORKFLOWS.webhookDelivery,
      start: startOptions.webhookDelivery(workspace_id),
      signal: eventsQueued,
    }),
    markNotified: markEndpointNotified,
  }),
  outbox({
    name: 'mail',
    polls: 3,
    find: findQueuesToNotify,
    target: (startOptions, { workspace_id }) => ({
      type: WORKFLOWS.mailDelivery,
      start: startOptions.mailDelivery(workspace_id),
      signal: mailQueued,
    }),
    markNotified: markQueueNotified,
  }),
  outbox({
    name: 'accounting updates',
    polls: 3,
    find: findInvoicesToNotify,
    target: (startOptions, { invoice_id, workspace_id }) => ({
      type: WORKFLOWS.invoiceAccounting,
      start: startOptions.invoiceAccounting(invoice_id, workspace_id),
      signal: invoiceChanged,
    }),
    markNotified: markInvoiceNotified,
  }),
  outbox({
    name: 'collections',
    polls: 3,
    find: findCollectionsToNotify,
    process: advanceDueCollections,
    target: (startOptions, { invoice_id, workspace_id }) => ({
      type: WORKFLOWS.collectInvoice,
      start: startOptions.collectInvoice(invoice_id, workspace_id),
      signal: collectionChanged,
    }),
    markNotified: markCollectionNotified,
  }),
  outbox({
    name: 'removed cards',
    polls: 3,
    find: findCardsToNotify,
    target: (startOptions, { setup_id, workspace_id }) => ({
      type: WORKFLOWS.detachCard,
      start: startOptions.detachCard(setup_id, workspace_id),
      signal: cardRemoved,
    }),
    markNotified: markCardNotified,
  }),
  outbox({
    name: 'tier upgrades',
    polls: 3,
    find: findTierChangesToNotify,
    target: (startOptions, { workspace_id }) => ({
      type: WORKFLOWS.tierChanges,
      start: startOptions.tierChanges(workspace_id),
      signal: tiersChanged,
    }),
    markNotified: (tx, { ids }) => markTierChangesNotified(tx, ids),
  }),
];
