import type { EventType } from '../../domain/events.js';
import { newId } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

export type { EventType };

const INSERT_EVENT = {
  name: 'insert_event',
  text: `INSERT INTO events (id, workspace_id, type, object_id, sequence, body, created_at)
    SELECT $1, $2, $3, $4, next.sequence,
           json_build_object('id', $1::text, 'type', $3::text, 'created_at', $5::text, 'workspace_id', $2::text,
                             'sequence', next.sequence, 'data', $6::json),
           $5::timestamptz
    FROM (SELECT coalesce(max(sequence), 0) + 1 AS sequence FROM events WHERE object_id = $4) next`,
};

/**
 * Stores an event in the transaction that makes the change (docs/rules/events.md#body). The caller holds the lock on
 * the object's row, so that `sequence` increases without gaps. Returns the event's id.
 */
export async function insertEvent(
  tx: Tx,
  event: {
    type: EventType;
    workspace_id: string;
    object: { id: string };
    /** The old values of changed fields, on `*.updated`. */
    previous?: Record<string, unknown>;
    created_at: Date;
  },
): Promise<string> {
  const id = newId('evt');
  const { type, workspace_id, object, previous, created_at } = event;
  await execute(tx, INSERT_EVENT, [
    id,
    workspace_id,
    type,
    object.id,
    created_at.toISOString(),
    { object, previous },
  ]);
  return id;
}
