import joi from 'joi';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';

export const oauthClient = s.shape({
  client_id: s.idOf('client'),
  name: s.anyText,
  redirect_uris: joi.array().items(joi.string()),
  public: joi.boolean(),
  created_at: s.instant,
});

const registered = oauthClient.keys({ client_secret: s.nullableText.required() });

export const oauthOperations: Operations = {
  'GET /v1/oauth-clients': { summary: 'List OAuth clients', answers: { 200: s.pageOf(oauthClient) } },
  'POST /v1/oauth-clients': {
    summary: 'Create an OAuth client',
    description:
      '`client_secret` is shown this once; it is null for a public client, and for a repeat under the same `Idempotency-Key`. PKCE is required of all.',
    answers: { 200: registered, 201: registered },
    errors: ['not_found'],
    idempotent: true,
    body: { name: 'Room display', redirect_uris: ['https://display.example.com/callback'] },
  },
  'DELETE /v1/oauth-clients/:id': {
    summary: 'Delete an OAuth client',
    description: 'And all that people granted it.',
    answers: { 204: null },
    errors: ['not_found'],
  },
};
