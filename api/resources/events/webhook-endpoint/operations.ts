import {
  deleteEndpoint,
  existingEndpoint,
  insertTestEvent,
  putEndpoint,
  rotateSecret,
} from '../../../../commands/events/webhook-endpoints.js';
import { ALL_EVENTS, EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../../../domain/events/types.js';
import { presentWebhookEndpoint } from '../../../../domain/events/webhook-endpoint-presenter.js';
import { MAX_IN_PROGRESS } from '../../../http/concurrency.js';
import { emptyBody, text } from '../../../http/fields.js';
import { created, nothing, operation } from '../../../http/operation.js';
import { WEB_URL } from '../../../http/patterns.js';
import { array, number, object, oneOf, string, withDefault } from '../../../http/typed.js';
import { exampleInstant } from '../../shared/examples.js';
import { field, splitSides } from '../../shared/field.js';
import type { EventTypesFor, Resource } from '../../shared/resource.js';
import * as s from '../../shared/shapes.js';
import { event, eventExample, exampleDelivery } from '../operations.js';
import { redeliverAfter } from '../redeliver.js';
import { checkReceiver } from './receiver.js';

const MAX_OVERLAP_HOURS = 7 * 24;

const { sent, read } = splitSides({
  url: field(text(2_000).meta({ json: { pattern: WEB_URL } }), 'The URL that receives events.', {
    sent: 'The URL that events are sent to by POST. Must use https in production.',
  }),
  event_types: field(
    array(oneOf([ALL_EVENTS, ...EVENT_TYPES, ...OPT_IN_EVENT_TYPES]))
      .unique()
      .min(1),
    'The event types that the endpoint receives. `*` stands for all `booking` and `member` events.',
    {
      sent: 'The event types to receive. Defaults to `*`: all `booking` and `member` events.',
      read: array(string),
    },
  ),
});

export const endpoint = s.presentedBy(
  presentWebhookEndpoint,
  s.shape('WebhookEndpoint', {
    id: s.prefixedId('wh'),
    ...read,
    status: oneOf(['enabled', 'disabled']).description(
      'A disabled endpoint receives no events until it is registered again.',
    ),
    disabled_reason: s.nullableText.description('Why the endpoint is disabled.'),
    created_at: s.instant,
  }),
);

export const createdEndpoint = s.extend('CreatedWebhookEndpoint', endpoint, {
  secret: string.description('The secret that signs events. Returned only once.'),
});

export const rotatedEndpoint = s.extend('RotatedWebhookEndpoint', endpoint, {
  secret: s.nullableText.description('The new secret. Returned only once; null in a repeat.'),
  previous_secret_expires_at: s.instant.description(
    'The time at which the previous secret is no longer used.',
  ),
});

const example = {
  id: 'wh_01kba6xz3fe4r9tq5v8mhc2s1q',
  url: 'https://hooks.example.com/holdfast',
  event_types: ['booking.confirmed', 'booking.cancelled'],
  status: 'enabled',
  disabled_reason: null,
  created_at: exampleInstant(0, 12),
};

const getWebhookEndpoint = operation({
  route: 'GET /v1/webhook-endpoint',
  summary: 'Get the webhook endpoint',
  scope: 'webhooks:read',
  capability: 'manage_webhooks',
  responses: { 200: endpoint },
  errors: ['not_found'],
  examples: { response: example },
  run: async (_, { workspace_id }, { db }) =>
    presentWebhookEndpoint(await existingEndpoint(db.manager, workspace_id)),
});

export const putWebhookEndpoint = operation({
  route: 'PUT /v1/webhook-endpoint',
  summary: 'Register the webhook endpoint',
  description:
    'Creates the webhook endpoint of the workspace, or changes and enables it. `secret` is returned only ' +
    'when the endpoint is created. Without `event_types`, or with `*`, the endpoint receives all ' +
    '`booking` and `member` events; list `invoice` and `payment` events by name.',
  scope: 'webhooks:write',
  capability: 'manage_webhooks',
  body: object({ url: sent.url, event_types: withDefault(sent.event_types, [ALL_EVENTS]) }, 'url').required(),
  responses: { 200: endpoint, 201: createdEndpoint },
  examples: {
    body: { url: example.url, event_types: example.event_types },
    response: { ...example, secret: 'whsec_…' },
  },
  async run({ body: { url, event_types } }, caller, deps) {
    return putEndpoint(deps, caller, { url: await checkReceiver(deps, url), event_types });
  },
  reply: created,
});

export const deleteWebhookEndpoint = operation({
  route: 'DELETE /v1/webhook-endpoint',
  summary: 'Delete the webhook endpoint',
  scope: 'webhooks:delete',
  capability: 'manage_webhooks',
  idempotent: nothing,
  responses: { 204: null },
  errors: ['not_found'],
  run: (_, caller, { db }) => deleteEndpoint(db, caller),
});

export const rotateWebhookSecret = operation({
  route: 'POST /v1/webhook-endpoint/rotate-secret',
  summary: 'Rotate the webhook secret',
  description:
    'Issues a new secret for the endpoint. `Service-Signature` uses it immediately; `webhook-signature` ' +
    'contains signatures with both secrets during the overlap. `secret` is returned only once: a repeat ' +
    'with the same `Idempotency-Key` does not rotate again and returns a null `secret`.',
  scope: 'webhooks:write',
  capability: 'manage_webhooks',
  body: object({
    overlap_hours: withDefault(
      number.min(0).max(MAX_OVERLAP_HOURS).description('How long the previous secret stays valid, in hours.'),
      24,
    ),
  }),
  idempotent: true,
  responses: { 200: rotatedEndpoint },
  errors: ['not_found'],
  examples: {
    body: { overlap_hours: 24 },
    response: { ...example, secret: 'whsec_…', previous_secret_expires_at: exampleInstant(1, 12) },
  },
  run: ({ body, idempotency }, caller, deps) => rotateSecret(deps, caller, body.overlap_hours, idempotency),
});

export const testWebhookEndpoint = operation({
  route: 'POST /v1/webhook-endpoint/test',
  summary: 'Test the webhook endpoint',
  description: 'Sends a `webhook.test` event to the endpoint and returns it with the result of its delivery.',
  scope: 'webhooks:write',
  capability: 'manage_webhooks',
  body: emptyBody,
  concurrent: MAX_IN_PROGRESS,
  idempotent: true,
  responses: { 200: event },
  errors: ['not_found'],
  examples: {
    response: { ...eventExample('webhook.test', { object: example }), deliveries: [exampleDelivery] },
  },
  run: async ({ idempotency }, { workspace_id }, deps) =>
    redeliverAfter(deps, workspace_id, await insertTestEvent(deps.db, workspace_id, idempotency), 0),
});

/** The webhook endpoint that a workspace's events are sent to (docs/rules/events.md#endpoint). */
export const webhookEndpoint: Resource<EventTypesFor<'webhook'>> = {
  tag: 'Webhooks',
  operations: [
    getWebhookEndpoint,
    putWebhookEndpoint,
    deleteWebhookEndpoint,
    rotateWebhookSecret,
    testWebhookEndpoint,
  ],
  events: { 'webhook.test': { schema: endpoint, object: example } },
};
