import { one } from '../../db/query.js';
import { NOW } from '../../db/database-time.js';
import { ProcessorEvent } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';

/** An event received from the processor. */
export type ReceivedEvent = Pick<ProcessorEvent, 'id' | 'type' | 'via' | 'account_id'>;

/** Stores an event by the processor's id. Returns false if it has been handled before. */
export async function receiveProcessorEvent(tx: Tx, event: ReceivedEvent): Promise<boolean> {
  const { handled_at } = await one<{ handled_at: Date | null }>(
    tx,
    `INSERT INTO processor_events (id, type, via, account_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET type = excluded.type RETURNING handled_at`,
    [event.id, event.type, event.via, event.account_id],
  );
  return handled_at === null;
}

/** Records how an event was handled, once its effect is durable. */
export async function finishProcessorEvent(tx: Tx, id: string, outcome: string): Promise<void> {
  await tx.update(ProcessorEvent, { id }, { handled_at: NOW, outcome });
}
