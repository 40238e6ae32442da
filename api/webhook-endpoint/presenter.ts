import type { WebhookEndpoint } from '../../db/rows.js';

/** A webhook endpoint as the API shows it (decisions.md, "Events"). Its secret is shown once, when it is made. */
export function presentEndpoint(endpoint: WebhookEndpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    event_types: endpoint.event_types,
    status: endpoint.status,
    disabled_reason: endpoint.disabled_reason,
    created_at: endpoint.created_at.toISOString(),
  };
}
