import type { EventBody } from './types.js';

/** One attempt to deliver an event. */
export interface DeliveryFacts {
  attempt: number;
  at: Date;
  /** Null if the receiver did not send a response. */
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response_excerpt: string | null;
}

/** An event as it was sent (docs/rules/events.md#body), with its `deliveries` if they are passed. */
export function presentEvent(event: EventBody, deliveries?: DeliveryFacts[]) {
  return {
    id: event.id,
    type: event.type,
    api_version: event.api_version,
    created_at: event.created_at,
    workspace_id: event.workspace_id,
    sequence: event.sequence,
    data: event.data,
    ...(deliveries && { deliveries: deliveries.map(presentDelivery) }),
  };
}

const presentDelivery = (delivery: DeliveryFacts) => ({
  attempt: delivery.attempt,
  at: delivery.at.toISOString(),
  status_code: delivery.status_code,
  duration_ms: delivery.duration_ms,
  error: delivery.error,
  response_excerpt: delivery.response_excerpt,
});
