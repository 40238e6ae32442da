import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { findWorkspacesWithNewEvents } from '../db/repositories/events/event-queries.js';
import { POSITION_BATCH, assignPositions, tryLockEvents } from '../db/repositories/events/positions.js';
import { transaction } from '../db/transaction.js';
import { Backoff } from './backoff.js';
import { Handover, type HandoverDependencies } from './handover.js';
import { OUTBOXES } from './outboxes.js';

const PAUSE_AFTER_FAILURE_MS = 2_000;

export interface RelayDependencies extends HandoverDependencies {
  log: Logger;
}

/**
 * Assigns positions to new events (docs/rules/events.md#order-and-positions). Skips a workspace that another relay is
 * working on, and one that failed a moment ago. Returns true if there are more: positions are assigned in batches, so that
 * the first events are sent while the last ones still wait.
 */
async function assignNewPositions(db: DataSource, backoff: Backoff): Promise<boolean> {
  let more = false;
  for (const workspaceId of await findWorkspacesWithNewEvents(db.manager))
    await backoff.attempt(workspaceId, async () => {
      const assigned = await transaction(db, async (tx) =>
        (await tryLockEvents(tx, workspaceId)) ? assignPositions(tx, workspaceId) : 0,
      );
      if (assigned === POSITION_BATCH) more = true;
    });
  return more;
}

/**
 * Relays the outbox until it is stopped (docs/architecture.md#the-outbox): assigns positions to committed events, and
 * signals the workflows for which transactions have left rows. Every worker runs a relay. All state is in the
 * database, so a relay can be killed at any point; a row that two relays find is signalled twice, which is harmless. A
 * failing outbox, workspace or row does not stop the others. Returns the function that stops the relay.
 */
export function startOutboxRelay(deps: RelayDependencies): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  /** Repeats `work`, without a pause when it returns true. */
  async function repeat(
    name: string,
    pauseMs: number,
    backoff: Backoff,
    work: () => Promise<boolean | void>,
  ): Promise<void> {
    const warn = (err: unknown, failed?: number): void =>
      deps.log.warn({ err, outbox: name, failed }, 'outbox relay failed, will retry');
    while (!stopping.signal.aborted) {
      try {
        if (!(await work())) await pause(pauseMs);
        const errors = backoff.takeErrors();
        if (errors.length > 0) warn(errors[0], errors.length);
      } catch (error) {
        warn(error);
        await pause(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  async function relayPositions(): Promise<void> {
    const backoff = new Backoff();
    await repeat('event positions', 100, backoff, () => assignNewPositions(deps.db, backoff));
  }

  async function relay(outbox: (typeof OUTBOXES)[number]): Promise<void> {
    const backoff = new Backoff();
    const handover = new Handover(deps, outbox, backoff);
    await repeat(outbox.name, outbox.pauseMs, backoff, () => handover.handOverDue());
    await handover.settled();
  }

  const running = Promise.all([relayPositions(), ...OUTBOXES.map(relay)]);
  return async () => {
    stopping.abort();
    await running;
  };
}
