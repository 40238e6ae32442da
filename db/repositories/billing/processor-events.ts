import type { Tx } from '../../transaction.js';

/** An event of the processor's, as it arrived. */
export interface ReceivedEvent {
  id: string;
  type: string;
  via: 'platform' | 'connect';
  account_id: string | null;
}

/** Stores an event by the processor's id. Returns false for one that has been dealt with before. */
export async function receiveProcessorEvent(tx: Tx, event: ReceivedEvent): Promise<boolean> {
  const rows: { handled_at: Date | null }[] = await tx.query(
    `INSERT INTO processor_events (id, type, via, account_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET type = excluded.type RETURNING handled_at`,
    [event.id, event.type, event.via, event.account_id],
  );
  return rows[0]!.handled_at === null;
}

/** Notes what was done about an event, once that is durable. */
export async function finishProcessorEvent(tx: Tx, id: string, outcome: string): Promise<void> {
  await tx.query(`UPDATE processor_events SET handled_at = now(), outcome = $2 WHERE id = $1`, [id, outcome]);
}
