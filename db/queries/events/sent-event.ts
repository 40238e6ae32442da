import type { EventType } from '../../../domain/events/types.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** An event with the outcome of its delivery. */
export interface SentEvent {
  id: string;
  type: EventType;
  object_id: string;
  position: number;
  created_at: Date;
  /** The number of the last attempt; null if there was none. */
  attempt: number | null;
  status_code: number | null;
  error: string | null;
  /** When it is retried; null if it is not. */
  next_attempt_at: Date | null;
  /** The current state of the workspace's endpoint; null if it has none. */
  endpoint: 'enabled' | 'disabled' | null;
  subscribed: boolean;
  /** The endpoint's delivery has not reached it yet. */
  queued: boolean;
}

export interface SentEventFilter {
  workspace_id: string;
  type?: EventType;
  object_id?: string;
  /** Only events whose last attempt failed, whether or not it is retried. */
  failed?: boolean;
  from?: Date;
  to?: Date;
}

/** Returns the parameters `$1` to `$6` of a filter. */
const filterParameters = ({
  workspace_id,
  type,
  object_id,
  failed,
  from,
  to,
}: SentEventFilter): unknown[] => [
  workspace_id,
  type ?? null,
  object_id ?? null,
  failed ?? false,
  from ?? null,
  to ?? null,
];

/** Lists a workspace's events, newest first, before a position. */
export function listSentEvents(
  tx: Tx,
  filter: SentEventFilter & { before?: number; limit: number },
): Promise<SentEvent[]> {
  return many<SentEvent>(
    tx,
    `SELECT e.id, e.type, e.object_id, e.position, e.created_at, last.attempt, last.status_code, last.error,
            r.next_attempt_at, w.status AS endpoint, coalesce(is_subscribed(w, e.type), false) AS subscribed,
            coalesce(e.position > w.sent_up_to, false) AS queued
     FROM (
       SELECT e.* FROM events e
       WHERE e.workspace_id = $1 AND e.position IS NOT NULL
         AND ($2::text IS NULL OR e.type = $2) AND ($3::text IS NULL OR e.object_id = $3)
         AND (NOT $4 OR e.id = ANY (ARRAY(
           -- This is the predicate of the index with which the few failed attempts of a workspace are found.
           SELECT d.event_id FROM webhook_deliveries d
           WHERE d.workspace_id = $1 AND (d.status_code IS NULL OR d.status_code NOT BETWEEN 200 AND 299)
             AND NOT EXISTS (SELECT FROM webhook_deliveries later
                             WHERE later.event_id = d.event_id AND later.attempt > d.attempt))))
         AND ($5::timestamptz IS NULL OR e.created_at >= $5) AND ($6::timestamptz IS NULL
           OR e.created_at < $6)
         AND ($7::bigint IS NULL OR e.position < $7)
       ORDER BY e.position DESC LIMIT $8
     ) e
     LEFT JOIN webhook_endpoints w ON w.workspace_id = $1
     LEFT JOIN webhook_retries r ON r.event_id = e.id
     LEFT JOIN LATERAL (SELECT attempt, status_code, error FROM webhook_deliveries d
                        WHERE d.event_id = e.id AND d.workspace_id = $1 ORDER BY attempt DESC
                          LIMIT 1) last ON true
     ORDER BY e.position DESC`,
    [...filterParameters(filter), filter.before ?? null, filter.limit],
  );
}

/** An event and the object that it is about. */
export type EventOfObject = Pick<SentEvent, 'id' | 'object_id'>;

/** Lists the events of a filter, oldest first. */
export function listOldestEvents(
  tx: Tx,
  filter: SentEventFilter & { limit: number },
): Promise<EventOfObject[]> {
  return many<EventOfObject>(
    tx,
    `SELECT e.id, e.object_id FROM events e
     WHERE e.workspace_id = $1 AND e.position IS NOT NULL
       AND ($2::text IS NULL OR e.type = $2) AND ($3::text IS NULL OR e.object_id = $3)
       AND (NOT $4 OR e.id = ANY (ARRAY(
         -- This is the predicate of the index with which the few failed attempts of a workspace are found.
         SELECT d.event_id FROM webhook_deliveries d
         WHERE d.workspace_id = $1 AND (d.status_code IS NULL OR d.status_code NOT BETWEEN 200 AND 299)
           AND NOT EXISTS (SELECT FROM webhook_deliveries later
                           WHERE later.event_id = d.event_id AND later.attempt > d.attempt))))
       AND ($5::timestamptz IS NULL OR e.created_at >= $5) AND ($6::timestamptz IS NULL OR e.created_at < $6)
     ORDER BY e.position LIMIT $7`,
    [...filterParameters(filter), filter.limit],
  );
}
