import type { DisabledReason } from './webhook-schedule.js';

/** The input of `presentWebhookEndpoint`. */
export interface WebhookEndpointFacts {
  id: string;
  url: string;
  event_types: string[];
  status: 'enabled' | 'disabled';
  disabled_reason: DisabledReason | null;
  created_at: Date;
}

/** A webhook endpoint as the API returns it (docs/rules/events.md#endpoint), never with its secret. */
export function presentWebhookEndpoint(endpoint: WebhookEndpointFacts) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    event_types: endpoint.event_types,
    status: endpoint.status,
    disabled_reason: endpoint.disabled_reason,
    created_at: endpoint.created_at.toISOString(),
  };
}
