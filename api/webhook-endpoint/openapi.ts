import joi from 'joi';
import { event } from '../events/responses.js';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';
import { webhookEndpoint } from './responses.js';

const secret = joi.string();

export const webhookEndpointOperations: Operations = {
  'GET /v1/webhook-endpoint': {
    summary: 'Get the webhook endpoint',
    answers: { 200: webhookEndpoint },
    errors: ['not_found'],
  },
  'PUT /v1/webhook-endpoint': {
    summary: 'Register the webhook endpoint',
    description:
      'One a workspace. Registering again changes it, and enables it. `secret` is shown once, when it is made. No `event_types`, or `*`, are all of bookings and members; those of invoices and payments are named.',
    answers: { 200: webhookEndpoint, 201: webhookEndpoint.keys({ secret: secret.required() }) },
    body: {
      url: 'https://hooks.example.com/holdfast',
      event_types: ['booking.confirmed', 'booking.cancelled'],
    },
  },
  'DELETE /v1/webhook-endpoint': {
    summary: 'Delete the webhook endpoint',
    answers: { 204: null },
    errors: ['not_found'],
  },
  'POST /v1/webhook-endpoint/rotate-secret': {
    summary: 'Rotate the webhook secret',
    description:
      '`Service-Signature` is the new secret’s at once; `webhook-signature` has both for the overlap. `secret` is shown this once; a repeat under the same `Idempotency-Key` rotates nothing and has null there.',
    answers: {
      200: webhookEndpoint.keys({
        secret: s.nullableText.required(),
        previous_secret_expires_at: s.instant.required(),
      }),
    },
    errors: ['not_found'],
    idempotent: true,
    body: { overlap_hours: 24 },
  },
  'POST /v1/webhook-endpoint/test': {
    summary: 'Test the webhook endpoint',
    description: 'Sends a `webhook.test` event now, and answers it with what became of it.',
    answers: { 200: event },
    errors: ['not_found'],
  },
};
