import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes, WorkflowIdConflictPolicy, type SignalDefinition } from '@temporalio/common';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { findInvoicesToNotify } from '../db/repositories/accounting/pending-update-queries.js';
import { markInvoiceNotified } from '../db/repositories/accounting/pending-updates.js';
import { findWorkspacesWithNewEvents } from '../db/repositories/events/event-queries.js';
import { assignPositions, POSITION_BATCH, tryLockEvents } from '../db/repositories/events/positions.js';
import { findEndpointsToNotify } from '../db/repositories/events/webhook-endpoint-queries.js';
import { markEndpointNotified } from '../db/repositories/events/webhook-endpoints.js';
import {
  findInvoiceMailsToHandOver,
  markInvoiceMailHandedOver,
} from '../db/repositories/mail/invoice-mails.js';
import { findOwnerMailsToHandOver, markOwnerMailHandedOver } from '../db/repositories/mail/owner-mails.js';
import { findInvitesToHandOver, markInvitesHandedOver } from '../db/repositories/members/invites.js';
import { findTierChangesToNotify } from '../db/repositories/members/tier-change-queries.js';
import { markTierChangesNotified } from '../db/repositories/members/tier-changes.js';
import { transaction, type Tx } from '../db/transaction.js';
import {
  invoiceChanged,
  eventsQueued,
  invitesOwed,
  searchAttributes,
  tiersChanged,
  WORKFLOWS,
  workflowIds,
} from '../workflows/contract.js';

const PAUSE_AFTER_FAILURE_MS = 2_000;

export interface RelayDependencies {
  db: DataSource;
  client: Client;
  taskQueue: string;
  log: Logger;
}

/** The run that takes a row over. With a signal, one run goes on for many rows, and is told of each. */
interface Run {
  type: string;
  workflowId: string;
  input: unknown;
  summary: string;
  signal?: SignalDefinition;
}

/** Rows that the transactions of others have left for a run: how they are found, whose they are, how they are ticked off. */
interface Outbox<Row> {
  name: string;
  pauseMs: number;
  find(tx: Tx): Promise<Row[]>;
  runFor(row: Row): Run;
  done(tx: Tx, row: Row): Promise<void>;
}

const outbox = <Row extends { workspace_id: string }>(of: Outbox<Row>): Outbox<Row> => of;

const OUTBOXES = [
  outbox({
    name: 'deliveries',
    pauseMs: 100,
    find: findEndpointsToNotify,
    runFor: ({ workspace_id: workspaceId }) => ({
      type: WORKFLOWS.webhookDelivery,
      workflowId: workflowIds.webhookDelivery(workspaceId),
      input: { workspaceId },
      summary: "Sends events to the workspace's webhook endpoint",
      signal: eventsQueued,
    }),
    done: markEndpointNotified,
  }),
  outbox({
    name: 'books',
    pauseMs: 250,
    find: findInvoicesToNotify,
    runFor: ({ invoice_id: invoiceId }) => ({
      type: WORKFLOWS.invoiceAccounting,
      workflowId: workflowIds.invoiceAccounting(invoiceId),
      input: { invoiceId },
      summary: 'Keeps the books of an invoice',
      signal: invoiceChanged,
    }),
    done: markInvoiceNotified,
  }),
  outbox({
    name: 'upgrades',
    pauseMs: 250,
    find: findTierChangesToNotify,
    runFor: ({ workspace_id: workspaceId }) => ({
      type: WORKFLOWS.tierChanges,
      workflowId: workflowIds.tierChanges(workspaceId),
      input: { workspaceId },
      summary: "Has the workspace's upgrades paid for",
      signal: tiersChanged,
    }),
    done: (tx, { ids }) => markTierChangesNotified(tx, ids),
  }),
  outbox({
    name: 'invites',
    pauseMs: 500,
    find: findInvitesToHandOver,
    runFor: ({ workspace_id: workspaceId }) => ({
      type: WORKFLOWS.memberInvites,
      workflowId: workflowIds.memberInvites(workspaceId),
      input: { workspaceId },
      summary: "Sends the workspace's invites",
      signal: invitesOwed,
    }),
    done: (tx, { ids }) => markInvitesHandedOver(tx, ids),
  }),
  outbox({
    name: 'mails to owners',
    pauseMs: 500,
    find: findOwnerMailsToHandOver,
    runFor: ({ id: mailId }) => ({
      type: WORKFLOWS.ownerMail,
      workflowId: workflowIds.ownerMail(mailId),
      input: { mailId },
      summary: "Sends a mail to the workspace's owner",
    }),
    done: (tx, { id }) => markOwnerMailHandedOver(tx, id),
  }),
  outbox({
    name: 'mails about invoices',
    pauseMs: 500,
    find: findInvoiceMailsToHandOver,
    runFor: ({ id: mailId }) => ({
      type: WORKFLOWS.invoiceMail,
      workflowId: workflowIds.invoiceMail(mailId),
      input: { mailId },
      summary: 'Sends a mail to the payer of an invoice',
    }),
    done: (tx, { id }) => markInvoiceMailHandedOver(tx, id),
  }),
] as Outbox<{ workspace_id: string }>[];

/** Starts the run that takes a row over, or tells it. One that two relays come upon has one run all the same. */
async function start(deps: RelayDependencies, workspaceId: string, run: Run): Promise<void> {
  const options = {
    taskQueue: deps.taskQueue,
    workflowId: run.workflowId,
    args: [run.input],
    staticSummary: run.summary,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.workspace, value: workspaceId },
    ]),
  };
  const { workflow } = deps.client;
  const { signal } = run;
  if (signal) await workflow.signalWithStart(run.type, { ...options, signal, signalArgs: [] });
  else
    await workflow.start(run.type, {
      ...options,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    });
}

async function handOver(deps: RelayDependencies, { find, runFor, done }: Outbox<any>): Promise<false> {
  for (const row of await find(deps.db.manager)) {
    await start(deps, row.workspace_id, runFor(row));
    await done(deps.db.manager, row);
  }
  return false;
}

/**
 * Gives new events their positions. A workspace that another relay is at is left to it. Returns true if there are
 * more: many at once are placed in parts, so that the first are sent while the last are still being placed.
 */
async function placeNewEvents(db: DataSource): Promise<boolean> {
  let more = false;
  for (const workspaceId of await findWorkspacesWithNewEvents(db.manager)) {
    const placed = await transaction(db, async (tx) =>
      (await tryLockEvents(tx, workspaceId)) ? assignPositions(tx, workspaceId) : 0,
    );
    if (placed === POSITION_BATCH) more = true;
  }
  return more;
}

/**
 * The relay of the outbox: places committed events, and hands over to runs what the transactions of others have
 * written down for them, over and over (decisions.md, "Events"). Every worker runs one; a lock in the database lets
 * one at a time place a workspace's events. All it knows is in the database, so it can be killed at any point. What
 * fails for one outbox holds up no other. Returns the function that stops it.
 */
export function startOutboxRelay(deps: RelayDependencies): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  async function repeat(name: string, pauseMs: number, work: () => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (!(await work())) await pause(pauseMs);
      } catch (error) {
        deps.log.warn({ err: error, outbox: name }, 'the outbox relay failed; trying again');
        await pause(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  const running = Promise.all([
    repeat('events', 100, () => placeNewEvents(deps.db)),
    ...OUTBOXES.map((box) => repeat(box.name, box.pauseMs, () => handOver(deps, box))),
  ]);
  return async () => {
    stopping.abort();
    await running;
  };
}
