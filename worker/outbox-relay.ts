import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdConflictPolicy } from '@temporalio/common';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { findBooksToWake, noteBooksWoken } from '../db/repositories/books.js';
import { findInvoiceMailsToHandOver, markInvoiceMailHandedOver } from '../db/repositories/invoice-mails.js';
import {
  findEndpointsToWake,
  findWorkspacesToPlace,
  noteWoken,
  placeEvents,
  PLACED_AT_ONCE,
  tryLockEvents,
} from '../db/repositories/event-relay.js';
import { findInvitesToHandOver, markInvitesHandedOver } from '../db/repositories/member-invites.js';
import { findOwnerMailsToHandOver, markOwnerMailHandedOver } from '../db/repositories/owner-mails.js';
import { findTierChangesToHandOver, markTierChangesHandedOver } from '../db/repositories/tier-changes.js';
import { transaction } from '../db/transaction.js';
import { invoiceBooksOptions } from '../workflows/booking-start.js';
import {
  booksChanged,
  eventsQueued,
  invitesOwed,
  searchAttributes,
  tiersChanged,
  WORKFLOWS,
  workflowIds,
  type MemberInvitesInput,
  type InvoiceMailInput,
  type OwnerMailInput,
  type TierChangesInput,
  type WebhookDeliveryInput,
} from '../workflows/contract.js';

const PAUSE_MS = 100;
const PAUSE_AFTER_FAILURE_MS = 2_000;

export interface RelayDependencies {
  db: DataSource;
  client: Client;
  taskQueue: string;
  log: Logger;
}

/**
 * Gives new events their positions. A workspace that another relay is at is left to it. Returns true if there are
 * more: many at once are placed in parts, so that the first are sent while the last are still being placed.
 */
async function placeNewEvents(db: DataSource): Promise<boolean> {
  let more = false;
  for (const workspaceId of await findWorkspacesToPlace(db.manager)) {
    const placed = await transaction(db, async (tx) =>
      (await tryLockEvents(tx, workspaceId)) ? placeEvents(tx, workspaceId) : 0,
    );
    if (placed === PLACED_AT_ONCE) more = true;
  }
  return more;
}

const attributesOf = (workspaceId: string): TypedSearchAttributes =>
  new TypedSearchAttributes([{ key: searchAttributes.workspace, value: workspaceId }]);

/** Tells delivery runs of what is queued, starting those that are not there. */
async function wakeDeliveries({ db, client, taskQueue }: RelayDependencies): Promise<void> {
  for (const endpoint of await findEndpointsToWake(db.manager)) {
    const { workspace_id: workspaceId } = endpoint;
    const input: WebhookDeliveryInput = { workspaceId };
    await client.workflow.signalWithStart(WORKFLOWS.webhookDelivery, {
      taskQueue,
      workflowId: workflowIds.webhookDelivery(workspaceId),
      args: [input],
      signal: eventsQueued,
      signalArgs: [],
      staticSummary: "Sends events to the workspace's webhook endpoint",
      typedSearchAttributes: attributesOf(workspaceId),
    });
    await noteWoken(db.manager, endpoint);
  }
}

/** Starts a run for each mail that an owner is owed. One that two relays come upon has one run all the same. */
async function handOverMails({ db, client, taskQueue }: RelayDependencies): Promise<void> {
  for (const mail of await findOwnerMailsToHandOver(db.manager)) {
    const input: OwnerMailInput = { mailId: mail.id };
    await client.workflow.start(WORKFLOWS.ownerMail, {
      taskQueue,
      workflowId: workflowIds.ownerMail(mail.id),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      args: [input],
      staticSummary: "Sends a mail to the workspace's owner",
      typedSearchAttributes: attributesOf(mail.workspace_id),
    });
    await markOwnerMailHandedOver(db.manager, mail.id);
  }
}

/** Starts a run for each mail about an invoice. */
async function handOverInvoiceMails({ db, client, taskQueue }: RelayDependencies): Promise<void> {
  for (const mail of await findInvoiceMailsToHandOver(db.manager)) {
    const input: InvoiceMailInput = { mailId: mail.id };
    await client.workflow.start(WORKFLOWS.invoiceMail, {
      taskQueue,
      workflowId: workflowIds.invoiceMail(mail.id),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      args: [input],
      staticSummary: 'Sends a mail to the payer of an invoice',
      typedSearchAttributes: attributesOf(mail.workspace_id),
    });
    await markInvoiceMailHandedOver(db.manager, mail.id);
  }
}

/** Tells the runs that keep the books which invoices have changed, starting those that are not there. */
async function wakeBooks({ db, client, taskQueue }: RelayDependencies): Promise<void> {
  for (const invoice of await findBooksToWake(db.manager)) {
    await client.workflow.signalWithStart(WORKFLOWS.invoiceBooks, {
      ...invoiceBooksOptions(invoice, taskQueue),
      signal: booksChanged,
      signalArgs: [],
    });
    await noteBooksWoken(db.manager, invoice);
  }
}

/** Tells the run that sends a workspace's invites of new ones, starting it if it is not there. */
async function handOverInvites({ db, client, taskQueue }: RelayDependencies): Promise<void> {
  for (const { workspace_id: workspaceId, ids } of await findInvitesToHandOver(db.manager)) {
    const input: MemberInvitesInput = { workspaceId };
    await client.workflow.signalWithStart(WORKFLOWS.memberInvites, {
      taskQueue,
      workflowId: workflowIds.memberInvites(workspaceId),
      args: [input],
      signal: invitesOwed,
      signalArgs: [],
      staticSummary: "Sends the workspace's invites",
      typedSearchAttributes: attributesOf(workspaceId),
    });
    await markInvitesHandedOver(db.manager, ids);
  }
}

/** Tells the run that has a workspace's upgrades paid for of new ones, starting it if it is not there. */
async function handOverTierChanges({ db, client, taskQueue }: RelayDependencies): Promise<void> {
  for (const { workspace_id: workspaceId, ids } of await findTierChangesToHandOver(db.manager)) {
    const input: TierChangesInput = { workspaceId };
    await client.workflow.signalWithStart(WORKFLOWS.tierChanges, {
      taskQueue,
      workflowId: workflowIds.tierChanges(workspaceId),
      args: [input],
      signal: tiersChanged,
      signalArgs: [],
      staticSummary: "Has the workspace's upgrades paid for",
      typedSearchAttributes: attributesOf(workspaceId),
    });
    await markTierChangesHandedOver(db.manager, ids);
  }
}

/**
 * The relay of the outbox: places committed events, wakes who delivers them, who keeps the books, who sends invites
 * and who has upgrades paid for, and hands over mails to owners and payers, over and over (decisions.md, "Events").
 * Every worker runs one; a lock in the database lets one at a time place a workspace's events. All it knows is in the
 * database, so it can be killed at any point. Returns the function that stops it.
 */
export function startOutboxRelay(deps: RelayDependencies): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const more = await placeNewEvents(deps.db);
        await wakeDeliveries(deps);
        await wakeBooks(deps);
        await handOverMails(deps);
        await handOverInvoiceMails(deps);
        await handOverInvites(deps);
        await handOverTierChanges(deps);
        if (!more) await pause(PAUSE_MS);
      } catch (error) {
        deps.log.warn({ err: error }, 'the outbox relay failed; trying again');
        await pause(PAUSE_AFTER_FAILURE_MS);
      }
    }
  })();
  return () => {
    stopping.abort();
    return running;
  };
}
