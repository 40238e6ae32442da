import type { EventType } from '../../../domain/events.js';
import { newId } from '../../ids.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

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
 * Stores an event in the transaction of what it tells (decisions.md, "Events"). The caller holds the lock on the
 * object's row, so that `sequence` rises without gaps. Returns the event's id.
 */
export async function insertEvent(
  tx: Tx,
  event: {
    type: EventType;
    workspace_id: string;
    object: { id: string };
    /** What the changed fields were, on `*.updated`. */
    previous?: Record<string, unknown>;
    created_at: Date;
  },
): Promise<string> {
  const id = newId('evt');
  const { object, previous } = event;
  await many<any>(tx, INSERT_EVENT, [
    id,
    event.workspace_id,
    event.type,
    event.object.id,
    event.created_at.toISOString(),
    { object, previous },
  ]);
  return id;
}

/** An event as it was stored and sent. */
export interface EventBody {
  id: string;
  type: EventType;
  /** ISO 8601 UTC. */
  created_at: string;
  workspace_id: string;
  /** Rises by one with each event of the same object. */
  sequence: number;
  data: { object: unknown; previous?: unknown };
}

/** One attempt to deliver an event. */
export interface Delivery {
  attempt: number;
  at: Date;
  /** Null where the receiver gave no answer. */
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response_excerpt: string | null;
}

/**
 * A workspace's placed events by position, those after `after` (decisions.md, "Events"): who has seen a page misses
 * nothing that commits later, since that is placed later.
 */
export function listEvents(
  tx: Tx,
  filter: { workspace_id: string; type?: EventType; from?: Date; to?: Date; after: number; limit: number },
): Promise<{ id: string; position: number; body: EventBody }[]> {
  return tx.query(
    `SELECT id, position, body FROM events
     WHERE workspace_id = $1 AND position > $2 AND ($3::text IS NULL OR type = $3)
       AND ($4::timestamptz IS NULL OR created_at >= $4) AND ($5::timestamptz IS NULL OR created_at < $5)
     ORDER BY position LIMIT $6`,
    [
      filter.workspace_id,
      filter.after,
      filter.type ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.limit,
    ],
  );
}

/** An event of a workspace, placed or not; its position is null until it is. */
export async function findEvent(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<{ body: EventBody; position: number | null } | null> {
  const rows = await tx.query(`SELECT body, position FROM events WHERE id = $1 AND workspace_id = $2`, [
    id,
    workspaceId,
  ]);
  return rows[0] ?? null;
}

/** The attempts to deliver an event, in order. */
export function listDeliveries(tx: Tx, workspaceId: string, eventId: string): Promise<Delivery[]> {
  return tx.query(
    `SELECT attempt, at, status_code, duration_ms, error, response_excerpt FROM webhook_deliveries
     WHERE event_id = $1 AND workspace_id = $2 ORDER BY attempt`,
    [eventId, workspaceId],
  );
}
