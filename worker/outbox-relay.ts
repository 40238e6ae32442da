import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { findWorkspacesWithNewEvents } from '../db/repositories/events/event-queries.js';
import { POSITION_BATCH, assignPositions, tryLockEvents } from '../db/repositories/events/positions.js';
import { transaction } from '../db/transaction.js';
import { starts } from '../workflows/starts.js';
import { OUTBOXES, type Outbox } from './outboxes.js';

const PAUSE_AFTER_FAILURE_MS = 2_000;
/** How many workflows of one outbox are signalled concurrently. */
const CONCURRENCY = 8;

export interface RelayDependencies {
  db: DataSource;
  client: Client;
  taskQueue: string;
  log: Logger;
}

/** Starts or signals the workflow of each row. Throws the first error after all rows were tried. */
async function relay({ db, client, taskQueue }: RelayDependencies, outbox: Outbox<unknown>): Promise<void> {
  const startOf = starts(taskQueue);
  const rows = (await outbox.find(db.manager)).values();
  const errors: unknown[] = [];

  async function work(): Promise<void> {
    for (const row of rows) {
      try {
        const { type, start, signal } = outbox.target(startOf, row);
        await client.workflow.signalWithStart(type, { ...start, signal, signalArgs: [] });
        await outbox.markNotified(db.manager, row);
      } catch (error) {
        errors.push(error);
      }
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (errors.length > 0) throw errors[0];
}

/**
 * Assigns positions to new events (docs/rules/events.md#order-and-positions). Skips a workspace that another relay is
 * working on. Returns true if there are more: positions are assigned in batches, so that the first events are sent
 * while the last ones still wait.
 */
async function assignNewPositions(db: DataSource): Promise<boolean> {
  let more = false;
  for (const workspaceId of await findWorkspacesWithNewEvents(db.manager)) {
    const assigned = await transaction(db, async (tx) =>
      (await tryLockEvents(tx, workspaceId)) ? assignPositions(tx, workspaceId) : 0,
    );
    if (assigned === POSITION_BATCH) more = true;
  }
  return more;
}

/**
 * Relays the outbox until it is stopped (docs/architecture.md#the-outbox): assigns positions to committed events, and
 * signals the workflows for which transactions have left rows. Every worker runs a relay. All state is in the database,
 * so a relay can be killed at any point; a row that two relays find is signalled twice, which is harmless. A failing
 * outbox does not stop the others. Returns the function that stops the relay.
 */
export function startOutboxRelay(deps: RelayDependencies): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  /** Repeats `work`, without a pause when it returns true. */
  async function repeat(name: string, pauseMs: number, work: () => Promise<boolean | void>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (!(await work())) await pause(pauseMs);
      } catch (error) {
        deps.log.warn({ err: error, outbox: name }, 'outbox relay failed, will retry');
        await pause(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  const running = Promise.all([
    repeat('event positions', 100, () => assignNewPositions(deps.db)),
    ...OUTBOXES.map((outbox) => repeat(outbox.name, outbox.pauseMs, () => relay(deps, outbox))),
  ]);
  return async () => {
    stopping.abort();
    await running;
  };
}
