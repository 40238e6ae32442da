import type { EventType } from '../../../domain/events/types.js';
import { column, many } from '../../query.js';
import type { Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';
import { SUBSCRIBED } from './webhook-endpoint.js';

/** An event with the outcome of its delivery. */
export interface SentEvent {
  id: string;
  type: EventType;
  object_id: string;
  position: number;
  created_at: Date;
  /** The last attempt; null if there was none. */
  attempt: number | null;
  status_code: number | null;
  error: string | null;
  /** When it is tried again; null if it is not. */
  next_attempt_at: Date | null;
  /** The workspace's endpoint now; null if it has none. */
  endpoint: 'enabled' | 'disabled' | null;
  subscribed: boolean;
  /** The endpoint's delivery has not reached it yet. */
  queued: boolean;
}

export interface SentEventFilter {
  workspace_id: string;
  type?: EventType;
  object_id?: string;
  /** Only events whose last attempt failed, whether it is retried or not. */
  failed?: boolean;
  from?: Date;
  to?: Date;
}

/** The predicate of the index by which the few failed attempts of a workspace are found. */
const FAILED = 'd.status_code IS NULL OR d.status_code NOT BETWEEN 200 AND 299';

function conditionsOf({ type, object_id, failed, from, to }: SentEventFilter, bind: Bind): string[] {
  return [
    'e.workspace_id = $1',
    'e.position IS NOT NULL',
    ...(type ? [`e.type = ${bind(type)}`] : []),
    ...(object_id ? [`e.object_id = ${bind(object_id)}`] : []),
    ...(failed
      ? [
          `e.id IN (SELECT d.event_id FROM webhook_deliveries d WHERE d.workspace_id = $1 AND (${FAILED})
             AND NOT EXISTS (SELECT FROM webhook_deliveries later
                             WHERE later.event_id = d.event_id AND later.attempt > d.attempt))`,
        ]
      : []),
    ...(from ? [`e.created_at >= ${bind(from)}`] : []),
    ...(to ? [`e.created_at < ${bind(to)}`] : []),
  ];
}

/** A workspace's events, newest first, before a position. */
export function listSentEvents(
  tx: Tx,
  filter: SentEventFilter & { before?: number; limit: number },
): Promise<SentEvent[]> {
  const params: unknown[] = [filter.workspace_id];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const conditions = conditionsOf(filter, bind);
  if (filter.before !== undefined) conditions.push(`e.position < ${bind(filter.before)}`);
  return many<SentEvent>(
    tx,
    `SELECT e.id, e.type, e.object_id, e.position, e.created_at, last.attempt, last.status_code, last.error,
            r.next_attempt_at, w.status AS endpoint, coalesce(${SUBSCRIBED('e.type')}, false) AS subscribed,
            coalesce(e.position > w.sent_up_to, false) AS queued
     FROM (SELECT e.* FROM events e WHERE ${conditions.join(' AND ')}
           ORDER BY e.position DESC LIMIT ${bind(filter.limit)}) e
     LEFT JOIN webhook_endpoints w ON w.workspace_id = $1
     LEFT JOIN webhook_retries r ON r.event_id = e.id
     LEFT JOIN LATERAL (SELECT attempt, status_code, error FROM webhook_deliveries d
                        WHERE d.event_id = e.id AND d.workspace_id = $1 ORDER BY attempt DESC
                        LIMIT 1) last ON true
     ORDER BY e.position DESC`,
    params,
  );
}

/** The ids of the events of a filter, oldest first. */
export function listEventIds(tx: Tx, filter: SentEventFilter & { limit: number }): Promise<string[]> {
  const params: unknown[] = [filter.workspace_id];
  const bind: Bind = (value) => `$${params.push(value)}`;
  return column<string>(
    tx,
    `SELECT e.id FROM events e WHERE ${conditionsOf(filter, bind).join(' AND ')}
     ORDER BY e.position LIMIT ${bind(filter.limit)}`,
    params,
  );
}
