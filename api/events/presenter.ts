import type { Delivery } from '../../db/repositories/events/event-queries.js';
import type { EventBody } from '../../domain/events.js';

/** An event as it was sent, and with `deliveries` also how (decisions.md, "Events"). */
export function presentEvent(event: EventBody, deliveries?: Delivery[]) {
  return {
    id: event.id,
    type: event.type,
    created_at: event.created_at,
    workspace_id: event.workspace_id,
    sequence: event.sequence,
    data: event.data,
    ...(deliveries && { deliveries: deliveries.map(presentDelivery) }),
  };
}

const presentDelivery = (delivery: Delivery) => ({
  attempt: delivery.attempt,
  at: delivery.at.toISOString(),
  status_code: delivery.status_code,
  duration_ms: delivery.duration_ms,
  error: delivery.error,
  response_excerpt: delivery.response_excerpt,
});
