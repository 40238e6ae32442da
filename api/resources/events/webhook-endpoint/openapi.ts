import { eventExample, exampleDelivery } from '../openapi.js';
import { event } from '../shape.js';
import { exampleInstant } from '../../shared/examples.js';
import type { Operations } from '../../shared/operation.js';
import type { EventDescription, EventsOf } from '../../shared/resource.js';
import { createdEndpoint, rotatedEndpoint, webhookEndpoint } from './shape.js';

const endpoint = {
  id: 'wh_01kba6xz3fe4r9tq5v8mhc2s1q',
  url: 'https://hooks.example.com/holdfast',
  event_types: ['booking.confirmed', 'booking.cancelled'],
  status: 'enabled',
  disabled_reason: null,
  created_at: exampleInstant(0, 12),
};

export const operations: Operations = {
  'GET /v1/webhook-endpoint': {
    summary: 'Get the webhook endpoint',
    example: () => endpoint,
    responses: { 200: webhookEndpoint },
    errors: ['not_found'],
  },
  'PUT /v1/webhook-endpoint': {
    summary: 'Register the webhook endpoint',
    description:
      'Creates the webhook endpoint of the workspace, or changes and enables it. `secret` is returned only ' +
      'when the endpoint is created. Without `event_types`, or with `*`, the endpoint receives all ' +
      '`booking` and `member` events; list `invoice` and `payment` events by name.',
    example: () => ({ ...endpoint, secret: 'whsec_…' }),
    responses: { 200: webhookEndpoint, 201: createdEndpoint },
    body: {
      url: 'https://hooks.example.com/holdfast',
      event_types: ['booking.confirmed', 'booking.cancelled'],
    },
  },
  'DELETE /v1/webhook-endpoint': {
    summary: 'Delete the webhook endpoint',
    responses: { 204: null },
    errors: ['not_found'],
  },
  'POST /v1/webhook-endpoint/rotate-secret': {
    summary: 'Rotate the webhook secret',
    description:
      'Issues a new secret for the endpoint. `Service-Signature` uses it immediately; `webhook-signature` ' +
      'contains signatures with both secrets during the overlap. `secret` is returned only once: a repeat ' +
      'with the same `Idempotency-Key` does not rotate again and returns a null `secret`.',
    example: () => ({
      ...endpoint,
      secret: 'whsec_…',
      previous_secret_expires_at: exampleInstant(1, 12),
    }),
    responses: { 200: rotatedEndpoint },
    errors: ['not_found'],
    idempotent: true,
    body: { overlap_hours: 24 },
  },
  'POST /v1/webhook-endpoint/test': {
    summary: 'Test the webhook endpoint',
    description:
      'Sends a `webhook.test` event to the endpoint and returns it with the result of its delivery.',
    example: () => ({ ...eventExample('webhook.test', { object: endpoint }), deliveries: [exampleDelivery] }),
    responses: { 200: event },
    errors: ['not_found'],
  },
};

export const events: Record<EventsOf<'webhook'>, EventDescription> = {
  'webhook.test': {
    schema: webhookEndpoint,
    object: endpoint,
  },
};
