import type Stripe from 'stripe';
import { column, execute, one } from '../../../db/query.js';
import type { Tx } from '../../../db/transaction.js';
import type { EventDependencies, Via } from './event.js';
import { handleEvent } from './handle.js';

/**
 * Stores an event of the processor and handles it, unless that was already done. Resolves when its effects
 * are durable: its row is stored and its signal accepted. If the process dies in between, the row is
 * unhandled, and the event is handled when it arrives again.
 */
export async function receiveEvent(deps: EventDependencies, event: Stripe.Event, via: Via): Promise<void> {
  const { manager } = deps.db;
  if (!(await storeEvent(manager, event, via))) return;
  await finishEvent(manager, event.id, await handleEvent(deps, event, via));
}

/** Returns which of the events, by id, have been handled. */
export async function findHandledEvents(tx: Tx, ids: string[]): Promise<Set<string>> {
  const handled = await column<string>(
    tx,
    `SELECT id FROM processor_events WHERE id = ANY ($1) AND handled_at IS NOT NULL`,
    [ids],
  );
  return new Set(handled);
}

const STORE_EVENT = {
  name: 'store_processor_event',
  text: `INSERT INTO processor_events (id, type, via, account_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET type = excluded.type RETURNING handled_at`,
};

const FINISH_EVENT = {
  name: 'finish_processor_event',
  text: `UPDATE processor_events SET handled_at = now(), outcome = $2 WHERE id = $1`,
};

/** Stores an event by the processor's id. Returns false if it has already been handled. */
async function storeEvent(tx: Tx, { id, type, account }: Stripe.Event, via: Via): Promise<boolean> {
  const event = [id, type, via, account ?? null];
  const { handled_at } = await one<{ handled_at: Date | null }>(tx, STORE_EVENT, event);
  return handled_at === null;
}

/** Records how an event was handled, once its effect is durable. */
const finishEvent = (tx: Tx, id: string, outcome: string): Promise<void> =>
  execute(tx, FINISH_EVENT, [id, outcome]);
