import { API_VERSION, type EventType } from '../../domain/events/types.js';
import { newId } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import { storeAtEnd, type Tx } from '../../db/transaction.js';

export type { EventType };

/** `$1`: the events, several of which may be about the same object; `$2`: the version of the API. */
const INSERT_EVENTS = {
  name: 'insert_events',
  text: `INSERT INTO events (id, workspace_id, type, object_id, sequence, body, created_at)
    SELECT e.id, e.workspace_id, e.type, e.object_id, e.sequence,
           json_build_object('id', e.id, 'type', e.type, 'api_version', $2::text, 'created_at', e.created_at,
                             'workspace_id', e.workspace_id, 'sequence', e.sequence, 'data', e.data),
           e.created_at::timestamptz
    FROM (
      SELECT new.*, row_number() OVER (PARTITION BY new.object_id ORDER BY new.n)
                    + (SELECT coalesce(max(sequence), 0) FROM events
                      WHERE object_id = new.object_id) AS sequence
      FROM ROWS FROM (json_to_recordset($1) AS (id text, workspace_id text, type text, object_id text,
        created_at text, data json))
        WITH ORDINALITY AS new (id, workspace_id, type, object_id, created_at, data, n)
    ) e ORDER BY e.n`,
};

export interface NewEvent {
  type: EventType;
  workspace_id: string;
  object: { id: string };
  /** The old values of changed fields, for `*.updated`. */
  previous?: Record<string, unknown>;
  created_at: Date;
}

/**
 * Stores an event at the end of the transaction that makes the change (docs/rules/events.md#body). The caller
 * holds the lock on the object's row, so that `sequence` increases without gaps. Returns the event's id.
 */
export async function insertEvent(tx: Tx, event: NewEvent): Promise<string> {
  const [id] = await insertEvents(tx, [event]);
  return id!;
}

/** Stores events like `insertEvent`, in order. Returns their ids. */
export async function insertEvents(tx: Tx, events: NewEvent[]): Promise<string[]> {
  const rows = events.map(({ object, previous, ...event }) => ({
    ...event,
    id: newId('evt'),
    object_id: object.id,
    data: { object, previous },
  }));
  // Serialized now, because the caller may go on to change the objects.
  const texts = rows.map((row) => JSON.stringify(row));
  if (rows.length > 0) await storeAtEnd(tx, storeEvents, texts);
  return rows.map(({ id }) => id);
}

const storeEvents = (tx: Tx, texts: string[]): Promise<void> =>
  execute(tx, INSERT_EVENTS, [`[${texts.join(',')}]`, API_VERSION]);
